import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Deps, TypedApp } from '../deps.ts'
import { freeBytes } from '../disk-space.ts'
import type { Sample } from '../metrics.ts'
import { durations, textOf } from '../metrics.ts'
import { onlyOperators } from './probes.ts'

/** In milliseconds: how often the delay of the event loop is measured. A measured value contains it. */
const resolution = 10

/** `/metrics`, for Prometheus. Labels have only the patterns of routes, never an address, a name or a token. */
export function registerMetrics(app: TypedApp, deps: Deps): void {
  const { config, engine, replica, running } = deps
  const requests = durations('oms_request_duration_seconds', 'Answered requests by route and status.')
  const refusals = { wrong: 0, limit: 0 }
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  app.addHook('onClose', async () => {
    delay.disable()
    return Promise.resolve()
  })
  app.addHook(
    'onResponse',
    ({ method, routeOptions: { url = '(none)' } }, { statusCode, elapsedTime }, done) => {
      requests.add({ method, route: url, status: statusCode }, elapsedTime / 1000)
      if (url === '/api/v1/oms/login/' && statusCode === 401) refusals.wrong++
      if (url === '/api/v1/oms/login/' && statusCode === 429) refusals.limit++
      done()
    },
  )

  const delays = (): Sample[] => {
    const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolution / 1000)
    const samples = [
      { labels: { quantile: '0.5' }, value: seconds(delay.percentile(50)) },
      { labels: { quantile: '0.99' }, value: seconds(delay.percentile(99)) },
      { labels: { quantile: '1' }, value: seconds(delay.max) },
    ]
    delay.reset()
    return samples
  }
  const one = (value: number | null): Sample[] => (value === null ? [] : [{ value }])
  const states = (counts: Record<string, number>) =>
    Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }))
  const gauge = (name: string, help: string, samples: Sample[]) => textOf(name, 'gauge', help, samples)

  app.get('/metrics', {
    config: { public: true, anyHost: true },
    onRequest: onlyOperators(deps),
    schema: { hide: true },
    handler: async (_request, reply) => {
      const size = await Promise.race([engine.size().catch(() => null), wait(1000, null, { ref: false })])
      const sockets = await promisify(app.server.getConnections.bind(app.server))()
      return reply
        .type('text/plain; version=0.0.4; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(
          [
            requests.text(),
            textOf(
              'oms_login_refusals_total',
              'counter',
              'Refused logins: wrong password, or too many attempts.',
              [
                { labels: { reason: 'wrong' }, value: refusals.wrong },
                { labels: { reason: 'limit' }, value: refusals.limit },
              ],
            ),
            gauge('oms_exports_running', 'Exports under way.', one(running.exports)),
            gauge('oms_uploads_running', 'Requests of uploads under way.', one(running.uploads)),
            gauge('oms_connections', 'Open connections of clients.', one(sockets)),
            gauge(
              'oms_database_up',
              'Whether the database has answered within a second.',
              one(size === null ? 0 : 1),
            ),
            gauge('oms_database_size_bytes', 'Size of the database.', one(size)),
            gauge(
              'oms_database_connections',
              'Connections to PostgreSQL, and requests that wait for one.',
              states(engine.connections()),
            ),
            gauge(
              'oms_replica_lag_seconds',
              'How far the replica of DATABASE_READ_URL is behind, at most.',
              one(replica && replica.lag() / 1000),
            ),
            gauge(
              'oms_disk_free_bytes',
              'Free space on the disk of OMS_DATA.',
              one(await freeBytes(config.dataFolder)),
            ),
            gauge(
              'oms_event_loop_delay_seconds',
              'Delay of the event loop since the last reading.',
              delays(),
            ),
            gauge('process_resident_memory_bytes', 'Memory of the process.', one(process.memoryUsage.rss())),
            gauge(
              'process_start_time_seconds',
              'When the process was started.',
              one(performance.timeOrigin / 1000),
            ),
          ].join(''),
        )
    },
  })
}
