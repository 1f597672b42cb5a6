import { api, lists } from '../client/lists.ts'

/** The calls of the product's server that the peers make. The bench adds the token of the session to each request. */
const json = async (path, options) => {
  const response = await fetch(api + path, options)
  if (!response.ok) throw new Error(`${response.status} ${path}`)
  return response.json()
}

/** One page of a list; `ordering` is a field, with a minus for descending. */
export const readPage = ({ name, page, size, ordering = '-id', s = '' }) => {
  const { call } = lists.find((list) => list.name === name)
  return json(`${call}?${new URLSearchParams({ page, page_size: size, ordering, s })}`)
}

/** Suspends a driver, or ends the suspension. */
export const toggleSuspension = (driver) =>
  json(`driver/${driver.id}/${driver.deleted ? 'unfreeze' : 'suspend'}/`, { method: 'POST' })
