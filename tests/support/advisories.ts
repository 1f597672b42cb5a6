import { Type } from 'typebox'
import { Value } from 'typebox/value'

const Report = Type.Object({
  vulnerabilities: Type.Record(
    Type.String(),
    Type.Object({ severity: Type.String(), nodes: Type.Array(Type.String()) }),
  ),
})
const Failure = Type.Object({ message: Type.String() })

/** What the JSON of `npm audit` means. The exit code is 1 for a vulnerability of severity high or critical, 2 if nothing was checked. */
export function verdictOf(json: string): { text: string; code: 0 | 1 | 2 } {
  const report = parse(json)
  if (!Value.Check(Report, report)) {
    const reason = Value.Check(Failure, report) ? report.message : 'npm gave no report'
    return { text: `Nothing was checked, because the registry does not answer: ${reason}`, code: 2 }
  }
  const found = Object.entries(report.vulnerabilities)
  const grave = found.some(([, { severity }]) => severity === 'high' || severity === 'critical')
  const lines = found.map(([name, { severity, nodes }]) => `${severity}: ${name} (${nodes.join(', ')})`)
  const sum = grave
    ? 'Production packages have vulnerabilities of severity high or critical. npm audit tells more.'
    : 'No production package has a known vulnerability of severity high or critical.'
  return { text: [...lines, sum].join('\n'), code: grave ? 1 : 0 }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
