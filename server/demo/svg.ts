/** An SVG document that scales to the size of its container. */
export function svg(width: number, height: number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${content}</svg>\n`
}

interface Lettering {
  size?: number
  fill?: string
  weight?: number
  anchor?: 'start' | 'middle' | 'end'
}

/** One line of text in the system font of the viewer. */
export function label(x: number, y: number, text: string, style: Lettering = {}): string {
  const { size = 18, fill = '#1c2b2d', weight = 500, anchor = 'start' } = style
  return (
    `<text x="${x}" y="${y}" font-family="system-ui, sans-serif" font-size="${size}" font-weight="${weight}" ` +
    `fill="${fill}" text-anchor="${anchor}">${escapeXml(text)}</text>`
  )
}

/** Escapes text for an element or an attribute. Removes characters that are not allowed in XML. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
