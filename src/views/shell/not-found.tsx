import { Link } from 'wouter'
import styles from './notice.module.css'

/** S2.t.1 */
export function NotFound() {
  return (
    <div className={styles.notice}>
      <title>Not found · Twende OMS</title>
      <h1>OOPS! The page you are looking for does not exist</h1>
      <Link href="/" className="button">
        Go home
      </Link>
    </div>
  )
}
