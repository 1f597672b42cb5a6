import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Check } from 'typebox/schema'
import { HttpError } from '../http-error.ts'

const OrNull = <Schema extends ReturnType<typeof Type.String>>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
// Printable characters only: a line break would inject another header.
const Header = Type.Optional(OrNull(Type.String({ maxLength: 1024, pattern: '^[\\x20-\\x7e]*$' })))

/** The metadata that a client may set; null removes a value. Type and size are read from the bytes. */
const Settings = Type.Object({
  cacheControl: Header,
  contentDisposition: Header,
  contentEncoding: Header,
  contentLanguage: Header,
  md5Hash: Type.Optional(OrNull(Type.String())),
  metadata: Type.Optional(Type.Union([Type.Record(Type.String(), OrNull(Type.String())), Type.Null()])),
})
type Settings = Static<typeof Settings>

/** Throws HttpError 400. */
export function readSettings(json: string): Settings {
  const value = parse(json)
  if (!Check(Settings, value)) throw new HttpError(400, 'The metadata is invalid.')
  return value
}

/** The stored metadata: standard fields under their wire names, and the custom fields of the client. */
export const Kept = Type.Object({
  texts: Type.Record(Type.String(), Type.String()),
  custom: Type.Record(Type.String(), Type.String()),
})
type Kept = Static<typeof Kept>

export function applySettings(kept: Kept, settings: Settings): Kept {
  const { cacheControl, contentDisposition, contentEncoding, contentLanguage, metadata } = settings
  return {
    texts: merge(kept.texts, { cacheControl, contentDisposition, contentEncoding, contentLanguage }),
    custom: metadata === null ? {} : merge(kept.custom, metadata ?? {}),
  }
}

function merge(
  kept: Record<string, string>,
  changes: Record<string, string | null | undefined>,
): Record<string, string> {
  const result = new Map(Object.entries(kept))
  for (const [name, text] of Object.entries(changes)) {
    if (text === null) result.delete(name)
    else if (text !== undefined) result.set(name, text)
  }
  return Object.fromEntries(result)
}

function parse(json: string): unknown {
  try {
    return json === '' ? {} : JSON.parse(json)
  } catch {
    throw new HttpError(400, 'The metadata is not JSON.')
  }
}
