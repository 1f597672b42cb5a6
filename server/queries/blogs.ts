import type { Selectable } from 'kysely'
import type { Blog, BlogBody } from '../../src/api/contract.ts'
import type { Database } from '../db/schema.ts'
import { fold } from '../fold.ts'
import type { Columns } from './change.ts'
import type { Written } from './written.ts'
import { checkImage } from './written.ts'

/** S3.12 */
export const blogs: Written<Selectable<Database['blogs']>, Blog, BlogBody> = {
  noun: 'blog',
  label: 'blog',
  table: 'blogs',
  source: {
    table: 'blogs',
    orderings: { id: 'id' },
    filters: (engine, { s }) => (s ? [engine.contains('blogs', 'search', fold(s))] : []),
    rows: (db, ids) => db.selectFrom('blogs').selectAll().where('id', 'in', ids).execute(),
    answer: ({ id, title, sub_title, content, image, deleted, version }) => ({
      id,
      title,
      sub_title,
      content,
      image,
      deleted: deleted === 1,
      version,
    }),
  },
  columns: async (_trx, { image, ...texts }, before) => {
    const columns: Columns = { ...(before ? {} : { image: '' }), ...texts }
    if (image !== undefined) columns['image'] = checkImage(image)
    const { title = before?.title ?? '', sub_title = before?.sub_title ?? '' } = texts
    return Promise.resolve({ ...columns, search: fold(`${title} ${sub_title}`) })
  },
}
