import type { Attraction, Blog, Coupon, Driver, Invoice, PromoCode } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'

/** The records that commands act on. */
export interface Records {
  driver: Row<Driver>
  invoice: Row<Invoice>
  attraction: Row<Attraction>
  blog: Row<Blog>
  coupon: Row<Coupon>
  promo: Row<PromoCode>
}
export type Noun = keyof Records

/** What a command finds when it is offered or run. */
export interface Context {
  path: string
  /** The focused row, the found record or the record on screen, by its noun. */
  targets: { readonly [N in Noun]?: readonly Records[N][] }
}

/**
 * One action. Row button, palette item, key and help read the same object; `title` fits its context
 * ("Suspend Jo Kamau"), `about` is the same without one.
 */
export interface Command {
  /** `noun.verb` */
  id: string
  about: string
  title(context: Context): string
  keywords?: string
  /** The records it acts on; absent where it needs none. */
  noun?: Noun
  /** One chord (`mod+k`) or a sequence (`g d`). */
  keys?: string
  /** Not offered at all where this is false. */
  when?(context: Context): boolean
  /** True, or the reason why it cannot be done now. */
  enabled?(context: Context): true | string
  run(context: Context): void | Promise<void>
}

/** Whether a command can be run here, by whatever surface. */
export function isOffered(command: Command, context: Context): boolean {
  return command.when?.(context) ?? true
}

export function isRunnable(command: Command, context: Context): boolean {
  return isOffered(command, context) && (command.enabled?.(context) ?? true) === true
}
