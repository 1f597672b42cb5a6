import { phone } from '../../format.ts'
import { useCellTabIndex } from '../ui/cell.ts'

/** A phone number that can be dialled; text without digits is no number. */
export function PhoneLink({ number }: { number: unknown }) {
  const tabIndex = useCellTabIndex()
  const shown = phone(number)
  const digits = shown.replace(/\D/g, '')
  if (!digits) return shown
  return (
    <a href={`tel:+${digits}`} tabIndex={tabIndex}>
      {shown}
    </a>
  )
}
