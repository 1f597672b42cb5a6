/** The attributes of every control of a form. */
export interface Control {
  id: string
  'aria-invalid': boolean
  'aria-describedby': string | undefined
  title: string | undefined
}
