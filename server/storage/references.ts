import { objectsPath } from './names.ts'

/** A picture in this storage that a record shows, and the token in its address. */
export interface Reference {
  name: string
  token: string
}

/** Null if the text is no address in this storage. */
export function referenceIn(text: string): Reference | null {
  if (!text.startsWith(`${objectsPath}/`)) return null
  const { pathname, searchParams } = new URL(text, 'http://localhost')
  try {
    const name = decodeURIComponent(pathname.slice(objectsPath.length + 1))
    return { name, token: searchParams.get('token') ?? '' }
  } catch {
    return null
  }
}
