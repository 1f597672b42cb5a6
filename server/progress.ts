/** Shows progress on standard error: a bar in a terminal, else one line per step. */
export function showProgress(title: string): {
  update: (done: number, total: number, what: string) => void
  done: () => void
} {
  const started = Date.now()
  let shown = -1
  let step = ''
  const write = (done: number, total: number, what: string) => {
    const share = total === 0 ? 1 : done / total
    const seconds = (Date.now() - started) / 1000
    const left = share > 0.02 && share < 1 ? `, ${Math.ceil((seconds / share) * (1 - share))} s left` : ''
    const bar = '█'.repeat(Math.round(share * 24)).padEnd(24, '░')
    process.stderr.write(`\r\x1b[K${title} ${bar} ${Math.floor(share * 100)}% ${what}${left}`)
  }
  return {
    update: (done, total, what) => {
      if (process.stderr.isTTY) {
        const tenth = Math.floor((done / Math.max(total, 1)) * 1000)
        if (tenth !== shown || what !== step) write(done, total, what)
        shown = tenth
      } else if (what !== step) {
        process.stderr.write(`${title}: ${what}\n`)
      }
      step = what
    },
    done: () => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1)
      process.stderr.write(
        process.stderr.isTTY
          ? `\r\x1b[K${title}: done in ${seconds} s\n`
          : `${title}: done in ${seconds} s\n`,
      )
    },
  }
}
