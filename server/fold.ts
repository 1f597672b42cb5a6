/** The form in which names are stored for search and in which a search is compared: no case, no accents. */
export function fold(text: string): string {
  // Σ becomes ς at the end of a word and σ elsewhere; a search may end where the word goes on.
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ')
}

/** Number plates are found with or without their spaces (rulings, lists). */
export function foldPlate(text: string): string {
  return fold(text).replace(/\s+/g, '')
}

/** Digits of a phone number as typed; `+` and spaces do not count. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}
