/** For `onPointerDownOutside` of a menu: a tap beside it closes it and does nothing else, as a finger hits less exactly. */
export function ignoreTap({ detail }: CustomEvent<{ originalEvent: PointerEvent }>): void {
  if (detail.originalEvent.pointerType !== 'touch') return
  const listening = new AbortController()
  const { signal } = listening
  const stop = (click: Event) => {
    click.preventDefault()
    click.stopPropagation()
    listening.abort()
  }
  window.addEventListener('click', stop, { capture: true, signal })
  // A finger that scrolls does not click. The next one may.
  window.addEventListener('pointerdown', () => listening.abort(), { capture: true, signal })
}
