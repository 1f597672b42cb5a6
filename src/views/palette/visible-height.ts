/**
 * Keeps `--visible-height` of the document at the height of the window above a soft keyboard; pinching to zoom does not
 * change it. Returns a function that ends this.
 */
export function followVisibleHeight(): () => void {
  const { visualViewport } = window
  const { style } = document.documentElement
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
