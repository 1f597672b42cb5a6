import { describe, expect, test } from 'vitest'
import { Blog } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { read, useServer } from '../../support/server.ts'
import { bodyOf } from '../../support/written-kinds.ts'

const oms = '/api/v1/oms'

describe.each(engines)('blogs on %s', (name) => {
  const server = useServer(name)

  test('a blog’s image can be removed (S2.o.5)', async () => {
    const blog = bodyOf('blog')
    const { id } = read(await server().send(`${oms}/blog/create/`, blog), Blog)
    const answer = await server().send(`${oms}/blogs/${id}/update/`, { image: '' })
    expect(read(answer, Blog)).toMatchObject({ ...blog, image: '' })
  })
})
