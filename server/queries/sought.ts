import { digitsOf, fold } from '../fold.ts'
import { wordsOf } from '../words.ts'

/** What the text of a search may mean. */
export interface Sought {
  /** `1200` and `#1200`, else null. */
  id: number | null
  /** Folded. */
  text: string
  /** Folded, without spaces and dashes, as number plates and codes are compared. */
  compact: string
  words: string[]
  /** The ways in which a table may hold the phone number that the text is; none unless it is a whole one. */
  phones: string[]
  /** The digits, where the text is part of a phone number: at least three. */
  digits: string
  /** Two to six letters that may be initials, else blank. */
  initials: string
}

export function readSought(q: string): Sought {
  const text = fold(q.trim())
  const [, hash, number] = /^(#?)(\d{1,16})$/.exec(text) ?? []
  const id = Number(number)
  const [, phone] = /^(?:tel:)?([+\d\s().\/-]*)$/.exec(text) ?? []
  const digits = hash || phone === undefined ? '' : digitsOf(phone).replace(/^00(?=254)/, '')
  return {
    id: id > 0 && Number.isSafeInteger(id) ? id : null,
    text,
    compact: text.replace(/[\s-]+/g, ''),
    words: hash ? [] : wordsOf(text),
    phones: phone === undefined || hash ? [] : phonesOf(phone),
    digits: digits.length < 3 ? '' : digits,
    initials: /^\p{L}{2,6}$/u.test(text) ? text : '',
  }
}

/** Kenyan numbers are nine digits after 254 or 0; others are taken as they are. */
function phonesOf(phone: string): string[] {
  const digits = digitsOf(phone).replace(/^00/, '')
  const kenyan = /^(?:254)?0?([17]\d{8})$/.exec(digits)?.[1]
  if (kenyan) return [`254${kenyan}`, `+254${kenyan}`, `0${kenyan}`]
  return digits.length < 9 ? [] : [digits, `+${digits}`]
}
