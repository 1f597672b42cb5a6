import { fold } from '../../commands/find/words.ts'

/** A title with the beginnings of words marked that were typed. */
export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  // Also after a quotation mark or bracket, which a person does not type.
  return text.split(/(?<=[\s\-“"(])/).map((part, at) => {
    const folded = fold(part)
    const typed = words.find((word) => folded.startsWith(word))
    if (typed === undefined) return part
    return [<mark key={at}>{part.slice(0, typed.length)}</mark>, part.slice(typed.length)]
  })
}
