import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import '../../src/views/tokens.css'
import '../../src/views/base.css'
import { loadConfig } from '../../src/api/config.ts'
import { loadCapabilities } from '../../src/api/capabilities.ts'
import { queryClient } from '../../src/api/query-client.ts'
import type { Command } from '../../src/commands/command.ts'
import { joinSession } from '../../src/state/session.ts'
import { commands } from '../../src/views/app.tsx'
import { Palette } from '../../src/views/palette/palette.tsx'
import { Hotkeys } from '../../src/views/shell/hotkeys.tsx'

/** The palette of the product with `?n=` further commands, for the bench. */
const count = Number(new URLSearchParams(window.location.search).get('n') ?? 0)
const first = [
  'Amina',
  'Brian',
  'Cynthia',
  'Esther',
  'Faith',
  'Hassan',
  'Kevin',
  'Mercy',
  'Otieno',
  'Wanjiku',
]
const last = ['Achieng', 'Barasa', 'Chebet', 'Gitau', 'Kamau', 'Kariuki', 'Kiprop', 'Koech', 'Maina']
const more = Array.from({ length: count }, (_, at): Command => {
  const name = `${first[at % first.length] ?? ''} ${last[(at * 7) % last.length] ?? ''} DR-${String(at).padStart(5, '0')}`
  return { id: `sample.n${String(at)}`, about: name, title: () => name, run: () => undefined }
})

await Promise.all([loadConfig(), joinSession()])
await loadCapabilities(new AbortController().signal)
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      <h1 className="row">{String(count)} further commands</h1>
      <Hotkeys commands={commands} />
      <Palette commands={[...commands, ...more]} icons={new Map()} prefetch={() => Promise.resolve()} />
    </QueryClientProvider>,
  )
