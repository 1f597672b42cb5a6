import { Fragment } from 'react'
import styles from './key-hint.module.css'
import { isMac, spell } from '../../commands/keys.ts'

/** The keys of a command, as keycaps. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <span className={styles.keys}>
      {spell(keys, isMac).map((chord, index) => (
        <Fragment key={index}>
          {index > 0 && ' '}
          <kbd>{chord}</kbd>
        </Fragment>
      ))}
    </span>
  )
}
