/** What the main thread did from an input to the frame that shows its effect, in milliseconds. All but `total` add up to it. */
export interface Spent {
  total: number
  script: number
  /** Reading and compiling scripts. */
  compile: number
  collection: number
  style: number
  layout: number
  /** Everything from the layout to the frame that the main thread hands over. */
  paint: number
  /** Tasks of the browser itself. */
  other: number
  /** No task ran: for the next frame, an answer of the server or a timer. */
  waiting: number
}

type Kind = Exclude<keyof Spent, 'total' | 'waiting'>

/** The categories that `spentIn` needs. */
export const categories = [
  'blink.user_timing',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-v8.compile',
  'v8',
]

const kinds: readonly (readonly [Kind, RegExp])[] = [
  ['compile', /^v8\.(compile|produce|deserialize|parse)|^V8\.(Compile|Deserialize|Parse|Preparse)/],
  ['collection', /^(MinorGC|MajorGC|V8\.GC|BlinkGC)/],
  ['style', /^(UpdateLayoutTree|RecalcStyle|ParseAuthorStyleSheet|Document::updateStyle)/],
  ['layout', /^(Layout|HitTest|UpdateLayerTree)$/],
  ['paint', /^(PrePaint|Paint|PaintImage|Layerize|Commit|CompositeLayers|UpdateLayer)$/],
  ['script', /^(FunctionCall|EvaluateScript|EventDispatch|RunMicrotasks|TimerFire|Fire|XHR|v8\.|V8\.)/],
]

interface TraceEvent {
  name: string
  /** X: an event with a duration; b and e: the begin and end of a measure. */
  ph: string
  /** In microseconds. */
  ts: number
  dur: number
  pid: number
  tid: number
}

/** For each `bench NAME` measure of a trace in Chromium's format, in their order, its name and what the thread did that measured it. */
export function spentIn(trace: string): { name: string; spent: Spent }[] {
  const events = eventsOf(JSON.parse(trace))
  const isMeasure = ({ name, ph }: TraceEvent, wanted: string) => ph === wanted && name.startsWith('bench ')
  const begins = events.filter((event) => isMeasure(event, 'b'))
  return begins.flatMap((begin) => {
    const { name, pid, tid, ts } = begin
    const end = events.find((event) => isMeasure(event, 'e') && event.name === name && event.ts >= ts)
    if (!end) return []
    const tasks = events.filter((event) => event.ph === 'X' && event.pid === pid && event.tid === tid)
    return [{ name: name.replace('bench ', ''), spent: sumOf(tasks, ts, end.ts) }]
  })
}

/** Each moment between `from` and `to` counts for the innermost event whose kind is known. */
function sumOf(events: readonly TraceEvent[], from: number, to: number): Spent {
  const spent: Spent = {
    ...{ total: (to - from) / 1000, script: 0, compile: 0, collection: 0 },
    ...{ style: 0, layout: 0, paint: 0, other: 0, waiting: 0 },
  }
  const inside = events
    .filter(({ ts, dur }) => ts < to && ts + dur > from)
    .toSorted((a, b) => a.ts - b.ts || b.dur - a.dur)
  const open: { kind: Kind; end: number }[] = []
  let now = from
  /** Counts the time until `until` for what is open, and closes what ends before. */
  const goOn = (until: number) => {
    while (now < until) {
      const inner = open.at(-1)
      const next = Math.min(until, inner?.end ?? until)
      spent[inner?.kind ?? 'waiting'] += Math.max(next - now, 0) / 1000
      now = Math.max(now, next)
      if (inner && inner.end <= now) open.pop()
    }
  }
  for (const { name, ts, dur } of inside) {
    goOn(Math.max(ts, from))
    const around = open.at(-1)
    const end = Math.min(ts + dur, to, around?.end ?? to)
    if (end > now) open.push({ kind: kindOf(name) ?? around?.kind ?? 'other', end })
  }
  goOn(to)
  return spent
}

const kindOf = (name: string): Kind | undefined => kinds.find(([, names]) => names.test(name))?.[0]

function eventsOf(trace: unknown): TraceEvent[] {
  const list = typeof trace === 'object' && trace !== null && 'traceEvents' in trace ? trace.traceEvents : []
  if (!Array.isArray(list)) return []
  return list.flatMap((event: unknown) => {
    if (typeof event !== 'object' || event === null) return []
    const fields = new Map<string, unknown>(Object.entries(event))
    const numberOf = (name: string) => Number(fields.get(name) ?? 0)
    return [
      {
        ...{ name: String(fields.get('name')), ph: String(fields.get('ph')) },
        ...{ ts: numberOf('ts'), dur: numberOf('dur'), pid: numberOf('pid'), tid: numberOf('tid') },
      },
    ]
  })
}
