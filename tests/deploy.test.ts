import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (...path: string[]) => readFileSync(join(...path), 'utf8')
const files = readdirSync('deploy').map((name) => ({ name, text: read('deploy', name) }))
const deployed = (name: string) => files.find((file) => file.name === name)?.text ?? ''
const valuesOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, value = '']) => value)
const [program, service, compose] = [read('package.json'), deployed('oms.service'), deployed('compose.yaml')]

test('the files for deployment name only options and paths that exist (reliability 32)', () => {
  const config = read('server', 'config.ts')
  for (const { name, text } of files)
    for (const option of valuesOf(text, /\b(OMS_[A-Z0-9_]+|DATABASE(?:_READ)?_URL)\b/g))
      expect(config, `${option} in ${name}`).toContain(`'${option}'`)
  const copied = valuesOf(deployed('Dockerfile'), /^COPY --from=build (.+) \S+$/gm).flatMap((paths) =>
    paths.split(' ').map((path) => path.replace('/opt/oms/', '')),
  )
  expect(copied).toContain('server')
  for (const path of copied)
    expect(existsSync(path) || /^(dist|dist-server|node_modules)$/.test(path), path).toBe(true)
  expect(read('server', 'routes', 'meta.ts')).toContain(
    `'${/\/[a-z]+z\b/.exec(deployed('Dockerfile'))?.[0]}'`,
  )
})

test('the service and the image start the same program as npm start, with the same Node, and wait until it has stopped', () => {
  const [start = ''] = valuesOf(program, /"start": "(?:\w+=\S+ )+node (.+)"/g)
  expect(valuesOf(service, /^ExecStart=\/opt\/oms\/node_modules\/node\/bin\/node (.+)$/gm)).toEqual([start])
  const inImage = ['node', ...start.split(' ')].map((word) => `"${word}"`).join(', ')
  expect(deployed('Dockerfile')).toContain(`\nCMD [${inImage}]\n`)
  const [version = ''] = valuesOf(program, /"node": "(\d.+)"/g)
  expect(valuesOf(deployed('Dockerfile'), /^FROM node:([\d.]+)-/gm)).toEqual([version, version])
  const waits = [
    ...valuesOf(service, /^TimeoutStopSec=(\d+)$/gm),
    ...valuesOf(compose, /^ {2}oms:\n(?: {4}.*\n)*? {4}stop_grace_period: (\d+)s$/gm),
  ]
  // The server itself waits for up to 10 seconds (reliability 29).
  expect(waits.map((seconds) => Number(seconds) > 10)).toEqual([true, true])
})

test('the server, the demo loader and restore give freed memory back, however they are started (reliability 34)', () => {
  const starts = [
    ...['start', 'demo', 'restore'].map((name) => new RegExp(`"${name}": "(.+)"`).exec(program)?.[1]),
    /^Environment=(.+)$/m.exec(service)?.[1],
    /^ENV (.+)$/m.exec(deployed('Dockerfile'))?.[1],
  ]
  for (const settings of starts)
    expect(settings?.split(' ')).toEqual(
      expect.arrayContaining(['MALLOC_ARENA_MAX=2', 'MALLOC_TRIM_THRESHOLD_=1048576']),
    )
})

test('the service keeps compiled code where it may write, so that its next start is faster', () => {
  const [folder] = valuesOf(service, /^Environment=.*\bNODE_COMPILE_CACHE=(\S+)$/gm)
  expect(valuesOf(service, /^CacheDirectory=(\S+)$/gm).map((name) => `/var/cache/${name}`)).toEqual([folder])
})

test('the backup of a machine that starts waits for the network and PostgreSQL, as the server does', () => {
  const order = /^((?:Wants|After)=.*)$/gm
  expect(valuesOf(deployed('oms-backup.service'), order)).toEqual(valuesOf(service, order))
  expect(valuesOf(service, order)).toContain('After=network-online.target postgresql.service')
})
