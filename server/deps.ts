import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Config } from './config.ts'
import type { Engine } from './db/engine.ts'

/** What routes are given. */
export interface Deps {
  config: Pick<
    Config,
    'product' | 'apiHost' | 'authScheme' | 'logLevel' | 'dataFolder' | 'uploadLimit' | 'firebase' | 'mapsKey'
  >
  engine: Engine
  /** Set where the demo data is loaded and only this machine can connect. */
  demoLogin: { email: string; password: string } | null
  now: () => number
}

/** An app whose handlers are typed by their schemas. */
export type TypedApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>
