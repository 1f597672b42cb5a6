import type { Blog } from '../../api/contract.ts'
import { text } from '../../format.ts'
import { writtenNoun } from '../written.ts'

/** S2.o.5: its form closes after a failure too (S4.8); its changes show no toast (S8.11). */
export const blog = writtenNoun<Blog>({
  name: 'blog',
  singular: 'blog',
  plural: 'blogs',
  words: ['article', 'articles', 'post', 'posts', 'makala', 'blogu'],
  path: '/blogs',
  calls: { collection: 'blogs', list: 'blogs-adm/', create: 'blog/create/', update: 'blogs/{id}/update/' },
  nameOf: (row) => text(row.title) || text(row.id),
  form: {
    noun: 'blog',
    title: (record) => (record ? 'Edit Blog' : 'Create Blog'),
    fields: () => [
      { name: 'title', label: 'Title', kind: 'text' },
      { name: 'sub_title', label: 'Sub title', kind: 'text' },
      { name: 'content', label: 'Content', kind: 'textarea', rows: 8 },
      { name: 'image', label: 'Cover image', kind: 'image', folder: 'uploads', isEager: true },
    ],
    values: (record) => ({
      title: text(record?.title),
      sub_title: text(record?.sub_title),
      content: text(record?.content),
      image: text(record?.image),
    }),
    nameOf: ({ title }) => text(title),
    // S7.26, S7.27
    fieldsOf: ({ title, sub_title, content, image }) => ({ title, sub_title, content, image }),
    button: { ready: 'Continue', sending: 'Processing...' },
    closes: 'always',
    closesOnBackdrop: false,
  },
})
