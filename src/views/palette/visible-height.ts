/**
 * Keeps `--visible-height` of an element at the height of the window above a soft keyboard; pinching to zoom does not
 * change it. Returns a function that ends this. Not of the document: the browser would compute the styles of all its elements again.
 */
export function followVisibleHeight(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return
  const { style } = element
  const { visualViewport } = window
  const set = () => {
    const height = visualViewport ? visualViewport.height * visualViewport.scale : window.innerHeight
    style.setProperty('--visible-height', `${String(Math.round(height))}px`)
  }
  set()
  const viewport = visualViewport ?? window
  viewport.addEventListener('resize', set)
  return () => {
    viewport.removeEventListener('resize', set)
    style.removeProperty('--visible-height')
  }
}
