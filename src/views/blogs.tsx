import { listBlogs } from '../api/blogs.ts'
import type { Blog } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { blogCommands, blogForm } from '../commands/blogs.ts'
import { recordOf } from '../commands/form.ts'
import { text } from '../format.ts'
import styles from './blogs.module.css'
import { listScreen } from './screen.tsx'
import { CommandButton } from './ui/command-button.tsx'

const { create, edit, remove } = blogCommands

/** S2.o */
export const blogs = listScreen<Blog>({
  path: '/blogs',
  title: 'Blogs',
  load: listBlogs,
  record: (blog) => recordOf(blogForm, blog),
  targets: (blog) => ({ blog }),
  commands: [create, edit, remove],
  loading: 'Loading....',
  empty: 'No blogs to shows',
  actions: (
    <CommandButton
      command={create}
      targets={{}}
      label="Create Blog"
      record={recordOf(blogForm, null)}
      opensForm
      kind="primary"
    />
  ),
  card: (blog) => <BlogCard blog={blog} />,
})

/** S2.o.3; content is plain text with line breaks, never HTML. */
function BlogCard({ blog }: { blog: Row<Blog> }) {
  const button = { targets: { blog: [blog] }, record: recordOf(blogForm, blog) }
  const title = text(blog.title)
  return (
    <article className={styles.blog} aria-label={title}>
      <h2>{title}</h2>
      {text(blog.image) ? (
        <img src={text(blog.image)} alt={`Cover of ${title}`} loading="lazy" />
      ) : (
        <div className={styles.none} role="img" aria-label="No cover image" />
      )}
      <h3>{text(blog.sub_title)}</h3>
      <p>{text(blog.content)}</p>
      <footer>
        <CommandButton {...button} command={edit} label="Edit" opensForm />
        <CommandButton {...button} command={remove} label="Delete" />
      </footer>
    </article>
  )
}
