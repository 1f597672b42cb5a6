/** The name that a screen reader says for a button or a menu item: without what is hidden from it, such as the keys. */
export function spokenName(one: Element): string {
  const label = one.getAttribute('aria-label')
  if (label !== null) return label
  if (!one.querySelector('[aria-hidden]')) return one.textContent.trim()
  const copy = document.importNode(one, true)
  for (const hidden of copy.querySelectorAll('[aria-hidden]')) hidden.remove()
  return copy.textContent.trim()
}
