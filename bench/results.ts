import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'

const title = '# Results\n\nWritten by the programs in this folder; each replaces its own sections.\n'

/** Replaces one section of RESULTS.md and leaves the others as they are; a new section comes last. */
export async function writeSection(
  name: string,
  text: string,
  file = join(import.meta.dirname, 'RESULTS.md'),
): Promise<void> {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : title
  const [start, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`]
  const section = `${start}\n\n${text.trim()}\n\n${end}`
  const [from, to] = [before.indexOf(start), before.indexOf(end)]
  const after =
    from < 0 || to < from
      ? `${before}\n${section}\n`
      : before.slice(0, from) + section + before.slice(to + end.length)
  writeFileSync(
    file,
    await format(after, { ...(await resolveConfig(import.meta.filename)), parser: 'markdown' }),
  )
}

/** A table of Markdown. All columns but the first one hold figures. */
export function tableOf(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const rows = [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...lines]
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n')
}
