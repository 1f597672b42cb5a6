import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { compileCache } from './run-folder.ts'

const repository = join(import.meta.dirname, '..', '..')

/** Copies the demo data into a new data folder. The data are made once for each test run. */
export async function newDemoFolder(): Promise<string> {
  const made = join(tmpdir(), 'demo-data')
  if (!existsSync(made)) {
    const fresh = mkdtempSync(join(tmpdir(), 'demo-data-'))
    await promisify(execFile)(process.execPath, ['server/demo/cli.ts', '--drivers', '1200'], {
      cwd: repository,
      env: {
        PATH: process.env['PATH'],
        OMS_DATA: fresh,
        ...compileCache(),
      },
    })
    try {
      renameSync(fresh, made)
    } catch (error) {
      // Another worker may have made the folder first; any other error is thrown.
      if (!existsSync(made)) throw error
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'twende-e2e-'))
  cpSync(made, folder, { recursive: true })
  return folder
}
