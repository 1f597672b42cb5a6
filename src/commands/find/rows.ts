import type { Command, Context } from '../command.ts'
import { isOffered } from '../command.ts'
import { isNameOnly, parse, people } from './asking.ts'
import type { Answered } from './record-rows.ts'
import { listAddress, literalRows, offeredTerms, rowsOfReading } from './record-rows.ts'
import type { PaletteRow } from './row.ts'
import { capitalised, commandRow, penalty, worth } from './row.ts'
import type { Sentence, Vocabulary } from './sentence.ts'
import { nounWords, readingsOf } from './sentence.ts'
import { allFit, fold, wordsOf } from './words.ts'

interface Finding extends Answered {
  typed: string
  vocabulary: Vocabulary
  /** How often and how lately a row was used; it decides between equal matches. */
  familiarity: (id: string) => number
}

/** The rows of a query, best first; equal ones in the order of the commands. */
export function rowsFor({ typed, context, vocabulary, answers, familiarity }: Finding): PaletteRow[] {
  const { text, scope } = parse(typed)
  const isEmpty = text === ''
  const locals = vocabulary.commands
    .filter((command) => isNear(command, context, text, vocabulary) && isOffered(command, context))
    .map((command) => commandRow(command, context))
    .filter(({ section }) => scope !== 'screens' || section === 'screen')
  if (isEmpty) return locals
  const readings = scope === 'all' || scope === 'commands' ? readingsOf(text, vocabulary) : []
  const words = meaningful(wordsOf(scope === 'screens' ? text.replaceAll('/', ' ') : text))
  const local =
    scope === 'people' || scope === 'ids'
      ? []
      : locals.flatMap((row): PaletteRow[] => {
          const score = localScore(row, fold(text), words, vocabulary.nouns.length === 0)
          return score > 0 ? [{ ...row, score }] : []
        })
  const found = [
    ...readings.flatMap((reading, at) =>
      rowsOfReading(reading, { context, answers }).map((row) => ({
        ...row,
        // A less likely reading counts less, but a record counts as itself: its name, its id.
        score: row.score - (isNameOnly(reading) ? 0 : 100 * at),
      })),
    ),
    ...(scope === 'people' || scope === 'ids'
      ? literalRows({ q: fold(text), nouns: scope === 'people' ? people() : [] }, { context, answers })
      : []),
  ]
  const filters = scope === 'all' ? filterRows(readings, text) : []
  const lists = readings.flatMap((reading) => searchRows(reading))
  const verbs = readings.flatMap((reading) => verbRows(reading, locals))
  const choosers = scope === 'all' || scope === 'commands' ? chooserRows(readings, locals) : []
  const best = new Map<string, PaletteRow>()
  for (const row of [...local, ...verbs, ...filters, ...found, ...lists, ...choosers]) {
    const known = best.get(row.id)
    if (!known || known.score < row.score) best.set(row.id, row)
  }
  const rows = [...best.values()]
  const order = new Map(rows.map(({ id }, at) => [id, at]))
  const place = ({ id }: PaletteRow) => order.get(id) ?? 0
  const sorted = rows.toSorted(
    (a, b) => b.score - a.score || familiarity(b.id) - familiarity(a.id) || place(a) - place(b),
  )
  return riskyNotFirst(sorted, wordsOf(text))
}

/** Whether the list that a command is about, if it is about one, is on screen or named. */
function isNear({ list }: Command, { path }: Context, text: string, { nouns }: Vocabulary): boolean {
  if (list === undefined || list === path) return true
  const typed = ` ${wordsOf(text).join(' ')} `
  return nouns.some(
    (noun) => noun.path === list && nounWords(noun).some((word) => typed.includes(` ${word} `)),
  )
}

/** What ends a session, deletes or clears is first only if its own word was typed from its start. */
function riskyNotFirst(rows: readonly PaletteRow[], words: readonly string[]): PaletteRow[] {
  const safe = rows.findIndex(
    ({ command }) => !command?.command.isRisky || isOwnWordTyped(command.command, words),
  )
  const first = rows[safe]
  return first ? [first, ...rows.slice(0, safe), ...rows.slice(safe + 1)] : []
}

/** Whether a verb of the command begins with one of the words or, if it is a phrase, with all of them: `log out`. */
function isOwnWordTyped({ verbs = [] }: Command, words: readonly string[]): boolean {
  return verbs.map(fold).some((verb) =>
    words.some((_word, at) => {
      const rest = words.slice(at, at + verb.split(' ').length).join(' ')
      return rest !== '' && verb.startsWith(rest)
    }),
  )
}

/** Words such as "the" are left out, unless there are no others. */
function meaningful(words: readonly string[]): readonly string[] {
  const rest = words.filter((word) => !['the', 'a', 'of', 'to', 'please', 'this', 'is', 'on'].includes(word))
  return rest.length > 0 ? rest : words
}

const wordsCache = new WeakMap<Command, { phrases: readonly string[]; names: readonly string[] }>()

function localScore(row: PaletteRow, query: string, words: readonly string[], isAlone: boolean): number {
  const command = row.command?.command
  if (!command) return 0
  let known = wordsCache.get(command)
  if (!known) {
    const phrases = [...(command.verbs ?? []), ...(command.synonyms ?? [])]
    known = { phrases: phrases.map(fold), names: phrases.flatMap(wordsOf) }
    wordsCache.set(command, known)
  }
  // A command on a record is found by its own words, not by the name of the record in its title.
  const title = command.noun === undefined || isAlone ? fold(row.title) : fold(command.about)
  if (query === title || known.phrases.includes(query))
    return command.isViewOption ? worth.viewOption : worth.wholeLocal
  const names = [...title.split(' '), ...known.names]
  const byName = allFit(words, names)
  const more = allFit(words, [...names, ...wordsOf(`${command.about} ${command.keywords ?? ''}`)])
  const score =
    byName === 'equal'
      ? worth.localStart + 5
      : byName === 'start'
        ? worth.localStart
        : more === 'equal' || more === 'start'
          ? worth.localKeyword
          : byName === 'typo' || more === 'typo'
            ? worth.localTypo
            : more === 'middle' && !command.isRisky
              ? worth.middle
              : 0
  if (command.isViewOption) return Math.min(score, worth.viewOption)
  // Of equal matches the screen comes before what can be done on it.
  return row.section === 'screen' && score > 0 ? score + 3 : score
}

/** The lists that the words for filters mean: "overdue" is the overdue invoices. */
function filterRows(readings: readonly Sentence[], text: string): PaletteRow[] {
  return readings.flatMap(({ filters, object, fit, noun }) =>
    object
      ? []
      : filters.flatMap(({ noun: of, filter }): PaletteRow[] => {
          if (!offeredTerms(of).includes(filter.term)) return []
          const isWhole = [filter.label, ...filter.words].map(fold).includes(fold(text))
          return [
            {
              id: `list ${of.name} ${filter.term}`,
              noun: of.name,
              section: 'list',
              title: capitalised(`${filter.label.toLowerCase()} ${of.plural}`),
              href: listAddress(of, { filter: filter.term }),
              score:
                (isWhole || (noun !== null && fit === 'equal') ? worth.exactFilter : worth.filter) -
                penalty(fit),
            },
          ]
        }),
  )
}

/** A noun and words: its list, searched for them. It finds what no record is named by, such as the places of trips. */
function searchRows({ verb, noun, filters, object, fit }: Sentence): PaletteRow[] {
  if (!noun || !object || verb.length > 0 || filters.length > 0 || /^#?\d+$/.test(object)) return []
  return [
    {
      id: `search ${noun.name}`,
      noun: noun.name,
      section: 'list',
      title: `Search ${noun.plural} for “${object}”`,
      href: listAddress(noun, { [noun.search?.parameter ?? 's']: object }),
      score: worth.searchOfList - penalty(fit) / 10,
    },
  ]
}

/** A verb, or a verb and a noun: the commands that they name and that can be run here. */
function verbRows(
  { verb, object, filters, isLast, fit }: Sentence,
  locals: readonly PaletteRow[],
): PaletteRow[] {
  if (object || filters.length > 0 || isLast) return []
  return locals.flatMap((row) =>
    verb.some(({ id }) => id === row.id)
      ? [{ ...row, score: fit === 'typo' ? worth.localTypo : worth.verbAlone - penalty(fit) * 9 }]
      : [],
  )
}

/** For a verb without an object: rows that complete the query, so that the object can be typed. */
function chooserRows(readings: readonly Sentence[], locals: readonly PaletteRow[]): PaletteRow[] {
  return readings.flatMap(({ verb, object, fit, filters, isLast }) =>
    object || filters.length > 0 || isLast
      ? []
      : verb
          .filter((command) => command.noun !== undefined && !locals.some(({ id }) => id === command.id))
          .map((command) => ({
            id: `choose ${command.id}`,
            noun: command.noun ?? '',
            section: 'command' as const,
            title: `${command.about.replace(/ the ([aeiou])/, ' an $1').replace(' the ', ' a ')}…`,
            completes: `${command.verbs?.[0] ?? ''} ${isSharedVerb(verb) ? `${command.noun ?? ''} ` : ''}`,
            score: (fit === 'typo' ? worth.localTypo : worth.verbAlone - penalty(fit) * 9) - 1,
          })),
  )
}

const isSharedVerb = (verb: readonly Command[]) => verb.length > 1
