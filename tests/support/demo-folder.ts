import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { compileCache } from './run-folder.ts'

const repository = join(import.meta.dirname, '..', '..')

/** A data folder of its own with the demo data of a first run, which is made once for each test run and then copied. */
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
      // The other worker was sooner.
      if (!existsSync(made)) throw error
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'twende-e2e-'))
  cpSync(made, folder, { recursive: true })
  return folder
}
