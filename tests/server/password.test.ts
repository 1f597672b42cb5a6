import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { argon2Sync } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { askPassword } from '../../server/ask-password.ts'
import { hashPassword, passwordFault, verifyPassword } from '../../server/password.ts'

describe('a password hash', () => {
  let hash: string
  beforeAll(async () => {
    hash = await hashPassword('the right one')
  })

  test('is Argon2id with the cost that OWASP recommends, in PHC format (reliability 4)', () => {
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  })

  test('has its own salt and matches only its password', async () => {
    expect(await hashPassword('the right one')).not.toBe(hash)
    expect(await verifyPassword('the right one', hash)).toBe(true)
    for (const wrong of ['', 'the wrong one', 'the right on', 'the right one ', 'The right one'])
      expect(await verifyPassword(wrong, hash), wrong).toBe(false)
  })

  test('contains its cost, so that hashes with another cost still work', async () => {
    const nonce = Buffer.from('another salt here')
    const tag = argon2Sync('argon2id', {
      message: 'older',
      nonce,
      parallelism: 2,
      tagLength: 16,
      memory: 64,
      passes: 3,
    })
    const [salt, sum] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
    const older = `$argon2id$v=19$m=64,t=3,p=2$${salt ?? ''}$${sum ?? ''}`
    expect(await verifyPassword('older', older)).toBe(true)
    expect(await verifyPassword('newer', older)).toBe(false)
  })

  test.each([
    '',
    'none',
    'plain text',
    '$argon2id$',
    '$argon2i$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$AAAA',
    '$2b$10$abc',
  ])('that is invalid (%j) matches no password', async (broken) => {
    for (const password of ['', broken, 'the right one'])
      expect(await verifyPassword(password, broken)).toBe(false)
  })

  test('that is missing matches no password', async () => {
    expect(await verifyPassword('', undefined)).toBe(false)
    expect(await verifyPassword('the right one', undefined)).toBe(false)
  })

  test('takes as long to check when it is missing as when it does not match (reliability 4)', async () => {
    const fastest = async (given: string | undefined) => {
      let least = Infinity
      for (let round = 0; round < 15; round++) {
        const start = process.cpuUsage()
        await verifyPassword('wrong', given)
        const { user, system } = process.cpuUsage(start)
        least = Math.min(least, user + system)
      }
      return least
    }
    await verifyPassword('warm up', undefined)
    const [missing, wrong] = [await fastest(undefined), await fastest(hash)]
    expect(missing / wrong).toBeGreaterThan(0.5)
    expect(missing / wrong).toBeLessThan(2)
  })
})

test.each([
  [11, 'The password needs at least 12 characters.'],
  [12, null],
  [1024, null],
  [1025, 'The password may have at most 1024 characters.'],
])(
  'a new password of %d characters of one, two or four bytes has the fault %j (reliability 4)',
  (length, fault) => {
    for (const character of ['x', 'é', '🔑']) expect(passwordFault(character.repeat(length))).toBe(fault)
  },
)

test.each([
  ['twice the same', 'nywila ya siri 1\r', 'nywila ya siri 1\r', 'nywila ya siri 1'],
  ['two that differ', 'nywila ya siri 1\r', 'nywila ya siri 2\r', 'The two passwords differ.'],
  ['Ctrl+C', '\u0003', '', ''],
])('a password typed at a terminal is not shown: %s', async (_what, first, second, expected) => {
  const isRaw: boolean[] = []
  const setRawMode = (is: boolean) => {
    isRaw.push(is)
    return terminal
  }
  const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode })
  const shown = new PassThrough()
  const texts: string[] = []
  shown.on('data', (bytes: Buffer) => texts.push(bytes.toString()))
  const asked = askPassword(terminal, shown).catch((error: unknown) => String(error))
  terminal.write(first)
  if (second) await once(shown, 'data').then(() => new Promise(setImmediate))
  terminal.write(second)
  expect(await asked).toContain(expected)
  expect(texts.join('')).toContain('Password (at least 12 characters): ')
  expect(texts.join('')).not.toContain('nywila')
  // A terminal in raw mode does not show what is typed; afterwards it is as before.
  expect(isRaw).toEqual([true, false])
})
