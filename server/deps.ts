import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Config } from './config.ts'
import type { Engine, Replica } from './db/engine.ts'

/** The parameters of every route function. */
export interface Deps {
  config: Pick<
    Config,
    | 'product'
    | 'apiHost'
    | 'authScheme'
    | 'logLevel'
    | 'dataFolder'
    | 's3'
    | 'uploadLimit'
    | 'minFree'
    | 'metricsToken'
    | 'firebase'
    | 'mapsKey'
    | 'host'
    | 'hosts'
    | 'origins'
    | 'trustProxy'
  >
  engine: Engine
  /** Null unless DATABASE_READ_URL names one. `readFor` decides what it answers. */
  replica: Replica | null
  /** Null unless the database holds the demo data. `demoLoginFor` decides which requests may use it. */
  demoLogin: { email: string; password: string } | null
  now: () => number
  /** How many are under way. */
  running: { exports: number; uploads: number }
}

/** A Fastify app that infers the types of handlers from their schemas. */
export type TypedApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>
