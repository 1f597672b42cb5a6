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
