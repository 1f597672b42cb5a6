/** Formats values for the screen (S9.1 to S9.5). Each function takes any value; an invalid one shows as blank or 0. */

/** A finite number or decimal text as a number, else null. */
export function numberOf(value: unknown): number | null {
  const isDecimal = typeof value === 'string' && value.trim() !== '' && /^[-+.\de\s]+$/i.test(value)
  const number = typeof value === 'number' ? value : isDecimal ? Number(value) : NaN
  return Number.isFinite(number) ? number : null
}

/** The exact value of a 0 that stands for a missing number (R4). */
export const noValue = 'no value'

/** R4: the number that the server sent, or `no value`. */
export function exactNumber(value: unknown): string {
  return numberOf(value) === null ? noValue : text(value)
}

/** Text or a number as text; anything else is blank. */
export function text(value: unknown): string {
  return typeof value === 'string'
    ? value
    : typeof value === 'number' && Number.isFinite(value)
      ? String(value)
      : ''
}

/**
 * A number with so many decimals, as Intl.NumberFormat writes it in the English locale: a half is rounded away from zero, and a zero has no
 * minus sign. `0` if it is not a number. Intl itself is not used, because its first formatter takes a browser 10 ms, and the first rows would wait.
 */
export function decimal(value: unknown, places: number): string {
  const number = numberOf(value)
  if (number === null) return '0'
  const size = Math.abs(number)
  const exact = size < 1e-6 ? '0' : size < 1e21 ? String(size) : String(BigInt(size))
  const [whole = '', fraction = ''] = exact.split('.')
  const cut = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'))
  const rounded = String(cut + ((fraction[places] ?? '') >= '5' ? 1n : 0n)).padStart(places + 1, '0')
  const point = rounded.length - places
  const sign = number < 0 && /[1-9]/.test(rounded) ? '-' : ''
  const units = rounded.slice(0, point).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${sign}${units}${places > 0 ? '.' : ''}${rounded.slice(point)}`
}

/** S9.2: `1,234.50`; `0` if it is not a number. */
export function amount(value: unknown): string {
  return decimal(value, 2)
}

/** S9.2, the formatter that divides by 1000: metres as kilometres, 12345 shows `12.35`. */
export function thousandth(value: unknown): string {
  const number = numberOf(value)
  return amount(number === null ? null : number / 1000)
}

/** S9.1, dashboard: rounded, then `.00`. */
export function wholeAmount(value: unknown): string {
  return count(value) + (numberOf(value) === null ? '' : '.00')
}

/** S9.1, invoices and attractions: `Ksh. 1,234`. */
export function ksh(value: unknown): string {
  return `Ksh. ${count(value)}`
}

/** A count: `12,345`. */
export function count(value: unknown): string {
  return decimal(value, 0)
}

/** S9.5: six decimals; blank if it is not a number from -180 to 180. */
export function coordinate(value: unknown): string {
  const number = numberOf(value)
  if (number === null || Math.abs(number) > 180) return ''
  return (Math.abs(number) < 5e-7 ? 0 : number).toFixed(6)
}

/** S2.d.2: one leading `+`. */
export function phone(value: unknown): string {
  const digits = text(value).trim().replace(/^\++/, '')
  return digits && `+${digits}`
}

/** The link that dials a phone number (RFC 3966); blank if it has no digits. `07…` and `01…` are the local forms of `+254…`. */
export function phoneHref(value: unknown): string {
  const digits = phone(value).replace(/\D/g, '')
  return digits && `tel:+${digits.replace(/^0(?=[17]\d{8}$)/, '254')}`
}

/** S2.l.4: first three characters of the name, uppercased, space removed, then the driver id. */
export function inviteCode(fullname: unknown, driverId: unknown): string {
  const letters = [...text(fullname)].slice(0, 3).join('').toUpperCase().replace(/\s/g, '')
  const id = text(driverId)
  return letters && id && letters + id // Blank if the name or the id is missing: half a code would be wrong.
}

/** Blank if it is not a boolean. */
export function yesOrNo(value: unknown): string {
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : ''
}

/** One or two letters for an avatar, in any script; one letter for an e-mail address. */
export function initials(name: unknown): string {
  const words = text(name)
    .split(/[\s@._-]+/)
    .filter((word) => /\p{L}|\p{N}/u.test(word))
  return (
    firstLetter(words[0]) + (words.length > 1 && !text(name).includes('@') ? firstLetter(words.at(-1)) : '')
  ).toUpperCase()
}

/** The first letter with its accents, which may be characters of their own. An ASCII character before another one, or alone, has none. */
function firstLetter(word = ''): string {
  if (/^[!-~]([!-~]|$)/.test(word)) return word.charAt(0)
  return [...new Intl.Segmenter().segment(word)][0]?.segment ?? ''
}

const zone = 'Africa/Nairobi'
const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** In milliseconds. */
const dayLength = 24 * 60 * 60 * 1000

/** Reads an argument again only if it is not the one before. A cell formats its value twice: as it is shown, and exactly. */
function rememberingLatest<Argument, Result>(read: (argument: Argument) => Result) {
  let latest: { argument: Argument; result: Result } | null = null
  return (argument: Argument): Result => {
    if (latest === null || latest.argument !== argument) latest = { argument, result: read(argument) }
    return latest.result
  }
}

/** A timestamp or calendar date as a Date; a timestamp without a zone is UTC. Null if the value is neither. */
export const momentOf = rememberingLatest((value: unknown): Date | null => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return null
  if (!isInCalendar(value.slice(0, 10))) return null
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/i.test(value) || value.length === 10
  const moment = new Date(zoned ? value : `${value.replace(' ', 'T')}Z`)
  // 1 January 1970 and everything before it counts as no date.
  return moment.getTime() >= dayLength ? moment : null
})

/** The Date constructor reads 30 February as 2 March. False for such a date. */
function isInCalendar(date: string): boolean {
  const moment = new Date(date)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date)
}

/** S9.3: `3rd Nov 2025`, in Nairobi. */
export function day(value: unknown): string {
  const moment = momentOf(value)
  return moment ? dayOf(inNairobi(moment)) : ''
}

/** A calendar date, `2025-11-03`, without its time; blank if the value is not a date. */
export function calendarDate(value: unknown): string {
  return momentOf(value) ? text(value).slice(0, 10) : ''
}

/** S3.13, S3.14: a calendar date as `3rd Nov 2025`, never shifted to another day by a time zone. */
export function calendarDay(value: unknown): string {
  return day(calendarDate(value))
}

/** Whether a calendar date has expired: it is valid until the end of that day in Nairobi. */
export function isOver(value: unknown, now: Date): boolean {
  const date = calendarDate(value)
  return date !== '' && date < inNairobi(now).slice(0, 10)
}

/** Whether a moment comes within this number of days. */
export function isWithin(days: number, value: unknown, now: Date): boolean {
  const left = (momentOf(value)?.getTime() ?? NaN) - now.getTime()
  return left >= 0 && left <= days * 86_400_000
}

/**
 * S9.3: `3rd Nov 2025, 1:30 am`, in Nairobi. The 3 hours from UTC come from the time zone and are never added by hand.
 * A calendar date is shown without a time.
 */
export function dayAndTime(value: unknown): string {
  const moment = momentOf(value)
  if (!moment) return ''
  if (text(value).length === 10) return day(value)
  const local = inNairobi(moment)
  const hour = Number(local.slice(11, 13))
  return `${dayOf(local)}, ${hour % 12 || 12}:${local.slice(14, 16)} ${hour < 12 ? 'am' : 'pm'}`
}

/** A time in milliseconds as `07:05`, in Nairobi. */
export function timeOfDay(time: number): string {
  return inNairobi(new Date(time)).slice(11, 16)
}

/** S2.c.1: the Nairobi month, `November 2026`. */
export function currentMonth(now: Date): string {
  const local = inNairobi(now)
  return `${monthOf(local)} ${local.slice(0, 4)}`
}

let formatter: Intl.DateTimeFormat | undefined

/**
 * Text that begins with the day and the time in Nairobi: `2025-11-03T01:30` from Temporal, `2025-11-03 01:30` from Intl in the Swedish locale.
 * Intl is used only in browsers without Temporal, because it is slow at its first use (see `decimal`).
 */
const inNairobi = rememberingLatest((moment: Date): string => {
  if ('Temporal' in globalThis)
    return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone).toString()
  formatter ??= new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  return formatter.format(moment)
})

const monthOf = (local: string) => months[Number(local.slice(5, 7)) - 1] ?? ''

function dayOf(local: string): string {
  const day = Number(local.slice(8, 10))
  const suffix = day % 100 >= 11 && day % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th')
  return `${day}${suffix} ${monthOf(local).slice(0, 3)} ${local.slice(0, 4)}`
}
