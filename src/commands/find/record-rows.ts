import { refKey } from '../../state/ref.ts'
import { addressOf, narrowed } from '../address.ts'
import type { Command, Context } from '../command.ts'
import { isOffered, refOf, targetsOf } from '../command.ts'
import type { Filter, Noun } from '../noun.ts'
import { allNouns, filtered } from '../noun.ts'
import { requestsOf } from './asking.ts'
import type { NounRow, PaletteRow } from './row.ts'
import { capitalised, commandRow, detailOf, penalty, worth } from './row.ts'
import type { Found, Request } from './search.ts'
import { requestKey } from './search.ts'
import type { Sentence } from './sentence.ts'
import type { Fit } from './words.ts'
import { allFit, wordsOf } from './words.ts'

export interface Answered {
  context: Context
  /** The answers so far, by the key of their request. */
  answers: ReadonlyMap<string, readonly Found[]>
}

/** The rows of the records that were found for a reading, the best first. */
export function rowsOfReading(reading: Sentence, at: Answered): PaletteRow[] {
  return requestsOf(reading).flatMap(({ request, isLiteral }) => {
    if (isLiteral) return literalRows(request, at)
    const found = at.answers.get(requestKey(request)) ?? []
    const pale = penalty(reading.fit)
    return found.flatMap((one, index) =>
      rowsOfFound(reading, request, one, at.context).map((row) => ({
        ...row,
        score: row.score - pale - index / 100,
      })),
    )
  })
}

/** The rows of records that were found by their names alone. */
export function literalRows(request: Request, { context, answers }: Answered): PaletteRow[] {
  const found = answers.get(requestKey(request)) ?? []
  return found.map((one, index) => {
    const here = one.noun.path === context.path ? 5 : 0
    const score =
      one.match === 'exact'
        ? worth.exactRecord + here
        : one.match === 'words'
          ? worth.record
          : one.match === 'part'
            ? worth.part
            : worth.recordTypo
    return { ...recordRow(one), score: score - index / 100 }
  })
}

/** The rows about one found record, by what the sentence says to do with it. */
function rowsOfFound(reading: Sentence, request: Request, found: Found, context: Context): PaletteRow[] {
  const { verb, noun, filters, isLast, isFor } = reading
  const isWeak = found.match === 'part' || found.match === 'typo'
  // For "last trip of kamau" the people called Kamau are found, too.
  if (isLast && found.noun.name === noun?.name) return [{ ...recordRow(found), score: worth.newest }]
  if (verb.length > 0)
    return verb.flatMap((command): PaletteRow[] => {
      if (command.takes?.noun === found.noun.name)
        return [{ ...takingRow(command, found), score: isWeak ? worth.typedWrong : worth.sentence }]
      if (command.noun !== found.noun.name) return []
      const row = commandOnRecord(command, found, context)
      const score = found.match === 'exact' ? worth.sentence + 10 : worth.sentence
      const action = {
        ...row,
        score: (isWeak ? worth.typedWrong : score) - (row.reason === undefined ? 0 : 5),
      }
      // Its own word was mistyped, so it cannot be the first row: the record is offered too, and takes that place.
      return command.isRisky && reading.fit === 'typo'
        ? [action, { ...recordRow(found), score: action.score - 1 }]
        : [action]
    })
  const about = noun ? [noun] : filters.map((one) => one.noun)
  const lists = about
    .filter((one) => one.owners?.includes(found.noun.name))
    .flatMap((one): PaletteRow[] => [
      {
        ...listRow(one, filters.find((filter) => filter.noun === one)?.filter, found),
        score: isWeak ? worth.typedWrong : worth.listOfPerson,
      },
    ])
  const created =
    isFor && noun
      ? noun.commands
          .filter(({ takes }) => takes?.noun === found.noun.name)
          .map((command) => ({
            ...takingRow(command, found),
            score: isWeak ? worth.typedWrong : worth.sentence,
          }))
      : []
  const isAsked = about.some(({ name }) => name === found.noun.name) && request.nouns.length === 1
  const score = found.match === 'exact' ? worth.exactOfNoun : isWeak ? worth.typedWrong : worth.recordOfNoun
  return [...created, ...lists, ...(isAsked ? [{ ...recordRow(found), score }] : [])]
}

/** A record: Enter opens it, or the list with it alone where it has no screen of its own. */
function recordRow({ noun, row }: NounRow): PaletteRow {
  const ref = refOf(noun, row)
  return {
    id: refKey(ref),
    noun: noun.name,
    section: 'record',
    title: capitalised(noun.nameOf(row)),
    detail: detailOf({ noun, row }),
    record: { noun, row },
    href: addressOf(noun, row),
    score: 0,
  }
}

function commandOnRecord(command: Command, found: Found, context: Context): PaletteRow {
  const own = { ...context, targets: targetsOf(found.noun, [found.row]) }
  const isFit = isOffered(command, own)
  // Its key works on the focused row, not on a record that was found.
  const row = commandRow(command, own, false)
  const ref = refKey(refOf(found.noun, found.row))
  return {
    ...row,
    id: `${command.id} ${ref}`,
    noun: found.noun.name,
    // The name is that of the record also where the command does not apply to it.
    title: isFit ? row.title : `${verbOf(command)} ${found.noun.nameOf(found.row)}`,
    detail: detailOf(found),
    ...(!isFit && { reason: command.unfit ?? 'Not possible for this record' }),
    record: found,
  }
}

/** "Suspend" of "Suspend the driver". */
const verbOf = ({ about }: Command) => about.replace(/ (the|an?) .*$/, '')

function takingRow(command: Command, found: Found): PaletteRow {
  const { takes } = command
  return {
    id: `${command.id} ${refKey(refOf(found.noun, found.row))}`,
    noun: command.id.split('.')[0] ?? '',
    section: 'command',
    title: takes?.title(found.noun.nameOf(found.row)) ?? command.about,
    detail: detailOf(found),
    command: {
      command: { ...command, run: () => takes?.run(found.row) },
      context: { path: '', targets: [] },
    },
    score: 0,
  }
}

/** A list that shows the records of one person. */
function listRow(noun: Noun, filter: Filter | undefined, owner: NounRow): PaletteRow {
  const ref = refOf(owner.noun, owner.row)
  const name = owner.noun.nameOf(owner.row)
  const term = [...(filter ? [filter.term] : []), `${owner.noun.name}:${ref.id}`].join(',')
  return {
    id: `list ${noun.name} ${term}`,
    noun: noun.name,
    section: 'list',
    title: `${capitalised(filter ? filtered(filter, noun) : noun.plural)} of ${name}`,
    detail: detailOf(owner),
    href: narrowed(noun, term, name),
    score: 0,
  }
}

/** The lists that show what belongs to a record, and the record itself if no command opens it; those that the query fits. */
export function relatedRows(owner: NounRow, query: string): PaletteRow[] {
  const words = wordsOf(query)
  const itself = owner.noun.commands.some(({ verbs }) => verbs?.includes('open')) ? [] : [recordRow(owner)]
  const lists = allNouns()
    .filter(({ owners }) => owners?.includes(owner.noun.name))
    .map((noun) => listRow(noun, undefined, owner))
  return [...itself, ...lists].filter(
    ({ title }) => words.length === 0 || isGood(allFit(words, wordsOf(title))),
  )
}

const isGood = (fit: Fit) => fit === 'equal' || fit === 'start'
