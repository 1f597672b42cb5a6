import styles from './driver.module.css'

/** Keeps the place of a card that is still to come, so that what is below it does not move. */
export const CardPlace = ({ isTall }: { isTall: boolean }) => (
  <div className={styles.card} data-tall={isTall} aria-hidden>
    <h3>&nbsp;</h3>
    <p />
  </div>
)
