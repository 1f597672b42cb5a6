import { afterEach, expect, test, vi } from 'vitest'
import * as seals from '../../server/audit/seals.ts'
import * as partitions from '../../server/db/partitions.ts'
import { keepHouse } from '../../server/housekeeping.ts'
import * as sessions from '../../server/queries/sessions.ts'
import * as expire from '../../server/storage/expire.ts'
import { openTestEngine } from '../support/engines.ts'
import { someTime } from '../support/server.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const failWith = (text: string) => () => Promise.reject(new Error(text))

test('a part of the cleanup that fails does not stop the others, and the first error is thrown at the end', async () => {
  const engine = await openTestEngine('sqlite')
  vi.spyOn(sessions, 'forgetSessions').mockImplementation(failWith('sessions'))
  vi.spyOn(seals, 'sealAudit').mockImplementation(failWith('seals'))
  vi.spyOn(expire, 'expireUploads').mockImplementation(failWith('uploads'))
  vi.spyOn(partitions, 'beginMonth').mockImplementation(failWith('month'))
  await expect(keepHouse(engine, '/nonexistent', someTime)).rejects.toThrow('sessions')
  const errors: string[] = []
  await keepHouse(engine, '/nonexistent', someTime, null, (error) => void errors.push(String(error)))
  expect(errors).toEqual(['Error: sessions', 'Error: seals', 'Error: uploads', 'Error: month'])
  await engine.close()
})

test('the cleanup resolves to the new seal even if another part fails', async () => {
  const engine = await openTestEngine('sqlite')
  await engine.db.insertInto('audit_events').values({ at: someTime, event: 'session.login', n: 1 }).execute()
  vi.spyOn(partitions, 'beginMonth').mockImplementation(failWith('month'))
  const failed = vi.fn()
  expect(await keepHouse(engine, '/nonexistent', someTime, null, failed)).toMatchObject({ id: 1, n: 1 })
  expect(failed).toHaveBeenCalledOnce()
  await engine.close()
})
