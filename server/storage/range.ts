interface Span {
  status: 200 | 206 | 416
  /** First and last byte, both included. */
  first: number
  last: number
}

/** Parses a Range header. Several ranges, or an invalid header, mean the whole file. */
export function rangeOf(header: string | undefined, size: number): Span {
  const whole: Span = { status: 200, first: 0, last: size - 1 }
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return whole
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return whole
  return { status: first <= last ? 206 : 416, first, last }
}
