import { HttpError } from '../http-error.ts'
import { whenGone } from '../waiting.ts'

/**
 * Does up to so many things at the same time; the others wait for their turn in the order in which they came. What waits is not begun
 * once the client of its request has gone (HttpError 408), and fails with the same error when one fails for which `endsAll` holds.
 */
export function lanes(
  most: number,
  endsAll: (error: unknown) => boolean,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting = new Set<{ begin: () => void; fail: (error: unknown) => void }>()
  let busy = 0
  const turn = () =>
    new Promise<void>((begin, fail) => {
      const place = { begin, fail }
      waiting.add(place)
      const stop = whenGone(() => {
        if (waiting.delete(place))
          fail(new HttpError(408, 'The client closed the connection before its turn.'))
      })
      place.begin = () => {
        stop()
        begin()
      }
    })
  const next = () => {
    const [first] = waiting
    if (first) waiting.delete(first)
    else busy--
    first?.begin()
  }
  return async (work) => {
    if (busy < most) busy++
    else await turn()
    try {
      return await work()
    } catch (error) {
      if (endsAll(error))
        for (const place of waiting) {
          waiting.delete(place)
          place.fail(error)
        }
      throw error
    } finally {
      next()
    }
  }
}
