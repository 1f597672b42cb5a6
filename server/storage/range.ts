interface Span {
  status: 200 | 206 | 416
  /** Both included. */
  first: number
  last: number
}

/** What a Range header asks for; several ranges at once, or a header that means nothing, get the whole. */
export function rangeOf(header: string | undefined, size: number): Span {
  const whole: Span = { status: 200, first: 0, last: size - 1 }
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return whole
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return whole
  return { status: first <= last ? 206 : 416, first, last }
}
