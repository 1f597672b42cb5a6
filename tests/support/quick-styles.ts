// Testing Library reads `display`, `visibility` and `pointer-events` of every element at every query, and jsdom matches all
// rules of its style sheet to compute them, which took a sixth of the time of the tests. The console's style sheet is not
// loaded in jsdom, so that the three follow from the style attribute and the kind of element. Any other property is as
// jsdom computes it.
const compute = window.getComputedStyle.bind(window)
const { style: typical } = document.documentElement
window.getComputedStyle = (element, pseudo) => {
  if (pseudo) return compute(element, pseudo)
  const quick: Record<string, () => string> = {
    display: () => displayOf(element),
    visibility: () => inheritedOf(element, 'visibility') ?? 'visible',
    pointerEvents: () => inheritedOf(element, 'pointer-events') ?? 'auto',
  }
  return new Proxy(typical, {
    get: (_target, name) => {
      if (typeof name === 'string' && quick[name]) return quick[name]()
      if (name === 'getPropertyValue')
        return (property: string) => quick[property]?.() ?? compute(element).getPropertyValue(property)
      const style = compute(element)
      const value: unknown = Reflect.get(style, name, style)
      const bound: unknown = typeof value === 'function' ? value.bind(style) : value
      return bound
    },
  })
}

/** By what the style sheet of jsdom looks at: the name of the element and three attributes. */
const displays = new Map<string, string>()

function displayOf(element: Element): string {
  const own = inlineOf(element, 'display')
  if (own) return own
  if (element.localName === 'summary' || element.hasAttribute('popover')) return compute(element).display
  const attributes = ['hidden', 'open', 'type'].map((name) => element.getAttribute(name))
  const key = JSON.stringify([element.localName, ...attributes])
  const display = displays.get(key) ?? compute(element).display
  displays.set(key, display)
  return display
}

const inlineOf = (element: Element, property: string): string =>
  element.hasAttribute('style') && (element instanceof HTMLElement || element instanceof SVGElement)
    ? element.style.getPropertyValue(property)
    : ''

function inheritedOf(element: Element, property: string): string | null {
  for (let one: Element | null = element; one; one = one.parentElement) {
    const value = inlineOf(one, property)
    if (value && value !== 'inherit' && value !== 'unset') return value
  }
  return null
}
