import { icons } from './icons.ts'
import { seeded } from './random.ts'
import { svg } from './svg.ts'

/** The picture of an attraction or a blog post: sky, sun, hills and one icon. `seed` places the sun and the hills. */
export function poster(icon: string, palette: readonly string[], seed: number): string {
  const random = seeded(seed, 960)
  const [sky = '#7d8f69', ground = '#3f5d3a'] = palette
  const sun = 180 + random.int(600)
  const [left, middle, right] = [380, 340, 400].map((height) => height - 40 + random.int(80))
  return svg(
    960,
    600,
    `<rect width="960" height="600" fill="${sky}"/>` +
      `<circle cx="${sun}" cy="${140 + random.int(70)}" r="${60 + random.int(30)}" fill="#fff" fill-opacity=".28"/>` +
      `<path d="M0 ${left}Q240 ${middle} 480 ${right}T960 ${middle}V600H0z" fill="${ground}" fill-opacity=".55"/>` +
      `<path d="M0 ${right}Q300 ${left} 560 460T960 ${left}V600H0z" fill="${ground}"/>` +
      `<svg x="330" y="130" width="300" height="300" viewBox="0 0 100 100" fill="${isPale(sky) ? ground : '#fff'}">${icons[icon] ?? ''}</svg>`,
  )
}

/** Whether white is hard to see on this colour. */
function isPale(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => parseInt(colour.slice(from, from + 2), 16))
  return 0.3 * red + 0.59 * green + 0.11 * blue > 200
}
