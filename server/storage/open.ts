import type { Config } from '../config.ts'
import { diskStore } from './disk.ts'
import { s3Store } from './s3-store.ts'
import type { Store } from './store.ts'

/** The storage that the options choose. */
export function openStore({ s3, dataFolder }: Pick<Config, 's3' | 'dataFolder'>): Store {
  return s3 ? s3Store(s3) : diskStore(dataFolder)
}
