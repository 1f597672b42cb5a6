/**
 * Keeps `--visible-height` of an element at the height of the window above a soft keyboard; pinching to zoom does not
 * change it. Returns a function that ends this. Not of the document: the browser would compute the styles of all its elements again.
 */
export function followVisibleHeight(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return
  const { style } = element
  const { visualViewport } = window
  const set = () => {
    const { innerHeight } = window
    const height = Math.round(visualViewport ? visualViewport.height * visualViewport.scale : innerHeight)
    // Without a keyboard the rules have the same height themselves, and the browser need not compute the style of each row again.
    if (height === innerHeight) style.removeProperty('--visible-height')
    else style.setProperty('--visible-height', `${String(height)}px`)
  }
  set()
  const viewport = visualViewport ?? window
  viewport.addEventListener('resize', set)
  return () => {
    viewport.removeEventListener('resize', set)
    style.removeProperty('--visible-height')
  }
}
