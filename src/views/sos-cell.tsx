import { Siren } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SosLog } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import type { Command } from '../commands/command.ts'
import { targetsOf } from '../commands/command.ts'
import { driverHref } from '../commands/nouns/driver.ts'
import {
  acknowledge,
  callCustomer,
  callDriver,
  callHref,
  isNew,
  mapHref,
  openMap,
  sos as noun,
} from '../commands/nouns/sos.ts'
import { partyName, partyPhone } from '../commands/party.ts'
import { dayAndTime, text } from '../format.ts'
import { Age } from './age.tsx'
import styles from './sos-cell.module.css'
import { RecordLink } from './table/record-link.tsx'
import { useCellTabIndex } from './ui/cell.ts'
import { CommandButton } from './ui/command-button.tsx'

export interface SosCellProps {
  part: 'raised' | 'driver' | 'customer' | 'latitude' | 'longitude' | 'date'
  log: Row<SosLog>
  /** The text that S2.r.2 asks for. */
  plain: string
}

/** A cell of an SOS log from a server that offers acknowledging: with links, and with a second line. */
export default function SosCell({ part, log, plain }: SosCellProps) {
  return parts[part](log, plain)
}

const parts: Record<SosCellProps['part'], (log: Row<SosLog>, plain: string) => ReactNode> = {
  raised: (log, plain) => (
    <Lines first={<Raised log={log} who={plain} />}>
      {isNew(log) ? (
        <CommandButton command={acknowledge} noun={noun} row={log} label="Acknowledge" />
      ) : (
        handlingOf(log)
      )}
    </Lines>
  ),
  driver: (log) => (
    <Party log={log} party={log.trip?.driver} href={driverHref(log.trip?.driver?.id)} call={callDriver} />
  ),
  customer: (log) => <Party log={log} party={log.trip?.customer} href="" call={callCustomer} />,
  latitude: (log, plain) => (
    <Lines first={<MapLink log={log}>{plain}</MapLink>}>{text(log.near?.text)}</Lines>
  ),
  longitude: (log, plain) => <MapLink log={log}>{plain}</MapLink>,
  date: (log, plain) => (
    <Lines first={plain}>
      <Age of={log.created_at} />
    </Lines>
  ),
}

function Lines({ first, children }: { first: ReactNode; children: ReactNode }) {
  return (
    <>
      {first} <span className={styles.second}>{children}</span>
    </>
  )
}

function Raised({ log, who }: { log: Row<SosLog>; who: string }) {
  if (!isNew(log)) return <span className={styles.who}>{who}</span>
  return (
    <strong className={styles.who} data-new>
      <Siren size={14} role="img" aria-label="New" /> {who}
    </strong>
  )
}

interface PartyProps {
  log: Row<SosLog>
  party: unknown
  /** Of the person's screen; blank if there is none. */
  href: string
  call: Command
}

function Party({ log, party, href, call }: PartyProps) {
  const name = partyName(party)
  return (
    <Lines
      first={<span className={styles.who}>{href ? <RecordLink href={href}>{name}</RecordLink> : name}</span>}
    >
      {callHref(party) && (
        <CommandLink command={call} log={log} href={callHref(party)}>
          {partyPhone(party)}
        </CommandLink>
      )}
    </Lines>
  )
}

function MapLink({ log, children }: { log: Row<SosLog>; children: string }) {
  if (!mapHref(log)) return children
  return (
    <CommandLink command={openMap} log={log} href={mapHref(log)}>
      {children}
    </CommandLink>
  )
}

interface CommandLinkProps {
  command: Command
  log: Row<SosLog>
  href: string
  children: string
}

/** The address that a command opens, as a real link. */
function CommandLink({ command, log, href, children }: CommandLinkProps) {
  return (
    <a
      href={href}
      tabIndex={useCellTabIndex()}
      data-command={command.id}
      aria-label={command.title({ path: noun.path, targets: targetsOf(noun, [log]) })}
      {...(href.startsWith('https:') && { target: '_blank', rel: 'noopener' })}
    >
      {children}
    </a>
  )
}

/** "Handled by grace.moraa, 12:31 pm", with the day if that is not the day on which it was raised. */
function handlingOf({ handled_at, handled_by, created_at }: Row<SosLog>): string {
  const [day, time = ''] = dayAndTime(handled_at).split(', ')
  const at = dayAndTime(created_at).startsWith(`${day ?? ''},`) ? time : dayAndTime(handled_at)
  const who = text(handled_by).replace(/@.*/, '')
  return `Handled by ${[who, at].filter(Boolean).join(', ')}`
}
