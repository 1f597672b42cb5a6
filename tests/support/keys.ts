import type { Page } from 'playwright-core'
import { press } from './console.ts'

/** The keyboard of a page, which counts what is pressed. A typed text counts as one text, not as keys. */
interface Keys {
  press(...keys: string[]): Promise<void>
  type(text: string): Promise<void>
  /** Keys and texts since the last call, or since the beginning. */
  count(): { keys: number; texts: number }
}

export function keys(page: Page): Keys {
  let counted = { keys: 0, texts: 0 }
  return {
    press: async (...pressed) => {
      counted.keys += pressed.length
      await press(page, ...pressed)
    },
    type: async (text) => {
      counted.texts++
      await page.keyboard.type(text)
    },
    count: () => {
      const before = counted
      counted = { keys: 0, texts: 0 }
      return before
    },
  }
}
