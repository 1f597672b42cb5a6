import { verifyAudit } from '../audit/verify.ts'
import type { Engine } from '../db/engine.ts'
import type { Finding } from './finding.ts'

/** Rows of the audit that are missing or differ from what was sealed. */
export async function* checkAudit(engine: Engine): AsyncGenerator<Finding> {
  for (const what of (await verifyAudit(engine)).findings)
    yield {
      what: what.replace(/\.$/, ''),
      todo: 'Somebody has changed the audit in the database. Compare with the newest backup: npm run restore -- FILE into another place.',
    }
}
