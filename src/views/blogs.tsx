import type { Blog } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { blog as noun } from '../commands/nouns/blog.ts'
import { text } from '../format.ts'
import styles from './blogs.module.css'
import { listScreen } from './screen.tsx'
import { CreateButton, EditAndDelete } from './written.tsx'

/** S2.o */
export const blogs = listScreen<Blog>({
  noun,
  title: 'Blogs',
  loading: 'Loading....',
  empty: 'No blogs to shows',
  actions: <CreateButton noun={noun} label="Create Blog" />,
  card: (blog) => <BlogCard blog={blog} />,
})

/** S2.o.3; content is plain text with line breaks, never HTML. */
function BlogCard({ blog }: { blog: Row<Blog> }) {
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
        <EditAndDelete noun={noun} row={blog} />
      </footer>
    </article>
  )
}
