interface Press {
  isComposing: boolean
  keyCode: number
}

/** Whether a key is for the input method (IME). Safari sends the Enter that ends a composition after it, with the key code 229. */
export const isComposing = ({ isComposing, keyCode }: Press): boolean => isComposing || keyCode === 229
