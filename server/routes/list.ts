import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { Type } from 'typebox'
import { HttpError } from '../http-error.ts'
import type { ListQuery } from '../queries/list.ts'

/** The query parameters of a list, for validation and the API document. */
export const ListParameters = Type.Object({
  page: Type.Integer({ minimum: 1, default: 1 }),
  page_size: Type.Integer({ minimum: 1, maximum: 1000 }),
  s: Type.String({ maxLength: 200, default: '' }),
  phone: Type.String({ maxLength: 200, default: '' }),
  ordering: Type.String({ maxLength: 200, default: '' }),
  filter: Type.String({ maxLength: 200, default: '' }),
})
/** S7.17 */
export const NamedListParameters = Type.Object({
  ...ListParameters.properties,
  name: Type.String({ maxLength: 200, default: '' }),
})

/**
 * Normalises the query of a list before its validation: an invalid number becomes the default, one out of range the nearest
 * allowed one, and of a repeated parameter the last counts. Throws HttpError 400 for text with a NUL character.
 */
export function listQuery(defaultSize: number) {
  return (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const value = readQuery(request, ['s', 'phone', 'name'])
    const query: Required<ListQuery> = {
      page: clamp(value('page'), 1, 1, Number.MAX_SAFE_INTEGER / 1000),
      page_size: clamp(value('page_size'), defaultSize, 1, 1000),
      s: value('s').trim(),
      phone: value('phone').trim(),
      name: value('name').trim(),
      ordering: value('ordering'),
      filter: value('filter'),
    }
    request.query = query
    done()
  }
}

/**
 * Reads one query parameter; of a repeated one the last counts. Throws HttpError 400 where one of these texts has a NUL
 * character.
 */
export function readQuery(request: FastifyRequest, texts: string[]): (name: string) => string {
  const raw: unknown = request.query
  const parameters = new Map<string, unknown>(
    typeof raw === 'object' && raw !== null ? Object.entries(raw) : [],
  )
  const value = (name: string): string => {
    const given = parameters.get(name)
    const one: unknown = Array.isArray(given) ? given.at(-1) : given
    return typeof one === 'string' ? one : ''
  }
  for (const name of texts)
    if (value(name).includes('\0'))
      throw new HttpError(400, 'Some values are invalid.', {
        errors: { [name]: ['must not contain a NUL character'] },
      })
  return value
}

export function clamp(text: string, fallback: number, least: number, most: number): number {
  const number = text.trim() === '' ? NaN : Number(text)
  return Number.isNaN(number) ? fallback : Math.trunc(Math.min(Math.max(number, least), most))
}

/** A path parameter that names a record. */
export const IdParameters = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
})

/** Parses `:id` before validation; anything but a positive whole number is an unknown record. Throws HttpError 404. */
export function readId(request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void {
  const raw: unknown = request.params
  const id: unknown = typeof raw === 'object' && raw !== null && 'id' in raw ? raw.id : undefined
  if (typeof id !== 'string' || !/^[1-9]\d{0,15}$/.test(id) || !Number.isSafeInteger(Number(id)))
    throw new HttpError(404, 'There is no such record.')
  request.params = { id: Number(id) }
  done()
}
