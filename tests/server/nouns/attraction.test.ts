import { beforeAll, describe, expect, test } from 'vitest'
import { Attraction, Page } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildAttraction } from '../../support/factories.ts'
import { read, readProblem, useServer } from '../../support/server.ts'
import { bodyOf } from '../../support/written-kinds.ts'

const oms = '/api/v1/oms'

describe.each(engines)('attractions on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })
  beforeAll(() => buildAttraction(server().engine, { id: 73, deleted: 1 }))

  test('the call for one attraction gives the same record as the list (S7.18, S3.11)', async () => {
    const pillar = { name: 'Vasco da Gama Pillar', description: 'Since 1498.', image: '/files/pillar.jpg' }
    const { id } = await buildAttraction(server().engine, { ...pillar, version: 3 })
    const [listed] = read(await server().get(`${oms}/attractions/all/?s=vasco`), Page(Attraction)).results
    expect(listed).toMatchObject({ id, ...pillar, version: 3 })
    expect(read(await server().get(`${oms}/attractions/all/${id}/`), Attraction)).toEqual(listed)
    expect(read(await server().get(`${oms}/attractions/all/${id}`), Attraction)).toEqual(listed)
  })

  test.each(['73', '4711', '0', '-1', '1.5', '1e1', 'abc', '%00', '9'.repeat(16), '9'.repeat(400)])(
    'the deleted or unknown attraction %s gets 404 (S7.18, S4.7; reliability 27)',
    async (id) => {
      readProblem(await server().get(`${oms}/attractions/all/${id}/`), 404)
    },
  )

  test('the image of an attraction is kept if the update sends an empty one (S7.20)', async () => {
    const { id } = await buildAttraction(server().engine, { image: '/files/a.png' })
    const answer = await server().send(`${oms}/attractions/all/${id}/`, { name: 'Gedi', image: '' })
    expect(read(answer, Attraction)).toMatchObject({ name: 'Gedi', image: '/files/a.png' })
  })

  test.each([
    ['-1.286389', 36.817223],
    [0, '0'],
    ['-90', '-180'],
    ['90.000000', '180.000000'],
    [1.23456789, '-0.0000004'],
    ['-4.06250049', 39.6795],
  ])(
    'an attraction at %s, %s is stored with six decimals and the same place (S3.11, S5.2, S9.5)',
    async (lat, lng) => {
      const body = { ...bodyOf('attraction'), location: { placeName: 'Somewhere' }, lat, lng }
      const answer = read(await server().send(`${oms}/attraction/create/oms/`, body), Attraction)
      expect([answer.lat, answer.lng]).toEqual([Number(lat).toFixed(6), Number(lng).toFixed(6)])
      expect([answer.location.lat, answer.location.lng]).toEqual([Number(lat), Number(lng)])
    },
  )

  test('a new location without coordinates sets the coordinates of the location (S3.11)', async () => {
    const { id } = await buildAttraction(server().engine)
    const location = { placeName: 'Watamu', lat: -3.35, lng: '40.020000' }
    const answer = read(await server().send(`${oms}/attractions/all/${id}/`, { location }), Attraction)
    expect(answer).toMatchObject({
      lat: '-3.350000',
      lng: '40.020000',
      location: { ...location, lng: 40.02 },
    })
  })

  test('a deleted attraction can be changed and restored but not opened (S7.18, S4.7)', async () => {
    const { id } = await buildAttraction(server().engine, { deleted: 1 })
    const url = `${oms}/attractions/all/${id}/`
    read(await server().send(url, { name: 'Gedi' }), Attraction)
    readProblem(await server().get(url), 404)
    read(await server().send(url, { deleted: false }), Attraction)
    expect(read(await server().get(url), Attraction)).toMatchObject({ name: 'Gedi', deleted: false })
  })
})
