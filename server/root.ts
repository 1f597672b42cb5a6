import { join } from 'node:path'

/** The folder of the program. The built server lies one level below it too, in dist-server. */
export const root = join(import.meta.dirname, '..')
