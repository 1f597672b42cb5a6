import { expect, test } from 'vitest'
import { explainAddress } from '../../server/address.ts'
import { explain } from '../../server/operator-error.ts'

const refused = (code: string, port: number) =>
  explain(explainAddress(Object.assign(new Error(`listen ${code}`), { code }), { port, host: '127.0.0.1' }))

test('a port that is in use is never recommended', () => {
  expect(refused('EADDRINUSE', 4321)).toMatch(/^Port 4321 is in use\. .+: PORT=4322 npm start$/)
  expect(refused('EADDRINUSE', 4322)).toMatch(/^Port 4322 is in use\. .+: PORT=4323 npm start$/)
})

test('a port below 1024 that the system user may not use is refused with a sentence', () => {
  expect(refused('EACCES', 80)).toMatch(/^This system user may not use port 80\. .+ reverse proxy/)
})

test('any other error of listening stays as it is', () => {
  expect(refused('EMFILE', 4321)).toMatchObject({ message: 'listen EMFILE' })
})
