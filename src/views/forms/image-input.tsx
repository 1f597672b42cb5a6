import { ImageUp } from 'lucide-react'
import { useCallback, useEffect, useRef } from 'react'
import { prefetchStorage } from '../../api/storage.ts'
import type { Upload } from '../../commands/upload.ts'
import { fileSize } from '../../file-size.ts'
import { text } from '../../format.ts'
import type { Control } from './control.ts'
import styles from './image-input.module.css'

export interface ImageInputProps {
  control: Control
  isLocked: boolean
  /** A picked file, or the address of a stored picture. */
  value: unknown
  /** Takes a picked file. Files that are dropped or pasted go to the form. */
  take: (file: File) => void
  /** The outcome of picking or uploading. */
  note: string
  upload: Upload | undefined
  /** Repeats the upload of the picked file; undefined if saving the form uploads it. */
  retry: (() => void) | undefined
  /** Undefined if there is nothing to remove. */
  remove: (() => void) | undefined
}

/** S2.o.5: picker, preview, progress. The 10 MB in the hint are no limit (S5.3); the file's real size is shown. */
export function ImageInput(props: ImageInputProps) {
  const { control, isLocked, value, take, note, upload, retry, remove } = props
  const input = useRef<HTMLInputElement>(null)
  useEffect(prefetchStorage, [])
  // A focused button that is removed passes the focus to the file input.
  const handOn = useCallback(
    (button: HTMLButtonElement) => () => {
      if (document.activeElement === button) input.current?.focus()
    },
    [],
  )
  const file = value instanceof File ? value : null
  const source = text(value)
  return (
    <div className={styles.image}>
      {file && <FilePreview file={file} />}
      {source && <img src={source} alt="Preview" />}
      {file && (
        <p className={styles.name}>
          {file.name} · {fileSize(file.size)}
        </p>
      )}
      {upload && file && <Progress file={file} upload={upload} />}
      <div className={styles.controls}>
        <input
          {...control}
          ref={input}
          type="file"
          accept="image/*"
          className="visually-hidden"
          aria-disabled={isLocked}
          onClick={(event) => isLocked && event.preventDefault()}
          onChange={({ currentTarget }) => {
            const [picked] = currentTarget.files ?? []
            if (picked) take(picked)
            // Empty the input, so that picking the same file again fires a change event.
            currentTarget.value = ''
          }}
        />
        <label htmlFor={control.id} className="button" aria-hidden>
          <ImageUp size={16} aria-hidden /> {file || source ? 'Replace image' : 'Choose image'}
        </label>
        {retry && file && (
          <button type="button" ref={handOn} aria-label={`Retry upload of ${file.name}`} onClick={retry}>
            Retry upload
          </button>
        )}
        {(file ?? source) && remove && !isLocked && (
          <button type="button" ref={handOn} aria-label="Remove image" onClick={remove}>
            Remove
          </button>
        )}
        {upload && (
          <button type="button" ref={handOn} onClick={upload.cancel}>
            Cancel
          </button>
        )}
      </div>
      <p className={styles.hint}>PNG, JPG, GIF up to 10MB</p>
      <p className={styles.note} role="status">
        {note}
      </p>
      <p className="visually-hidden" role="status">
        {upload && file && spoken(file, upload)}
      </p>
    </div>
  )
}

function Progress({ file, upload: { fraction, isWaiting } }: { file: File; upload: Upload }) {
  return (
    <div className={styles.progress}>
      <progress aria-label={`Upload of ${file.name}`} value={fraction} />
      <span aria-hidden>
        {isWaiting ? 'Waiting for the network…' : `${Math.floor(fraction * 100)}% of ${fileSize(file.size)}`}
      </span>
    </div>
  )
}

/** For screen readers, in steps of 25%, so that not every percent is announced. */
const spoken = ({ name }: File, { fraction, isWaiting }: Upload) =>
  isWaiting
    ? `Upload of ${name}: waiting for the network`
    : `Upload of ${name}: ${Math.floor(fraction * 4) * 25}%`

function FilePreview({ file }: { file: File }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const address = URL.createObjectURL(file)
      image.src = address
      return () => URL.revokeObjectURL(address)
    },
    [file],
  )
  return <img ref={show} alt={`Preview of ${file.name}`} />
}
