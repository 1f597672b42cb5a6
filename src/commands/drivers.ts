import { suspendDriver, unfreezeDriver } from '../api/drivers.ts'
import { text } from '../format.ts'
import { navigate } from '../state/location.ts'
import { copyText } from './clipboard.ts'
import type { Command, Context, Records } from './command.ts'
import type { Mutation } from './run.ts'
import { runAll } from './run.ts'

type Driver = Records['driver']

/** S8.1, S8.8: one text for every failure, as the specification has it. */
const failed = 'An error occured!. Driver could not be unsuspended'

export const driverRecord = (driver: Driver) => `driver:${text(driver.id)}`
export const driverHref = (id: unknown) => text(id) && `/riders/${encodeURIComponent(text(id))}`

const hasId = (driver: Driver) => text(driver.id) !== ''
const suspendable = (driver: Driver) => hasId(driver) && driver.deleted !== true
const nameOf = (driver: Driver) => text(driver.user?.fullname) || `driver ${text(driver.id)}`

/** S7.7, S4.3 */
export const suspend: Command = {
  id: 'driver.suspend',
  noun: 'driver',
  about: 'Suspend the driver',
  title: (context) => `Suspend ${namesOf(context, suspendable)}`,
  keywords: 'block freeze ban',
  keys: 's',
  when: (context) => pick(context, suspendable).length > 0,
  run: (context) => setAll(context, suspendable, true),
}

/** S7.8 */
export const unsuspend: Command = {
  id: 'driver.unsuspend',
  noun: 'driver',
  about: 'Unsuspend the driver',
  title: (context) => `Unsuspend ${namesOf(context, isSuspended)}`,
  keywords: 'unfreeze unblock restore',
  keys: 'u',
  when: (context) => pick(context, isSuspended).length > 0,
  run: (context) => setAll(context, isSuspended, false),
}

const openDriver: Command = {
  id: 'driver.open',
  noun: 'driver',
  about: 'Open the driver',
  title: (context) => `Open ${namesOf(context, hasId)}`,
  keywords: 'detail profile show',
  when: (context) => {
    const [driver, ...others] = pick(context, hasId)
    return driver !== undefined && others.length === 0 && context.path !== driverHref(driver.id)
  },
  run: (context) => {
    const [driver] = pick(context, hasId)
    if (driver) navigate(driverHref(driver.id))
  },
}

const copyPhone: Command = {
  id: 'driver.copyPhone',
  noun: 'driver',
  about: "Copy the driver's phone number",
  title: (context) => `Copy phone number of ${namesOf(context, hasPhone)}`,
  keywords: 'clipboard telephone mobile call',
  when: (context) => pick(context, hasPhone).length === 1,
  run: async (context) => {
    const [driver] = pick(context, hasPhone)
    const number = `+${text(driver?.user?.phone_number).replace(/^\++/, '')}`
    await copyText(`Copy phone number ${number}`, number)
  },
}

export const driverCommands = [suspend, unsuspend, openDriver, copyPhone]

function isSuspended(driver: Driver): boolean {
  return hasId(driver) && driver.deleted === true
}

function hasPhone(driver: Driver): boolean {
  return text(driver.user?.phone_number) !== ''
}

function pick({ targets }: Context, fits: (driver: Driver) => boolean): Driver[] {
  return targets.driver?.filter(fits) ?? []
}

function namesOf(context: Context, fits: (driver: Driver) => boolean): string {
  const [first, ...rest] = pick(context, fits)
  if (!first) return 'driver'
  return rest.length ? `${rest.length + 1} drivers` : nameOf(first)
}

function setSuspended(driver: Driver, suspended: boolean): Mutation {
  const call = suspended ? suspendDriver : unfreezeDriver
  return {
    id: suspended ? 'driver.suspend' : 'driver.unsuspend',
    record: driverRecord(driver),
    label: `${suspended ? 'Suspend' : 'Unsuspend'} ${nameOf(driver)}`,
    perform: (key) => call(text(driver.id), key),
    succeeded: (message) => message,
    failed,
    undo: () => setSuspended(driver, !suspended),
  }
}

async function setAll(
  context: Context,
  fits: (driver: Driver) => boolean,
  suspended: boolean,
): Promise<void> {
  await runAll(
    pick(context, fits).map((driver) => setSuspended(driver, suspended)),
    `${suspended ? 'Suspend' : 'Unsuspend'} ${namesOf(context, fits)}`,
  )
}
