import { LoginAnswer, LoginBody, Problem as ProblemAnswer } from '../../src/api/contract.ts'
import { Type } from 'typebox'
import { staffOf } from '../auth.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { Problem } from '../problem.ts'
import { countAttempt } from '../queries/login-limit.ts'
import { logIn, logOut } from '../queries/sessions.ts'

/** S8.4: the same text for a wrong e-mail, a wrong password and too many of either. */
const failed = 'Login failed!.Please try again.'

export function registerSession(app: TypedApp, { engine, now }: Deps): void {
  app.post(
    '/api/v1/oms/login/',
    {
      config: { public: true },
      schema: { security: [], body: LoginBody, response: { 200: LoginAnswer, '4xx': ProblemAnswer } },
    },
    async (request) => {
      const { email, password } = request.body
      const attempt = await countAttempt(engine, email, request.ip, now(), failed)
      const token = await logIn(engine, email, password, now())
      if (!token) throw new Problem(401, failed)
      await attempt.succeeded()
      return { token }
    },
  )

  app.post(
    '/api/v1/oms/logout/',
    { schema: { response: { 204: Type.Null(), '4xx': ProblemAnswer } } },
    async (request, reply) => {
      await logOut(engine, staffOf(request).tokenHash)
      return reply.code(204).send(null)
    },
  )
}
