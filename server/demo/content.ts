import { fold } from '../fold.ts'
import { day, timeline } from './clock.ts'
import attractions from './data/attractions-ke.json' with { type: 'json' }
import blogs from './data/blogs-ke.json' with { type: 'json' }
import type { World, Write } from './world.ts'

/** Writes attractions and blog posts. A few of them are deleted. */
export function writeContent({ now }: World, write: Write): void {
  const { attractions: sights } = attractions
  const sightAt = timeline({ count: sights.length, span: 700 * day, growth: 1, rhythm: 'office', now })
  for (const [index, { name, description, place, lat, lng }] of sights.entries()) {
    write('attractions', {
      ...written(index, sightAt(index), name),
      name,
      description,
      image: `/demo/attraction/${index + 1}.svg`,
      place_name: place,
      lat,
      lng,
    })
  }
  const { blogs: posts } = blogs
  const postAt = timeline({ count: posts.length, span: 500 * day, growth: 1, rhythm: 'office', now })
  for (const [index, { title, sub_title, content }] of posts.entries()) {
    const image = `/demo/blog/${index + 1}.svg`
    write('blogs', {
      ...written(index, postAt(index), `${title} ${sub_title}`),
      title,
      sub_title,
      content,
      image,
    })
  }
}

/** The columns that all records written by staff have. */
export function written(index: number, created_at: number, text: string) {
  const deleted: 0 | 1 = index % 20 === 7 ? 1 : 0
  return { id: index + 1, created_at, search: fold(text), deleted, version: 1 }
}
