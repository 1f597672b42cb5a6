/** Names one record everywhere: busy state, fault mark, draft, target, dialog, cache, activity and undo. */
export interface Ref {
  /** As its noun is declared: `driver`. */
  readonly noun: string
  /** As text; `new` for the record that a form is about to create. */
  readonly id: string
}

/** `driver:12` */
export const refKey = ({ noun, id }: Ref): string => `${noun}:${id}`
