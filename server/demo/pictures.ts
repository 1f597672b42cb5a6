import attractions from './data/attractions-ke.json' with { type: 'json' }
import blogs from './data/blogs-ke.json' with { type: 'json' }
import { idBack, idFront, license } from './papers.ts'
import { portrait } from './portrait.ts'
import { poster } from './poster.ts'
import { svg } from './svg.ts'

/** The SVG for an image path of the demo data (percent-encoded, as stored). Null for any other path. */
export function picture(path: string): string | null {
  const [, numberOfDriver, driverFile = ''] = /^\/demo\/driver\/([1-9]\d{0,8})\/(.+)\.svg$/.exec(path) ?? []
  if (numberOfDriver) return ofDriver(Number(numberOfDriver), driverFile)
  const [, noun, number] = /^\/demo\/(attraction|blog)\/([1-9]\d{0,8})\.svg$/.exec(path) ?? []
  const subject = (noun === 'blog' ? blogs.blogs : attractions.attractions)[Number(number) - 1]
  return subject ? poster(subject.icon, subject.palette, Number(number)) : null
}

function ofDriver(id: number, file: string): string | null {
  if (file === 'portrait') return svg(240, 240, portrait(id))
  if (file === 'id-back') return idBack(id)
  const [, paper, encoded] = /^(id-front|license)\/([^/]+)$/.exec(file) ?? []
  const name = decode(encoded)
  if (name === null) return null
  return paper === 'license' ? license(id, name) : idFront(id, name)
}

function decode(encoded: string | undefined): string | null {
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded)
  } catch {
    return null
  }
}
