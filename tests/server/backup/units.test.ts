import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the backup of a machine that starts waits for the network and PostgreSQL, as the server does', () => {
  const orderOf = (unit: string) =>
    readFileSync(join('deploy', unit), 'utf8').match(/^(?:Wants|After)=.*$/gm) ?? []
  expect(orderOf('oms-backup.service')).toEqual(orderOf('oms.service'))
  expect(orderOf('oms.service')).toContain('After=network-online.target postgresql.service')
})
