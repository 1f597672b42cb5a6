/** What every control of a form carries. */
export interface Control {
  id: string
  'aria-invalid': boolean
  'aria-describedby': string | undefined
  title: string | undefined
}
