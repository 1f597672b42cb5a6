import { Avatar as Radix } from 'radix-ui'
import { initials } from '../../format.ts'
import styles from './avatar.module.css'

/** A picture, or initials if it is missing or does not load. `size` in px. */
export function Avatar({ name, image, size }: { name: string; image?: string; size: number }) {
  return (
    <Radix.Root
      className={styles.avatar}
      style={{ inlineSize: size, blockSize: size, fontSize: size * 0.38 }}
    >
      {image && <Radix.Image src={image} alt={name} />}
      <Radix.Fallback>
        <span aria-hidden>{initials(name)}</span>
      </Radix.Fallback>
    </Radix.Root>
  )
}
