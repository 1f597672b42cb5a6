interface Press {
  isComposing: boolean
  keyCode: number
}

/**
 * Whether a key is for the input method (IME). Safari sends the Enter that ends a composition after it, with the key code 229.
 * Soft keyboards of Android compose each word while it is typed: their Enter, which has its own key code, is for the page.
 */
export const isComposing = ({ isComposing, keyCode }: Press): boolean =>
  keyCode === 229 || (isComposing && keyCode !== 13)
