const browsers = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+).*\bSafari\//],
] as const
const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** The browser that a User-Agent header names: "Firefox 143 on Windows"; null for another program. */
export function browserOf(agent = ''): string | null {
  for (const [name, pattern] of browsers) {
    const version = pattern.exec(agent)?.[1]
    if (version === undefined) continue
    const system = systems.find(([, pattern]) => pattern.test(agent))?.[0]
    return `${name} ${version}${system ? ` on ${system}` : ''}`
  }
  return null
}
