/** Identifies one record everywhere: busy state, fault mark, draft, target, dialog, cache, activity and undo. */
export interface Ref {
  /** The name of its noun: `driver`. */
  readonly noun: string
  /** As text; `new` for a record that a form creates. */
  readonly id: string
}

/** `driver:12` */
export const refKey = ({ noun, id }: Ref): string => `${noun}:${id}`
