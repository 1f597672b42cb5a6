import { whenIdle } from '../../idle.ts'
import { listAddress, offeredTerms } from '../address.ts'
import type { Command, Context } from '../command.ts'
import { isOffered } from '../command.ts'
import type { Noun } from '../noun.ts'
import { filtered } from '../noun.ts'
import { isNameOnly, parse, people } from './asking.ts'
import type { Answered } from './record-rows.ts'
import { literalRows, rowsOfReading } from './record-rows.ts'
import type { PaletteRow } from './row.ts'
import { capitalised, commandRow, isScreen, penalty, worth } from './row.ts'
import type { Sentence, Vocabulary } from './sentence.ts'
import { nounWords, readingsOf } from './sentence.ts'
import type { Fit } from './words.ts'
import { allFit, canBeTypo, fold, wordsOf } from './words.ts'

interface Finding extends Answered {
  typed: string
  vocabulary: Vocabulary
  /** How often and how lately a row was used; it decides between equal matches. */
  familiarity: (id: string) => number
}

/** The rows of a query, best first; equal ones in the order of the commands. */
export function rowsFor({ typed, context, vocabulary, answers, familiarity }: Finding): PaletteRow[] {
  const { text, scope } = parse(typed)
  const isNear = nearOf(text, context, vocabulary)
  const isHere = (command: Command) =>
    (scope !== 'screens' || isScreen(command)) && isNear(command) && isOffered(command, context)
  if (text === '') return vocabulary.commands.filter(isHere).map((command) => commandRow(command, context))
  const readings = scope === 'all' || scope === 'commands' ? readingsOf(text, vocabulary) : []
  const local =
    scope === 'people' || scope === 'ids'
      ? []
      : localRows(vocabulary, scope === 'screens' ? text.replaceAll('/', ' ') : text, {
          context,
          isHere,
          familiarity,
        })
  const found = [
    ...readings.flatMap((reading, at) =>
      rowsOfReading(reading, { context, answers }).map((row) => ({
        ...row,
        // A less likely reading counts less, but a record counts as itself: its name, its id; "open kamau" is the command first.
        score: row.score - (at === readings.length - 1 ? 0 : isNameOnly(reading) ? 20 : 100 * at),
      })),
    ),
    ...(scope === 'people' || scope === 'ids'
      ? literalRows({ q: fold(text), nouns: scope === 'people' ? people() : [] }, { context, answers })
      : []),
  ]
  const filters = scope === 'all' ? filterRows(readings, text) : []
  const lists = readings.flatMap((reading) => searchRows(reading))
  const verbs = readings.flatMap((reading) => verbRows(reading, isHere, context))
  const choosers = scope === 'all' || scope === 'commands' ? chooserRows(readings, isHere) : []
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

/** For each command, whether the list that it is about, if it is about one, is on screen or named. */
function nearOf(text: string, { path }: Context, { nouns }: Vocabulary): (command: Command) => boolean {
  const typed = ` ${fold(text)} `
  const isNamed = (noun: Noun) => nounWords(noun).some((word) => typed.includes(` ${word} `))
  const near = new Set([path, ...nouns.filter(isNamed).map((noun) => noun.path)])
  return ({ list }) => list === undefined || near.has(list)
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

/** A command and the words that find it, folded. */
interface Known {
  command: Command
  title: string
  /** Folded. */
  whole: string
  phrases: readonly string[]
  names: readonly string[]
  all: readonly string[]
  /** The words of `names` and of `all`, each with a space before and after it. */
  namesText: string
  text: string
}

const knownWords = new WeakMap<Command, Known>()

/** Folding 10,000 titles at each key would take longer than a frame. */
function wordsFor(command: Command, title: string): Known {
  const known = knownWords.get(command)
  if (known?.title === title) return known
  const phrases = [...(command.verbs ?? []), ...(command.synonyms ?? [])]
  const names = [...wordsOf(title), ...phrases.flatMap(wordsOf)]
  const all = [...new Set([...names, ...wordsOf(`${command.about} ${command.keywords ?? ''}`)])]
  const [namesText, text] = [['', ...names, ''].join(' '), ['', ...all, ''].join(' ')]
  const made = { command, title, whole: fold(title), phrases: phrases.map(fold), names, all, namesText, text }
  knownWords.set(command, made)
  return made
}

/** The commands of a list with their words, and all of their texts one after the other. */
interface KnownList {
  known: Known[]
  text: string
  /** Where the text of each begins. */
  starts: number[]
}

const knownLists = new WeakMap<readonly Command[], KnownList>()

/** To look up the words of 10,000 commands at each key would take half of its time. */
function listFor({ commands, nouns }: Vocabulary, context: Context): KnownList {
  // A command on a record is found by its own words, not by the name of the record in its title, unless only those of one record are asked for.
  const isAlone = nouns.length === 0
  const last = knownLists.get(commands)
  const known = commands.map((command, at) => {
    const title = command.noun === undefined || isAlone ? command.title(context) : command.about
    const before = last?.known[at]
    return before?.title === title ? before : wordsFor(command, title)
  })
  if (last && known.every((one, at) => one === last.known[at])) return last
  let length = 0
  const starts = known.map(({ text }) => (length += text.length) - text.length)
  const list = { known, text: known.map(({ text }) => text).join(''), starts }
  knownLists.set(commands, list)
  return list
}

/** Those whose text has this part of it. The browser searches one long text many times faster than 10,000 short ones. */
function knownWith(part: string, { known, text, starts }: KnownList): Known[] {
  const found: Known[] = []
  let next = 0
  for (
    let hit = text.indexOf(part);
    hit >= 0 && next < known.length;
    hit = text.indexOf(part, starts[next])
  ) {
    while ((starts[next] ?? Infinity) <= hit) next++
    const one = known[next - 1]
    if (one) found.push(one)
  }
  return found
}

/**
 * Prepares the words of the commands when the browser has nothing else to do, for at most 8 ms at a time, so that the first key does not
 * wait for them. Returns a function that ends this.
 */
export function prepareWords(vocabulary: Vocabulary): () => void {
  const { commands } = vocabulary
  const context = { path: '', targets: [] }
  // Code is several times slower until the browser has compiled it, which it does for code that has run.
  const trials = ['a', 'b']
  let at = 0
  let end: () => void
  const next = (time: number) => {
    const until = performance.now() + Math.min(time, 8)
    for (let command = commands[at]; command && performance.now() < until; command = commands[++at])
      wordsFor(command, command.noun === undefined ? command.title(context) : command.about)
    const typed = at < commands.length || time < 8 ? undefined : trials.shift()
    if (typed !== undefined) rowsFor({ typed, context, vocabulary, answers: new Map(), familiarity: () => 0 })
    if (trials.length > 0) end = whenIdle(next)
  }
  end = whenIdle(next)
  return () => end()
}

/** The palette shows fewer rows. Those that match worse than so many others are not looked for. */
const enough = 20

interface Near {
  context: Context
  isHere: (command: Command) => boolean
  familiarity: (id: string) => number
}

/** The rows of the commands that the words of the text find, best first. */
function localRows(
  vocabulary: Vocabulary,
  text: string,
  { context, isHere, familiarity }: Near,
): PaletteRow[] {
  const typed = typedOf(fold(text), meaningful(wordsOf(text)))
  const list = listFor(vocabulary, context)
  const find = (part: string, fits: Fits) => {
    const found: Found[] = []
    for (const known of part === '' ? list.known : knownWith(part, list)) {
      const { command } = known
      if (!isHere(command)) continue
      const score = localScore(known, typed, fits)
      if (score > 0) insert(found, { command, score, used: familiarity(command.id) })
    }
    return found
  }
  const good = find(longest(typed.starts), beginnings)
  const found = good.length < enough ? find(longest(typed.exact), anyFit) : good
  return found.map(({ command, score }) => ({ ...commandRow(command, context), score }))
}

const longest = (texts: readonly string[]) =>
  texts.reduce((long, one) => (one.length > long.length ? one : long), '')

interface Found {
  command: Command
  score: number
  used: number
}

/** Keeps the best of those found, in order; equal ones as they come. To sort thousands at each key would take longer. */
function insert(found: Found[], one: Found): void {
  const at =
    found.findLastIndex(({ score, used }) => score > one.score || (score === one.score && used >= one.used)) +
    1
  if (at === enough) return
  found.splice(at, 0, one)
  found.length = Math.min(found.length, enough)
}

interface Typed {
  /** Folded. */
  query: string
  words: readonly string[]
  /** The words as whole words and as beginnings in the text of a command. */
  wholes: readonly string[]
  starts: readonly string[]
  /** The words that cannot be typed wrong: each is somewhere in the text of a command that fits. */
  exact: readonly string[]
}

const typedOf = (query: string, words: readonly string[]): Typed => ({
  query,
  words,
  wholes: words.map((word) => ` ${word} `),
  starts: words.map((word) => ` ${word}`),
  exact: words.filter((word) => !canBeTypo(word)),
})

/** How well the typed words fit the names of a command, and all its words. */
type Fits = (known: Known, typed: Typed) => { byName: Fit; byAny: () => Fit }

/** Only whole words and beginnings. To look into one text takes a fraction of the time of looking at each word. */
const beginnings: Fits = ({ namesText, text }, { wholes, starts }) => {
  const fitIn = (words: string): Fit =>
    !starts.every((start) => words.includes(start))
      ? null
      : wholes.every((whole) => words.includes(whole))
        ? 'equal'
        : 'start'
  return { byName: fitIn(namesText), byAny: () => fitIn(text) }
}

/** Typing errors and the middles of words, too. */
const anyFit: Fits = ({ names, all, text }, { words, exact }) =>
  exact.every((word) => text.includes(word))
    ? { byName: allFit(words, names), byAny: () => allFit(words, all) }
    : { byName: null, byAny: () => null }

function localScore(known: Known, typed: Typed, fits: Fits): number {
  const { command } = known
  if (typed.query === known.whole || known.phrases.includes(typed.query))
    return command.isViewOption ? worth.viewOption : worth.wholeLocal
  const { byName, byAny } = fits(known, typed)
  const isByName = byName === 'equal' || byName === 'start'
  const more = isByName ? byName : byAny()
  const score = isByName
    ? worth.localStart + (byName === 'equal' ? 5 : 0)
    : more === 'equal' || more === 'start'
      ? worth.localKeyword
      : byName === 'typo' || more === 'typo'
        ? worth.localTypo
        : more === 'middle' && !command.isRisky
          ? worth.middle
          : 0
  if (command.isViewOption) return Math.min(score, worth.viewOption)
  // Of equal matches the screen comes before what can be done on it.
  return isScreen(command) && score > 0 ? score + 3 : score
}

/** The lists that the words for filters mean: "overdue" is the overdue invoices. */
function filterRows(readings: readonly Sentence[], text: string): PaletteRow[] {
  return readings.flatMap(({ filters, object, fit, noun }) =>
    object
      ? []
      : filters.flatMap(({ noun: of, filter }): PaletteRow[] => {
          const offered = offeredTerms(of)
          if (!filter.term.split(',').every((term) => offered.includes(term))) return []
          const isWhole = !filter.and && [filter.label, ...filter.words].map(fold).includes(fold(text))
          return [
            {
              id: `list ${of.name} ${filter.term}`,
              noun: of.name,
              section: 'list',
              title: capitalised(filtered(filter, of)),
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
  isHere: (command: Command) => boolean,
  context: Context,
): PaletteRow[] {
  if (object || filters.length > 0 || isLast) return []
  const score = fit === 'typo' ? worth.localTypo : worth.verbAlone - penalty(fit) * 9
  return verb.filter(isHere).map((command) => ({ ...commandRow(command, context), score }))
}

/** For a verb without an object: rows that complete the query, so that the object can be typed. */
function chooserRows(readings: readonly Sentence[], isHere: (command: Command) => boolean): PaletteRow[] {
  return readings.flatMap(({ verb, object, fit, filters, isLast }) =>
    object || filters.length > 0 || isLast
      ? []
      : verb
          .filter((command) => command.noun !== undefined && !isHere(command))
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
