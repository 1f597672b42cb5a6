import { LoginAnswer, LoginBody, Problem } from '../../src/api/contract.ts'
import { Type } from 'typebox'
import { staffOf } from '../auth.ts'
import { demoLoginFor } from '../demo/access.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { HttpError } from '../http-error.ts'
import { loginLimit } from '../queries/login-limit.ts'
import { logIn, logOut } from '../queries/sessions.ts'

/** S8.4: the same message for a wrong e-mail, a wrong password and too many attempts. */
const failed = 'Login failed!.Please try again.'

/** In bytes: about three times the longest e-mail and password in ASCII. */
const loginBody = 4 * 1024

export function registerSession(app: TypedApp, deps: Deps): void {
  const { engine, now } = deps
  const countAttempt = loginLimit(engine, now)
  app.post(
    '/api/v1/oms/login/',
    {
      config: { public: true },
      bodyLimit: loginBody,
      schema: { security: [], body: LoginBody, response: { 200: LoginAnswer, '4xx': Problem } },
    },
    async (request) => {
      const { email, password } = request.body
      const attempt = await countAttempt(email, request.ip, failed)
      const isDemo = email.trim().toLowerCase() === deps.demoLogin?.email
      const mayTry = !isDemo || (await demoLoginFor(request, deps)) !== null
      const token = mayTry ? await logIn(engine, email, password, now()) : null
      if (!token) throw new HttpError(401, failed)
      await attempt.succeeded()
      return { token }
    },
  )

  app.post(
    '/api/v1/oms/logout/',
    { schema: { response: { 204: Type.Null(), '4xx': Problem } } },
    async (request, reply) => {
      await logOut(engine, staffOf(request).tokenHash)
      return reply.code(204).send(null)
    },
  )
}
