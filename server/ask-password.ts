import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { OperatorError } from './operator-error.ts'

type Input = NodeJS.ReadableStream & { isTTY?: boolean }

/**
 * Asks for a new password. At a terminal it is not shown and asked for twice; otherwise it is the first line of `input`.
 * Blank if the input ends. Throws OperatorError if the two differ.
 */
export async function askPassword(input: Input, output: NodeJS.WritableStream): Promise<string> {
  const isTerminal = input.isTTY === true
  // At a terminal, readline itself writes what is typed. The terminal must not.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: isTerminal ? nowhere : output, terminal: isTerminal })
  const closed = once(lines, 'close').then(() => '')
  // Without a line break at its end, readline hands the last line to nobody who has asked a question.
  const last = once(lines, 'line').then(([line]) => String(line))
  lines.on('SIGINT', () => lines.close())
  const ask = async (question: string) => {
    if (isTerminal) output.write(question)
    const answer = await Promise.race([lines.question(question), last, closed])
    if (isTerminal) output.write('\n')
    return answer
  }
  try {
    const password = await ask('Password (at least 12 characters): ')
    if (isTerminal && password !== '' && (await ask('The same again: ')) !== password)
      throw new OperatorError('The two passwords differ.')
    return password
  } finally {
    lines.close()
  }
}
