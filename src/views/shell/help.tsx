import { useAtomValue } from 'jotai'
import { useRef, useState } from 'react'
import type { Command } from '../../commands/command.ts'
import { saveFile } from '../../commands/exports.ts'
import { changeKeys, exportedKeys, importKeys, resetAllKeys, resetKeys } from '../../commands/key-changes.ts'
import { written } from '../../commands/keymap.ts'
import { isSingle } from '../../commands/keys.ts'
import type { Noun } from '../../commands/noun.ts'
import { allNouns } from '../../commands/noun.ts'
import { closeDialog } from '../../state/dialog.ts'
import { settingsAtom } from '../../state/settings.ts'
import { KeyHint } from '../ui/key-hint.tsx'
import { ChangeButton } from './change-button.tsx'
import styles from './help.module.css'
import { Modal } from './modal.tsx'
import { useDialog } from '../ui/use-dialog.ts'

/** Plural for a noun with a form, because its keys also create a record. */
const headingOf = ({ form, singular, plural }: Noun) =>
  form ? `On ${plural}` : `On ${/^[aeiou]/.test(singular) ? 'an' : 'a'} ${singular}`
const headings = () =>
  new Map([
    ['go', 'Go to'],
    ['list', 'In a list'],
    ...allNouns().flatMap((noun) => [
      [noun.calls.collection, `In the list of ${noun.plural}`] as const,
      [noun.path.slice(1), `In the list of ${noun.plural}`] as const,
      [noun.name, headingOf(noun)] as const,
    ]),
  ])

/** The keys of all commands, read from the commands: to search, to print and to change. */
export function Help({ commands }: { commands: readonly Command[] }) {
  const dialog = useDialog('help')
  const [recording, setRecording] = useState('')
  return (
    <Modal
      open={dialog !== null}
      close={closeDialog}
      title="Keyboard shortcuts"
      // While new keys are read, Escape ends only that.
      holdsEscape={recording !== ''}
    >
      <Sheet commands={commands} recording={recording} setRecording={setRecording} />
    </Modal>
  )
}

interface SheetProps {
  commands: readonly Command[]
  /** The id of the command whose new keys are being read; blank if none. */
  recording: string
  setRecording: (id: string) => void
}

function Sheet({ commands, recording, setRecording }: SheetProps) {
  const { keys: changes, singleKeys } = useAtomValue(settingsAtom)
  const [typed, setTyped] = useState('')
  const [notes, setNotes] = useState<readonly string[]>([])
  const keysOf = (command: Command) => changes[command.id] ?? command.keys
  const filter = typed.trim().toLowerCase()
  const names = headings()
  const groups = Map.groupBy(
    // Without a filter only the commands that have keys; a filter also finds those that have none.
    commands.filter((command) =>
      filter ? searched(command, keysOf(command)).includes(filter) : keysOf(command) !== undefined,
    ),
    (command) => names.get(command.id.split('.')[0] ?? '') ?? 'Everywhere',
  )
  const note = (conflict: string | null, done: string) => setNotes([conflict ?? done])
  return (
    <div data-sheet>
      <div className={styles.top}>
        <Tools
          isChanged={Object.keys(changes).length > 0}
          commands={commands}
          typed={typed}
          setTyped={setTyped}
          setNotes={setNotes}
        />
        <div role="status" className={styles.notes}>
          {notes.map((text, at) => (
            <p key={at}>{text}</p>
          ))}
        </div>
      </div>
      {groups.size === 0 && <p>No command with this name or these keys</p>}
      <div className={styles.groups}>
        {[...groups].map(([heading, group]) => (
          <section key={heading} aria-label={heading}>
            <h3>{heading}</h3>
            <dl>
              {group.map((command) => {
                const keys = keysOf(command)
                const isOff = !singleKeys && keys !== undefined && isSingle(keys)
                return (
                  <div key={command.id}>
                    <dt>{command.about}</dt>
                    <dd data-off={isOff}>
                      {command.id in changes && (
                        <button
                          type="button"
                          aria-label={`Reset the keys of ${command.about}`}
                          onClick={() =>
                            note(resetKeys(command, commands), `${command.about} has its own keys again.`)
                          }
                        >
                          Reset
                        </button>
                      )}
                      <ChangeButton
                        about={command.about}
                        isRecording={recording === command.id}
                        start={() => {
                          setNotes([])
                          setRecording(command.id)
                        }}
                        stop={() => setRecording('')}
                        take={(keys) =>
                          note(
                            changeKeys(command, keys, commands),
                            `${command.about}: ${written(keys)} from now on.`,
                          )
                        }
                      />
                      {keys !== undefined && <KeyHint keys={keys} />}
                      {command.alsoKeys !== undefined && <span>or {written(command.alsoKeys)}</span>}
                      {isOff && <span>switched off</span>}
                    </dd>
                  </div>
                )
              })}
            </dl>
          </section>
        ))}
      </div>
    </div>
  )
}

const searched = ({ about, alsoKeys = '' }: Command, keys = '') =>
  [about, keys, written(keys), written(keys).replaceAll(' then ', ' '), alsoKeys].join('\n').toLowerCase()

interface ToolsProps {
  isChanged: boolean
  commands: readonly Command[]
  typed: string
  setTyped: (typed: string) => void
  setNotes: (notes: readonly string[]) => void
}

function Tools({ isChanged, commands, typed, setTyped, setNotes }: ToolsProps) {
  const input = useRef<HTMLInputElement>(null)
  const take = async (file: File) => {
    const faults = importKeys(await file.text(), commands)
    setNotes(faults.length > 0 ? ['Nothing was imported.', ...faults] : [`The keys of ${file.name} are set.`])
  }
  return (
    <form role="search" className={styles.tools} onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        autoFocus
        autoComplete="off"
        maxLength={100}
        placeholder="Search by action or key"
        aria-label="Search by action or key"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <button type="button" onClick={() => window.print()}>
        Print
      </button>
      <button
        type="button"
        onClick={() => saveFile('twende-keys.json', new Blob([exportedKeys()], { type: 'application/json' }))}
      >
        Export keys
      </button>
      <button type="button" onClick={() => input.current?.click()}>
        Import keys
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept="application/json,.json"
        aria-label="File with keys"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void take(file)
          // So that the same file can be picked again after it was corrected.
          target.value = ''
        }}
      />
      {isChanged && (
        <button
          type="button"
          onClick={() => {
            resetAllKeys()
            setNotes(['All commands have their own keys again.'])
          }}
        >
          Reset all keys
        </button>
      )}
    </form>
  )
}
