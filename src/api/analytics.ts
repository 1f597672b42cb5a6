import { read } from './client.ts'
import type { Analytics } from './contract.ts'

export const readAnalytics = (signal: AbortSignal) => read<Analytics>('analytics/', signal)
