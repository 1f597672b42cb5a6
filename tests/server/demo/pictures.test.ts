import { describe, expect, test } from 'vitest'
import { picture } from '../../../server/demo/pictures.ts'

describe('a picture of the demo data', () => {
  test('shows a name as text, also with XML characters in it', () => {
    const name = `<script>"O'Neil" & ]]>\u0000`
    const drawn = picture(`/demo/driver/7/id-front/${encodeURIComponent(name)}.svg`)
    expect(drawn).not.toContain('<script>')
    expect(drawn).not.toContain('\u0000')
    expect(drawn).toContain('&#60;script&#62;')
  })

  test('of an identity card or licence is marked as a specimen', () => {
    for (const file of ['id-front/Amina%20Yusuf', 'id-back', 'license/Amina%20Yusuf'])
      expect(picture(`/demo/driver/7/${file}.svg`)).toContain('>SPECIMEN<')
  })

  test.each([
    '/demo/driver/0/portrait.svg',
    '/demo/driver/7/passport.svg',
    '/demo/driver/7/id-front/%E0%A4%A.svg',
    '/demo/driver/7/id-front/a/b.svg',
    '/demo/attraction/61.svg',
    '/demo/blog/25.svg',
    '/demo/attraction/1.svg?x',
    '/demo/../server/main.ts',
    '',
  ])('of %j does not exist', (path) => {
    expect(picture(path)).toBeNull()
  })
})
