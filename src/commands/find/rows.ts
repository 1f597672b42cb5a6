import { getDefaultStore } from 'jotai'
import { capabilitiesAtom } from '../../api/config.ts'
import type { Row } from '../../api/loose.ts'
import { navigate } from '../../state/location.ts'
import { refKey } from '../../state/ref.ts'
import type { Command, Context } from '../command.ts'
import { isOffered, refOf, targetsOf } from '../command.ts'
import { keysOf } from '../keymap.ts'
import type { Filter, Noun } from '../noun.ts'
import { allNouns } from '../noun.ts'
import type { Found, Request } from './search.ts'
import { requestKey } from './search.ts'
import type { Sentence, Vocabulary } from './sentence.ts'
import { readingsOf } from './sentence.ts'
import type { Fit } from './words.ts'
import { allFit, fold, wordsOf } from './words.ts'

/** A record in the palette, with its noun. */
export interface NounRow {
  noun: Noun
  row: Row<object>
}

/** One row of the palette, with what Enter or a click runs. */
export interface PaletteRow {
  /** The id of its command and the refs of its record, so that it is the same row in every answer. */
  id: string
  /** The noun that it is about, for its icon; absent for commands about none. */
  noun?: string
  section: 'command' | 'screen' | 'list' | 'record'
  title: string
  /** What distinguishes it from rows with the same title. */
  detail?: string
  keys?: string
  /** Why it cannot be run now. */
  reason?: string
  /** Tab shows the commands of this record. */
  record?: NounRow
  /** The address that it opens, if it opens one. */
  href?: string
  /** The command that it runs, if it runs one. */
  command?: { command: Command; context: Context }
  /** The text that it completes the query to, in place of running. */
  completes?: string
  /** Higher is better. */
  score: number
}

/** What a query asks the server, and how good the rows of its answer can be. */
export interface Asked {
  request: Request
  best: number
}

/** The query as typed, its prefix taken off. */
interface Parsed {
  text: string
  scope: 'all' | 'commands' | 'people' | 'ids' | 'screens'
}

const scopes: Record<string, Parsed['scope']> = { '>': 'commands', '@': 'people', '#': 'ids', '/': 'screens' }
const people = () => allNouns().flatMap(({ name, isPerson }) => (isPerson ? [name] : []))

/** Scores by what is found. Between two of them there is room for the order within. */
const worth = {
  wholeLocal: 1000,
  newest: 960,
  exactFilter: 955,
  exactRecord: 950,
  verbAlone: 940,
  exactOfNoun: 930,
  sentence: 935,
  listOfPerson: 890,
  filter: 870,
  recordOfNoun: 860,
  localStart: 850,
  localKeyword: 800,
  record: 700,
  viewOption: 690,
  typedWrong: 620,
  searchOfList: 610,
  part: 450,
  localTypo: 420,
  recordTypo: 350,
  middle: 200,
}

function parse(typed: string): Parsed {
  const text = typed.trim()
  const scope = scopes[text.slice(0, 1)]
  return scope === undefined || text.length < 2
    ? { text, scope: 'all' }
    : { text: scope === 'ids' ? text : text.slice(1).trim(), scope }
}

/** What to ask the server about a query: at most four requests, best first. */
export function requestsFor(typed: string, vocabulary: Vocabulary): Asked[] {
  const { text, scope } = parse(typed)
  if (scope === 'commands' || scope === 'screens' || fold(text).replace(/\W/g, '').length < 2) {
    if (!/^#?\d$/.test(text)) return []
  }
  if (scope === 'people') return [{ request: { q: fold(text), nouns: people() }, best: worth.exactRecord }]
  if (scope === 'ids') return [{ request: { q: fold(text), nouns: [] }, best: worth.exactRecord }]
  const asked = readingsOf(text, vocabulary).flatMap((reading) => requestsOf(reading))
  const isSure = asked.some(({ isCertain }) => isCertain)
  const wanted = asked.filter(({ isLiteral }) => !isLiteral || !isSure)
  const byKey = new Map<string, Asked>()
  for (const { request, best } of wanted) {
    const key = requestKey(request)
    byKey.set(key, { request, best: Math.max(best, byKey.get(key)?.best ?? 0) })
  }
  return [...byKey.values()].slice(0, 4)
}

/** Whether all words of a reading are a name. */
const isNameOnly = ({ verb, noun, filters }: Sentence) =>
  verb.length === 0 && noun === null && filters.length === 0

interface Wanted extends Asked {
  /** Whether all words are a name. */
  isLiteral: boolean
  /** Whether every word with a meaning was typed in full, so that the words need not be read as a name too. */
  isCertain: boolean
}

function requestsOf(reading: Sentence): Wanted[] {
  const { verb, noun, filters, isLast, object, isFor, fit } = reading
  const isLiteral = isNameOnly(reading)
  const isCertain = !isLiteral && object !== '' && fit === 'equal'
  const want = (request: Request, best: number): Wanted => ({ request, best, isLiteral, isCertain })
  if (isLiteral) return object ? [want({ q: object, nouns: [] }, worth.record)] : []
  if (isLast && noun && !object) return [want({ q: '', nouns: [noun.name], limit: 3 }, worth.newest)]
  if (!object) return []
  const pale = penalty(fit)
  if (verb.length > 0) {
    const nouns = [...new Set(verb.flatMap((command) => command.noun ?? []))]
    const taken = verb.flatMap(({ takes }) => (takes ? [takes.noun] : []))
    return [
      ...(nouns.length > 0 ? [want({ q: object, nouns, limit: 8 }, worth.sentence - pale)] : []),
      ...taken.map((name) => want({ q: object, nouns: [name] }, worth.sentence - pale)),
    ]
  }
  const isNumber = /^#?\d{1,9}$/.test(object)
  const about = noun ? [noun] : filters.map((one) => one.noun)
  const owners = [...new Set(about.flatMap((one) => (isNumber ? [] : (one.owners ?? []))))]
  const term = filters[0]?.filter.term
  const named = about.filter((one) => isNumber || !one.owners || one.search !== undefined || one.form)
  return [
    ...(owners.length > 0 ? [want({ q: object, nouns: owners }, worth.listOfPerson - pale)] : []),
    ...(isFor && noun
      ? noun.commands.flatMap(({ takes }) =>
          takes ? [want({ q: object, nouns: [takes.noun] }, worth.sentence - pale)] : [],
        )
      : []),
    ...named.map((one) =>
      want(
        { q: object, nouns: [one.name], limit: 10, ...(term !== undefined && { filter: term }) },
        worth.exactOfNoun - pale,
      ),
    ),
  ]
}

/** What a meaning that was not typed in full costs. */
function penalty(fit: Fit): number {
  return fit === 'equal' ? 0 : fit === 'start' ? 10 : 250
}

interface Finding {
  typed: string
  context: Context
  vocabulary: Vocabulary
  /** The answers so far, by the key of their request. */
  answers: ReadonlyMap<string, readonly Found[]>
  /** How often and how lately a row was used; it decides between equal matches. */
  familiarity: (id: string) => number
}

/** The rows of a query, best first; equal ones in the order of the commands. */
export function rowsFor({ typed, context, vocabulary, answers, familiarity }: Finding): PaletteRow[] {
  const { text, scope } = parse(typed)
  const isEmpty = text === ''
  const locals = vocabulary.commands
    .filter((command) => isOffered(command, context))
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
  return riskyNotFirst(sorted)
}

/** What ends a session, deletes or clears is first only if its own word was typed from its start. */
function riskyNotFirst(rows: readonly PaletteRow[]): PaletteRow[] {
  const [first, second, ...rest] = rows
  const isGuess = first?.command?.command.isRisky === true && first.score < worth.typedWrong
  if (!first || !isGuess) return [...rows]
  return second ? [second, first, ...rest] : []
}

/** Words such as "the" are left out, unless there are no others. */
function meaningful(words: readonly string[]): readonly string[] {
  const rest = words.filter((word) => !['the', 'a', 'of', 'to', 'please', 'this', 'is', 'on'].includes(word))
  return rest.length > 0 ? rest : words
}

function commandRow(command: Command, context: Context, hasKeys = true): PaletteRow {
  const enabled = command.enabled?.(context) ?? true
  const keys = keysOf(command)
  return {
    id: command.id,
    section: command.id.startsWith('go.') ? 'screen' : 'command',
    title: command.title(context),
    ...(hasKeys && keys !== undefined && { keys }),
    ...(enabled !== true && { reason: enabled }),
    ...(command.noun !== undefined && { noun: command.noun }),
    ...(command.note?.(context) && { detail: command.note(context) }),
    command: { command, context },
    score: 0,
  }
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

interface Answered {
  context: Context
  answers: Finding['answers']
}

function rowsOfReading(reading: Sentence, at: Answered): PaletteRow[] {
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

function literalRows(request: Request, { context, answers }: Answered): PaletteRow[] {
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
  if (isLast) return [{ ...recordRow(found), score: worth.newest }]
  if (verb.length > 0)
    return verb.flatMap((command): PaletteRow[] => {
      if (command.takes?.noun === found.noun.name)
        return [{ ...takingRow(command, found), score: isWeak ? worth.typedWrong : worth.sentence }]
      if (command.noun !== found.noun.name) return []
      const row = commandOnRecord(command, found, context)
      const score = found.match === 'exact' ? worth.sentence + 10 : worth.sentence
      return [{ ...row, score: (isWeak ? worth.typedWrong : score) - (row.reason === undefined ? 0 : 5) }]
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
    detail: noun.describe?.(row) ?? capitalised(noun.singular),
    record: { noun, row },
    href: hrefOf(noun, row),
    score: 0,
  }
}

function hrefOf(noun: Noun, row: Row<object>): string {
  const own = noun.calls.one === undefined ? '' : noun.href?.(row)
  if (own) return own
  const { id } = refOf(noun, row)
  return narrowed(noun, `id:${id}`, noun.nameOf(row))
}

/** The address of a list that shows only what the term of its filter says, or what is found by the text. */
function narrowed(noun: Noun, term: string, text: string): string {
  const offered = offeredTerms(noun)
  const terms = term.split(',').filter((one) => offered.includes(one.replace(/(?<=:).*/, '')))
  const isWhole = terms.length === term.split(',').length
  const parameters = isWhole
    ? { filter: term }
    : { [noun.search?.parameter ?? 's']: text, ...(terms.length > 0 && { filter: terms.join(',') }) }
  return `${noun.path}?${new URLSearchParams(parameters).toString().replaceAll('%3A', ':').replaceAll('%2C', ',')}`
}

/** The terms of a list's filter that the server offers. */
const offeredTerms = ({ calls }: Noun): readonly string[] =>
  getDefaultStore().get(capabilitiesAtom).filters[calls.collection] ?? []

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
    detail: found.noun.describe?.(found.row) ?? '',
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
    detail: found.noun.describe?.(found.row) ?? '',
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
    title: `${capitalised(filter ? `${filter.label.toLowerCase()} ${noun.plural}` : noun.plural)} of ${name}`,
    detail: owner.noun.describe?.(owner.row) ?? '',
    href: narrowed(noun, term, name),
    score: 0,
  }
}

/** The lists that show what belongs to a record, and the record itself if it has no commands; those that the query fits. */
export function relatedRows(owner: NounRow, query: string): PaletteRow[] {
  const words = wordsOf(query)
  const itself = owner.noun.commands.length > 0 ? [] : [recordRow(owner)]
  const lists = allNouns()
    .filter(({ owners }) => owners?.includes(owner.noun.name))
    .map((noun) => listRow(noun, undefined, owner))
  return [...itself, ...lists].filter(
    ({ title }) => words.length === 0 || isGood(allFit(words, wordsOf(title))),
  )
}

const isGood = (fit: Fit) => fit === 'equal' || fit === 'start'

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
              href: `${of.path}?filter=${filter.term}`,
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
      href: `${noun.path}?${new URLSearchParams({ [noun.search?.parameter ?? 's']: object }).toString()}`,
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

const capitalised = (text: string) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())

/** Opens what the row stands for, where it is no command. */
export function openRow({ href }: PaletteRow): void {
  if (href !== undefined) navigate(href)
}
