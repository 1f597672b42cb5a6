import { exactNumber, numberOf } from '../../format.ts'

/** Attributes for an element that shows a number: the exact one as its title, and whether it is missing (R4). */
export const exactly = (value: unknown) => ({
  title: exactNumber(value),
  'data-none': numberOf(value) === null,
})
