import { list, mutate } from './client.ts'
import type { Blog } from './contract.ts'

export const listBlogs = list<Blog>('blogs', 'blogs-adm/')
export const createBlog = (fields: unknown, key: string) => mutate('blog/create/', key, fields)
export const updateBlog = (id: string, change: unknown, key: string) =>
  mutate(`blogs/${encodeURIComponent(id)}/update/`, key, change)
