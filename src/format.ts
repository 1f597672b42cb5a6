/** Formats values for the screen (S9.1 to S9.5). Each function takes any value; an invalid one shows as blank or 0. */

// A negative value that rounds to zero is shown without a sign.
const signDisplay = 'negative'
const twoDecimals = new Intl.NumberFormat('en', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay,
})
const noDecimals = new Intl.NumberFormat('en', { maximumFractionDigits: 0, signDisplay })

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

/** S9.2: `1,234.50`; `0` if it is not a number. */
export function amount(value: unknown): string {
  const number = numberOf(value)
  return number === null ? '0' : twoDecimals.format(number)
}

/** S9.2, the formatter that divides by 1000: metres as kilometres, 12345 shows `12.35`. */
export function thousandth(value: unknown): string {
  const number = numberOf(value)
  return amount(number === null ? null : number / 1000)
}

/** S9.1, dashboard: rounded, then `.00`. */
export function wholeAmount(value: unknown): string {
  const number = numberOf(value)
  return number === null ? '0' : `${noDecimals.format(number)}.00`
}

/** S9.1, invoices and attractions: `Ksh. 1,234`. */
export function ksh(value: unknown): string {
  const number = numberOf(value)
  return `Ksh. ${number === null ? '0' : noDecimals.format(number)}`
}

/** A count: `12,345`. */
export function count(value: unknown): string {
  const number = numberOf(value)
  return number === null ? '0' : noDecimals.format(number)
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
  const first = (word: string | undefined) => [...new Intl.Segmenter().segment(word ?? '')][0]?.segment ?? ''
  return (
    first(words[0]) + (words.length > 1 && !text(name).includes('@') ? first(words.at(-1)) : '')
  ).toUpperCase()
}

const megabytes = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** `2.4 MB`, `310 KB`. */
export function fileSize(bytes: number): string {
  return bytes < 999_500
    ? `${Math.max(1, Math.round(bytes / 1000))} KB`
    : `${megabytes.format(bytes / 1_000_000)} MB`
}

const zone = 'Africa/Nairobi'
const parts = new Intl.DateTimeFormat('en-GB', {
  timeZone: zone,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  hourCycle: 'h23',
})
const isoDay = new Intl.DateTimeFormat('en-CA', {
  timeZone: zone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})
const monthYear = new Intl.DateTimeFormat('en', { timeZone: zone, month: 'long', year: 'numeric' })

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
  return moment.getTime() > dayLength ? moment : null
})

/** The Date constructor reads 30 February as 2 March. False for such a date. */
function isInCalendar(date: string): boolean {
  const moment = new Date(date)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date)
}

/** S9.3: `3rd Nov 2025`, in Nairobi. */
export function day(value: unknown): string {
  const moment = momentOf(value)
  return moment ? dayOf(partsOf(moment)) : ''
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
  return date !== '' && date < isoDay.format(now)
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
  const at = partsOf(moment)
  const hour = Number(at['hour'])
  return `${dayOf(at)}, ${hour % 12 || 12}:${at['minute'] ?? ''} ${hour < 12 ? 'am' : 'pm'}`
}

/** A time in milliseconds as `07:05`, in Nairobi. */
export function timeOfDay(time: number): string {
  const at = partsOf(new Date(time))
  return `${(at['hour'] ?? '').padStart(2, '0')}:${at['minute'] ?? ''}`
}

/** S2.c.1: the Nairobi month, `November 2026`. */
export function currentMonth(now: Date): string {
  return monthYear.format(now)
}

const partsOf = rememberingLatest((moment: Date): Record<string, string> =>
  Object.fromEntries(parts.formatToParts(moment).map(({ type, value }) => [type, value])),
)

function dayOf(at: Record<string, string>): string {
  const number = Number(at['day'])
  const suffix =
    number % 100 >= 11 && number % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
  return `${number}${suffix} ${shortMonth(at['month'])} ${at['year'] ?? ''}`
}

/** Three letters; the British locale data shortens September to "Sept". */
const shortMonth = (month: string | undefined) => (month ?? '').slice(0, 3)
