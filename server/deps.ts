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
    | 'product'
    | 'apiHost'
    | 'authScheme'
    | 'logLevel'
    | 'dataFolder'
    | 'uploadLimit'
    | 'firebase'
    | 'mapsKey'
    | 'host'
    | 'hosts'
    | 'trustProxy'
  >
  engine: Engine
  /** Of a database that holds the demo data; `demoLoginFor` says who may use it. */
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
