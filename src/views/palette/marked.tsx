import { fold } from '../../commands/find/words.ts'

/** A title with the beginnings of words marked that were typed. */
export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  const parts = text.split(/(?<=[\s-])/)
  return parts.map((part, at) => {
    const folded = fold(part)
    const typed = words.find((word) => folded.startsWith(word))
    const key = `${String(at)} ${part}`
    return typed === undefined ? (
      <span key={key}>{part}</span>
    ) : (
      <span key={key}>
        <mark>{part.slice(0, typed.length)}</mark>
        {part.slice(typed.length)}
      </span>
    )
  })
}
