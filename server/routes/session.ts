import {
  EndSessionBody,
  LoginAnswer,
  LoginBody,
  PasswordBody,
  Problem,
  Sessions,
} from '../../src/api/contract.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { addressOf, sourceOf } from '../audit/events.ts'
import { recordRefusals } from '../audit/refusals.ts'
import { staffOf } from '../auth.ts'
import { browserOf } from '../browser.ts'
import { demoLogin, demoLoginFor } from '../demo/access.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { HttpError } from '../http-error.ts'
import { passwordFault } from '../password.ts'
import { fieldError } from '../queries/edit.ts'
import { loginLimit } from '../queries/login-limit.ts'
import { changePassword, endSessions, sessionsOf } from '../queries/own-sessions.ts'
import { logIn, logOut } from '../queries/sessions.ts'

/** S8.4: the same message for a wrong e-mail, a wrong password and too many attempts. */
const failed = 'Login failed!.Please try again.'
const tooMany = 'Too many wrong passwords. Try again later.'

/** In bytes: two passwords of 1,024 characters fit in, even if each character takes six bytes in JSON, such as `\u0000`. */
const loginBody = 16 * 1024

export function registerSession(app: TypedApp, deps: Deps): void {
  const { engine, now } = deps
  const countAttempt = loginLimit(engine, now)
  const refusals = recordRefusals(engine, (error) => app.log.error({ err: error }, 'audit failed'))
  app.addHook('onClose', refusals.close)

  /** Whether the password is right, which `check` tells. Counts and records attempts. Throws HttpError 429. */
  const attempt = async (
    request: FastifyRequest,
    email: string,
    refusal: string,
    check: () => Promise<string | boolean | null>,
  ) => {
    const address = addressOf(request)
    const refused = (event: 'session.refuse' | 'session.block') =>
      refusals.note({ event, email, address }, now())
    const counted = await countAttempt(email, address, refusal).catch(async (error: unknown) => {
      if (error instanceof HttpError) await refused('session.block')
      throw error
    })
    const result = await check()
    // The login or the new password is stored already, so the call succeeds.
    if (result)
      await counted.succeeded().catch((error: unknown) => {
        app.log.error({ err: error }, 'login count failed')
      })
    else await refused('session.refuse')
    return result
  }

  app.post(
    '/api/v1/oms/login/',
    {
      config: { public: true },
      bodyLimit: loginBody,
      schema: { security: [], body: LoginBody, response: { 200: LoginAnswer, '4xx': Problem } },
    },
    async (request) => {
      const { email, password } = request.body
      const token = await attempt(request, email, failed, async () => {
        // Also if the demo data was loaded after this server began.
        const isDemo = email.trim().toLowerCase() === demoLogin.email
        if (isDemo && !(await demoLoginFor(request, deps))) return null
        const browser = browserOf(request.headers['user-agent'])
        return logIn(engine, email, password, sourceOf(request, now()), browser)
      })
      if (typeof token !== 'string') throw new HttpError(401, failed)
      return { token }
    },
  )

  app.post(
    '/api/v1/oms/password/',
    {
      bodyLimit: loginBody,
      schema: { body: PasswordBody, response: { 204: Type.Null(), '4xx': Problem } },
    },
    async (request, reply) => {
      const staff = staffOf(request)
      if (staff.email === deps.demoLogin?.email)
        throw new HttpError(403, 'The password of the demo login cannot be changed.')
      const fault = passwordFault(request.body.password)
      if (fault) throw fieldError('password', fault)
      const isDone = await attempt(request, staff.email, tooMany, () =>
        changePassword(engine, staff, request.body, sourceOf(request, now())),
      )
      if (!isDone) throw fieldError('current', 'The current password is wrong.')
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/api/v1/oms/sessions/',
    { schema: { response: { 200: Sessions, '4xx': Problem } } },
    async (request) => ({ results: await sessionsOf(engine, staffOf(request), now()) }),
  )

  app.post(
    '/api/v1/oms/sessions/end/',
    { schema: { body: EndSessionBody, response: { 204: Type.Null(), '4xx': Problem } } },
    async (request, reply) => {
      await endSessions(engine, staffOf(request), request.body.session, sourceOf(request, now()))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/v1/oms/logout/',
    { schema: { response: { 204: Type.Null(), '4xx': Problem } } },
    async (request, reply) => {
      await logOut(engine, staffOf(request), sourceOf(request, now()))
      return reply.code(204).send(null)
    },
  )
}
