import { list } from './client.ts'
import type { DriverInvite } from './contract.ts'

export const listInvites = list<DriverInvite>('invites', 'driver-invites/')
