import { list } from './client.ts'
import type { SosLog } from './contract.ts'

export const listSosLogs = list<SosLog>('sos', 'sos-lists/')
