import { createBlog, updateBlog } from '../api/blogs.ts'
import { text } from '../format.ts'
import type { Records } from './command.ts'
import type { Form } from './form.ts'
import { writtenCommands } from './written.ts'

type Blog = Records['blog']

/** S2.o.5; it closes on failure too (S4.8), and says nothing (S8.11). */
export const blogForm = {
  noun: 'blog',
  path: '/blogs',
  title: (blog) => (blog ? 'Edit Blog' : 'Create Blog'),
  fields: () => [
    { name: 'title', label: 'Title', kind: 'text' },
    { name: 'sub_title', label: 'Sub title', kind: 'text' },
    { name: 'content', label: 'Content', kind: 'textarea' },
    { name: 'image', label: 'Cover image', kind: 'image', folder: 'uploads', isEager: true },
  ],
  values: (blog) => ({
    title: text(blog?.title),
    sub_title: text(blog?.sub_title),
    content: text(blog?.content),
    image: text(blog?.image),
  }),
  nameOf: ({ title }) => text(title),
  save: ({ title, sub_title, content, image }, blog, key) => {
    // S7.26, S7.27
    const fields = { title, sub_title, content, image }
    return blog
      ? updateBlog(text(blog.id), { ...fields, version: blog.version }, key)
      : createBlog(fields, key)
  },
  button: { ready: 'Continue', sending: 'Processing...' },
  closes: 'always',
  closesOnBackdrop: false,
} satisfies Form<Blog>

export const blogCommands = writtenCommands({
  form: blogForm,
  what: 'blog',
  nameOf: (blog) => text(blog.title) || text(blog.id),
  update: updateBlog,
})
