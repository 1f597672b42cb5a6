import { phone, phoneHref } from '../../format.ts'
import { useCellTabIndex } from '../ui/cell.ts'

/** A phone number that can be dialled; text without digits is no number. */
export function PhoneLink({ number }: { number: unknown }) {
  const tabIndex = useCellTabIndex()
  const shown = phone(number)
  const href = phoneHref(number)
  if (!href) return shown
  return (
    <a href={href} tabIndex={tabIndex}>
      {shown}
    </a>
  )
}
