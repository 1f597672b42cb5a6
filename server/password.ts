import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'

/** In characters. */
const shortestPassword = 12
/** The most that a login accepts (`LoginBody`). */
const longestPassword = 1024

const memory = 19_456
const passes = 2
const parallelism = 1
const tagLength = 32

/** Argon2id in PHC form. The password is used unchanged: not trimmed, not normalised, not shortened. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive(password, nonce, { memory, passes, parallelism, tagLength })
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`
}

/** What is wrong with a new password; null if nothing is. */
export function passwordFault(password: string): string | null {
  const { length } = [...password]
  if (length < shortestPassword) return `The password needs at least ${shortestPassword} characters.`
  if (length > longestPassword) return `The password may have at most ${longestPassword} characters.`
  return null
}

/**
 * Takes the same time for a missing hash as for a wrong password, so that the time does not reveal whether an account
 * exists.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(
    hash ?? (await dummyHash),
  )
  if (!match) return false
  const [, m, t, p, salt = '', tag = ''] = match
  const expected = Buffer.from(tag, 'base64')
  const parameters = {
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    tagLength: expected.length,
  }
  const actual = await derive(password, Buffer.from(salt, 'base64'), parameters)
  return timingSafeEqual(actual, expected) && hash !== undefined
}

const dummyHash = hashPassword(randomBytes(16).toString('hex'))

interface Parameters {
  memory: number
  passes: number
  parallelism: number
  tagLength: number
}

function derive(password: string, nonce: Buffer, parameters: Parameters): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message: password, nonce, ...parameters }, (error, tag) => {
      if (error) reject(error)
      else resolve(tag)
    })
  })
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
