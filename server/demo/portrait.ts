import { sexOfDriver } from './drivers.ts'
import type { Random } from './random.ts'
import { seeded } from './random.ts'

/** A simple drawn face of 240 by 240, always the same for the same driver. */
export function portrait(id: number): string {
  const random = seeded(id, 240)
  const skin = random.pick(['#5b3a29', '#6b4430', '#7a4e36', '#8a5a3c', '#4a2f23'])
  const shirt = random.pick(['#1f6f78', '#2f4858', '#7a3b2e', '#44633f', '#5a4a78', '#b0752c'])
  const hair = sexOfDriver(id) === 'female' ? longHair(random) : shortHair(random)
  return (
    `<rect width="240" height="240" fill="${random.pick(['#dfe7e2', '#e9dfd0', '#d8e2ea', '#ece3e0', '#e3e6d3'])}"/>` +
    hair.behind +
    `<path d="M34 240c4-48 38-66 86-66s82 18 86 66z" fill="${shirt}"/>` +
    `<path d="M98 150h44v30q-22 20-44 0z" fill="${skin}"/>` +
    `<ellipse cx="120" cy="108" rx="46" ry="56" fill="${skin}"/>` +
    hair.inFront +
    `<g fill="#22150f"><circle cx="102" cy="108" r="5"/><circle cx="138" cy="108" r="5"/></g>` +
    `<path d="M103 136q17 ${8 + random.int(8)} 34 0" fill="none" stroke="#22150f" stroke-width="4" stroke-linecap="round"/>`
  )
}

interface Hair {
  behind: string
  inFront: string
}

function shortHair(random: Random): Hair {
  const cap = random.pick(['#27333d', '#7d2b25', '#2b4d3a'])
  const inFront = random.pick([
    '',
    '<path d="M74 98q2-50 46-50t46 50q-12-26-46-26t-46 26z" fill="#1d1512"/>',
    '<path d="M72 104q-2-62 48-62t48 62l-10-20q-36-20-76 0z" fill="#1d1512"/>',
    '<path d="M74 92q4-44 46-44t46 44q-46-14-92 0z" fill="#3b3430"/>',
    `<path d="M72 86q4-44 48-44t48 44l22 10H72z" fill="${cap}"/>`,
  ])
  return { behind: '', inFront }
}

function longHair(random: Random): Hair {
  const scarf = random.pick(['#8c2f39', '#2f5d62', '#c08a2d', '#4b3b73'])
  return random.pick([
    {
      behind: '<path d="M62 190V104q0-64 58-64t58 64v86z" fill="#1d1512"/>',
      inFront: '<path d="M74 100q4-46 46-46t46 46q-30-24-92 0z" fill="#1d1512"/>',
    },
    {
      behind: `<path d="M58 206q-6-168 62-168t62 168z" fill="${scarf}"/>`,
      inFront: `<path d="M72 110q-2-64 48-64t48 64q-6-40-48-40t-48 40z" fill="${scarf}"/>`,
    },
    {
      behind: '<circle cx="120" cy="44" r="30" fill="#1d1512"/>',
      inFront: '<path d="M73 98q3-46 47-46t47 46q-20-26-47-26t-47 26z" fill="#1d1512"/>',
    },
  ])
}
