import type { Field } from '../../commands/form.ts'
import { nounOf } from '../../commands/noun.ts'
import { say } from '../../commands/status.ts'
import { text } from '../../format.ts'
import styles from './form-field.module.css'
import type { ImageInputProps } from './image-input.tsx'
import { ImageInput } from './image-input.tsx'
import { PlaceInput } from './place-input.tsx'
import { RecordPicker } from './record-picker.tsx'

interface FormFieldProps {
  id: string
  field: Field
  value: unknown
  /** The value of the stored record. */
  stored: unknown
  /** What is wrong with the value: marks and describes the field, and shows no other message (S8.11). */
  faults: readonly string[]
  isLocked: boolean
  change: (value: unknown) => void
  image: Pick<ImageInputProps, 'isLocked' | 'take' | 'note' | 'upload' | 'retry'>
}

/** A field of a form: label, control and description of errors. */
export function FormField({ id, field, value, stored, faults, isLocked, change, image }: FormFieldProps) {
  const fault = faults.join('; ')
  const control = {
    id,
    'aria-invalid': fault !== '',
    'aria-describedby': fault ? `${id}-fault` : undefined,
    title: fault || undefined,
  }
  const input = {
    ...control,
    name: field.name,
    value: text(value),
    readOnly: isLocked,
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => change(event.target.value),
  }
  const controlOf = () => {
    switch (field.kind) {
      case 'text':
        return <input type="text" {...input} />
      case 'textarea':
        return <textarea rows={field.rows} {...input} />
      case 'amount':
        // Turning the mouse wheel over the field must not change the amount. Of a pasted `Ksh. 1,500` browsers would take `.1500`.
        return (
          <input
            type="number"
            step="any"
            inputMode="decimal"
            {...input}
            onWheel={(event) => event.currentTarget.blur()}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData('text')
              const amount = amountIn(pasted)
              if (amount === pasted) return
              event.preventDefault()
              if (amount === null) say(`No amount: ${pasted}`)
              else change(amount)
            }}
          />
        )
      case 'checkbox':
        return (
          <input
            type="checkbox"
            {...control}
            name={field.name}
            checked={value === true}
            disabled={isLocked}
            onChange={(event) => change(event.target.checked)}
          />
        )
      case 'date':
        return <input type="date" {...input} />
      case 'select':
        return (
          <select {...control} name={field.name} value={text(value)} onChange={input.onChange}>
            {field.options.map((option) => (
              <option key={option}>{option}</option>
            ))}
          </select>
        )
      case 'record':
        return (
          <RecordPicker
            control={control}
            labelId={`${id}-label`}
            noun={nounOf(field.noun)}
            what={field.label.toLowerCase()}
            value={value}
            choose={change}
          />
        )
      case 'place':
        return <PlaceInput control={control} isLocked={isLocked} value={value} choose={change} />
      case 'image': {
        const removed = field.isKept ? stored : ''
        // A failed upload shows its message; an error that the server reports for a saved address does not (S8.11).
        return (
          <ImageInput
            control={control}
            {...image}
            note={image.note || (value instanceof File ? fault : '')}
            value={value}
            remove={removed === value ? undefined : () => change(removed)}
          />
        )
      }
    }
  }
  return (
    <div className={styles.field}>
      <label id={`${id}-label`} htmlFor={id}>
        {field.label}
      </label>
      {controlOf()}
      {fault && (
        <span id={`${id}-fault`} className="visually-hidden">
          {fault}
        </span>
      )}
    </div>
  )
}

/** The number in a text such as `Ksh. 1,500.50`, as a number field takes it; null if there is not just one. */
function amountIn(text: string): string | null {
  const [, sign = '', whole = '', fraction = ''] =
    /^(?:ksh|kes|sh)?\.?\s*(-?)\s*(\d+|\d{1,3}(?:[,\s]\d{3})+)(\.\d+)?(?:\s*\/[-=]?)?$/i.exec(text.trim()) ??
    []
  return whole ? sign + whole.replace(/[,\s]/g, '') + fraction : null
}
