import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import type { TypedApp } from './deps.ts'

const answers = new AsyncLocalStorage<ServerResponse>()

/** Lets `whenGone` find the request in whose course it is called. */
export function rememberRequests(app: TypedApp): void {
  app.addHook('onRequest', (_request, { raw }, done) => {
    answers.run(raw, done)
  })
}

/**
 * Calls `then` if the client of this request closes the connection before it has its answer, which nobody needs then; at once if
 * it has closed it already. The returned function ends the waiting. Outside of a request nothing is called.
 */
export function whenGone(then: () => void): () => void {
  const answer = answers.getStore()
  const onClose = () => {
    if (!answer?.writableEnded) then()
  }
  if (answer?.destroyed) onClose()
  else answer?.once('close', onClose)
  return () => answer?.off('close', onClose)
}
