import { fold } from '../fold.ts'
import names from './data/names-ke.json' with { type: 'json' }
import type { Random } from './random.ts'
import { weighted } from './random.ts'

export type Sex = 'male' | 'female'

/** A random name, by the rules in `how_to_use` of names-ke.json. Never the name of a public figure. */
export function personName(random: Random, sex: Sex): string {
  for (;;) {
    const parts = draw(random, sex)
    if (new Set(parts).size === parts.length && !isAvoided(parts)) return parts.join(' ')
  }
}

/**
 * One of the long, short or non-Latin names that forms and columns must handle. Each is for one index; null for all
 * others.
 */
export function unusualName(group: 'drivers' | 'customers', index: number, count: number): string | null {
  const list = unusual[group]
  const turn = Math.floor((index * list.length) / count)
  return index === Math.floor(((turn + 0.5) * count) / list.length) ? (list[turn] ?? null) : null
}

type Community = (typeof names.communities)[number]

const pickCommunity = weighted(names.communities, (community) => community.weight)
const patterns = new Map(
  names.communities.map((community) => [
    community,
    weighted(
      community.patterns.map(([template, weight]) => ({
        places: [...String(template).matchAll(/\w+/g)].map(String),
        weight: Number(weight),
      })),
      (pattern) => pattern.weight,
    ),
  ]),
)

function draw(random: Random, sex: Sex): string[] {
  const community = pickCommunity(random)
  const pattern = patterns.get(community)?.(random)
  return (pattern?.places ?? []).map((place) => {
    if (place === 'given') return random.pick(givenNames(random, community, sex))
    if (place === 'middle') return random.pick(community[sex])
    if (place === 'muslim_male') return random.pick(names.shared.muslim.male)
    if (place === 'own_male') return random.pick(community.male)
    return random.pick(surnames(random, community, sex))
  })
}

function givenNames(random: Random, community: Community, sex: Sex): string[] {
  const { shared_given } = community
  if ((shared_given === 'christian' || shared_given === 'muslim') && random.chance(0.8))
    return names.shared[shared_given][sex]
  return community[sex]
}

/** A few women have a surname from another community, as after marriage. */
function surnames(random: Random, community: Community, sex: Sex): string[] {
  return (sex === 'female' && random.chance(0.06) ? pickCommunity(random) : community).surnames
}

const avoided = new Set(names.avoid_full_names.map(fold))

/** Also compares first and last name only, because a middle name does not make a public figure unrecognisable. */
function isAvoided(parts: string[]): boolean {
  return avoided.has(fold(parts.join(' '))) || avoided.has(fold(`${parts[0] ?? ''} ${parts.at(-1) ?? ''}`))
}

const everyUnusual = [
  ...names.edge_cases.map((edge) => edge.full_name),
  "Siobhán O'Brien-D'Souza",
  'Mwanahamisi Binti Abdulrahman Sheikh Mohammed Al-Maawy wa Mwinyi Mzee Kombo',
  'Wambũi',
  'عبد الرحمن محمد الشيخ',
  'ሀና ተስፋዬ',
  '王秀英',
  'Nguyễn Thị Ánh',
  'José María Núñez y Ibáñez',
]
const unusual = {
  drivers: everyUnusual.filter((_, index) => index % 2 === 0),
  customers: everyUnusual.filter((_, index) => index % 2 === 1),
}
