import { Analytics, Problem } from '../../src/api/contract.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { readAnalytics } from '../queries/analytics.ts'

/** S7.2 */
export function registerAnalytics(app: TypedApp, { engine, config }: Deps): void {
  app.get('/api/v1/oms/analytics/', { schema: { response: { 200: Analytics, '4xx': Problem } } }, () =>
    readAnalytics(engine, config.product),
  )
}
