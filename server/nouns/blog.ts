import { sql } from 'kysely'
import type { BlogBody as Body } from '../../src/api/contract.ts'
import { Blog, BlogBody } from '../../src/api/contract.ts'
import type { EditableTable } from '../db/columns.ts'
import type { Columns } from '../queries/change.ts'
import { checkImage } from '../queries/edit.ts'
import { containsWords } from '../queries/words.ts'
import { defineNoun } from './noun.ts'

declare module '../db/schema.ts' {
  interface Database {
    blogs: EditableTable & { title: string; sub_title: string; content: string; image: string }
  }
}

/** S3.12 */
export const blog = defineNoun({
  name: 'blog',
  plural: 'blogs',
  table: 'blogs',
  list: { path: 'blogs-adm/', shape: Blog }, // S7.25
  orderings: { id: 'id' },
  search: { columns: ['title', 'sub_title'] },
  filters: (engine, { s }) => (s ? [containsWords(engine, 'blogs', s)] : []),
  found: {
    text: 'R.search',
    equals: ({ text }) => [{ rank: 'name', where: sql`lower(title) = ${text}` }],
  },
  rows: (db, ids) => db.selectFrom('blogs').selectAll().where('id', 'in', ids),
  answer: ({ id, title, sub_title, content, image, deleted, version }): Blog => ({
    id,
    title,
    sub_title,
    content,
    image,
    deleted: deleted === 1,
    version,
  }),
  edit: {
    create: { path: 'blog/create/', body: BlogBody }, // S7.26
    update: { path: 'blogs/:id/update/' }, // S7.27
    columns: async (_trx, { image, ...texts }: Partial<Body>, before) => {
      const columns: Columns = { ...(before ? {} : { image: '' }), ...texts }
      if (image !== undefined) columns['image'] = checkImage(image)
      return Promise.resolve(columns)
    },
  },
})
