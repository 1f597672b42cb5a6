import { useState } from 'react'
import { initials } from '../../format.ts'
import styles from './avatar.module.css'

/** A picture, or initials if it is missing or until it is loaded. `size` in px. */
export function Avatar({ name, image = '', size }: { name: string; image?: string; size: number }) {
  const [loaded, setLoaded] = useState('')
  const isShown = image !== '' && loaded === image
  return (
    <span className={styles.avatar} style={{ inlineSize: size, blockSize: size, fontSize: size * 0.38 }}>
      {image && <img src={image} alt={name} hidden={!isShown} onLoad={() => setLoaded(image)} />}
      {!isShown && <span aria-hidden>{initials(name)}</span>}
    </span>
  )
}
