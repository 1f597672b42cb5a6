/** The form in which names are stored for search and in which a search is compared: no case, no accents. */
export function fold(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase()
  // Lower-casing Σ gives ς at the end of a word and σ elsewhere. A search may end in the middle of a word, so both become σ.
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ')
}

const isAscii = /^[\x00-\x7f]*$/

/** Number plates are found with or without their spaces (rulings, lists). */
export function foldPlate(text: string): string {
  return fold(text).replace(/\s+/g, '')
}

/** The digits of a phone number as typed; `+`, spaces and all else are removed. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}
