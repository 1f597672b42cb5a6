import { fold } from '../fold.ts'
import { day } from './clock.ts'
import type { Write } from './world.ts'

const dispatcher = 'dispatcher'
const colleagues = [
  'operations.lead',
  'wanjiku.kamau',
  'otieno.odhiambo',
  'amina.hassan',
  'kiprono.kirui',
  'mutua.musyoka',
  'support.mombasa',
  'finance',
  'grace.moraa',
  'abdi.noor',
  'night.desk',
  'content',
]

export const staffCount = 1 + colleagues.length

/** Stored in place of a password hash. No password matches it. */
export const noPassword = 'none'

/** Writes the staff. Only the dispatcher has a password and can sign in. */
export function writeStaff(write: Write, now: number, passwordHash: string): void {
  for (const [index, name] of [dispatcher, ...colleagues].entries()) {
    const email = `${name}@twende.test`
    write('staff', {
      id: index + 1,
      email,
      password_hash: index === 0 ? passwordHash : noPassword,
      date_joined: now - (920 - index * 67) * day,
      disabled: 0,
      search: fold(email),
    })
  }
}
