import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'

/** Renders what is in it when its place comes into view, and keeps it. */
export function Near({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) setNear(true)
    })
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return isNear ? children : <div ref={place} style={{ minBlockSize: '12rem' }} />
}
