/**
 * Where the focus goes. A list gives it to the row that takes the place of one that vanished, a closed dialog to the
 * element that had it before (dialog.ts), a search or a new record to its row (wanted-row.ts). For everything else that
 * leaves the screen or is disabled, `keepFocus` finds the next place. The focus is never lost to the body.
 */

/** Whether no element has the focus: the one that had it has left the document. */
export const isFocusNowhere = () => document.activeElement === document.body

/** Whether no element has the focus, or the main region has it, as after a change of screen. */
export const isFocusLost = () => document.activeElement?.matches('body,main') ?? true

export const holdsFocus = (area: HTMLElement | null) => area?.contains(document.activeElement) ?? false

/** Focuses the first of these that is in the document, without scrolling. */
export function focusFirstOf(...elements: readonly (Element | null | undefined)[]): void {
  const target = elements.find(
    (one) => one instanceof HTMLElement && one.isConnected && one !== document.body,
  )
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

const focusable =
  'a[href],button:not(:disabled),input:not(:disabled),select:not(:disabled),textarea:not(:disabled),[tabindex]'

/** The element of the area that had the focus last, and its place when it got it. */
interface Last {
  element: Element
  /** Its ancestors, nearest first, up to the area. */
  parents: readonly Element[]
  /** Its place among the children of its parent. */
  index: number
}

/**
 * Watches an area until it is told to stop. When the focused element is removed or disabled, the focus goes to its
 * neighbour, else to the nearest remaining ancestor that can have it, else to the area. Begins with the area if nothing
 * has the focus.
 */
export function keepFocus(area: HTMLElement): () => void {
  let last: Last | null = null
  let isLeftByPointer = false
  const note = (target: EventTarget | null) => {
    isLeftByPointer = false
    if (target instanceof Element && target !== area && area.contains(target)) last = lastOf(target, area)
  }
  const onFocus = ({ target }: Event) => note(target)
  const leave = () => {
    isLeftByPointer = true
  }
  const mend = () => {
    const active = document.activeElement
    const isDisabled = active?.matches(':disabled') ?? false
    if (!isFocusNowhere() && !isDisabled) return
    // A dialog keeps the focus itself, and gives it back when it closes.
    if (document.querySelector('[role=dialog]')) return
    const isUsable = last?.element.isConnected === true && !last.element.matches(':disabled')
    // A click beside all controls takes the focus away on purpose.
    if (isUsable && isLeftByPointer) return
    focusFirstOf(last && (isUsable ? last.element : nextTo(last)), area)
  }
  const observer = new MutationObserver(mend)
  observer.observe(area, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', onFocus)
  document.addEventListener('pointerdown', leave)
  note(document.activeElement)
  let isOver = false
  // After the task that renders the screen: then the columns that it has measured have their widths. Before that, to give the focus would make
  // the browser compute another layout.
  queueMicrotask(() => {
    if (!isOver) mend()
  })
  return () => {
    isOver = true
    observer.disconnect()
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('pointerdown', leave)
  }
}

function lastOf(element: Element, area: Element): Last {
  const parents: Element[] = []
  for (let one = element.parentElement; one && one !== area; one = one.parentElement) parents.push(one)
  return { element, parents, index: [...(element.parentElement?.children ?? [])].indexOf(element) }
}

/** What stands in the place of an element, or beside it; else the nearest ancestor that can have the focus. */
function nextTo({ element, parents, index }: Last): Element | undefined {
  const [parent] = parents
  if (parent?.isConnected) {
    const inside = [...parent.querySelectorAll(focusable)]
    const successor = parent.children[index]
    const isBefore = (one: Element) =>
      (element.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
    const found = element.isConnected
      ? (inside.findLast(isBefore) ?? inside[0])
      : inside.find((one) => successor?.contains(one))
    if (found) return found
  }
  return parents.find((one) => one.isConnected && one.matches('[tabindex]'))
}
