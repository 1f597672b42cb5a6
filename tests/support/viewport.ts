interface Watched {
  query: string
  matches: boolean
  list: MediaQueryList & EventTarget
}

/** Wide enough for the docked sidebar (S9.6). */
const desktop = 1440

let width = desktop
const watched: Watched[] = []

/** Sets the width of the window and notifies every media query that changed. The default is a desktop's width. */
export function setViewport(pixels = desktop): void {
  width = pixels
  for (const one of watched) {
    const now = fits(one.query)
    if (now === one.matches) continue
    one.matches = now
    one.list.dispatchEvent(new Event('change'))
  }
}

/** Stands in for `window.matchMedia`; it knows `min-width` and `max-width` only. */
export function matchMedia(query: string): MediaQueryList {
  const one: Watched = {
    query,
    matches: fits(query),
    list: Object.assign(new EventTarget(), {
      media: query,
      matches: false,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    }),
  }
  Object.defineProperty(one.list, 'matches', { get: () => one.matches })
  watched.push(one)
  return one.list
}

function fits(query: string): boolean {
  const [, edge, pixels] = /\((min|max)-width: ([\d.]+)px\)/.exec(query) ?? []
  if (edge === undefined) return false
  return edge === 'min' ? width >= Number(pixels) : width <= Number(pixels)
}
