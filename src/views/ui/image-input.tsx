import { ImageUp } from 'lucide-react'
import { useCallback } from 'react'
import { fileSize, text } from '../../format.ts'
import type { Control } from './control.ts'
import styles from './image-input.module.css'

export interface ImageInputProps {
  control: Control
  /** A picked file, or the address of a stored picture. */
  value: unknown
  /** What was picked; the form also takes what is dropped on it or pasted into it. */
  take: (file: File) => void
  /** Why something was not taken. */
  note: string
  upload: { fraction: number; cancel: () => void } | undefined
  remove: () => void
}

/** S2.o.5: picker, preview, progress. The hint is a hint (S5.3): the size that is shown is the real one. */
export function ImageInput({ control, value, take, note, upload, remove }: ImageInputProps) {
  const file = value instanceof File ? value : null
  const source = text(value)
  return (
    <div className={styles.image} data-filled={file !== null || source !== ''}>
      {file && <FilePreview file={file} />}
      {source && <img src={source} alt="Preview" />}
      <div className={styles.controls}>
        <input
          {...control}
          type="file"
          accept="image/*"
          className="visually-hidden"
          onChange={({ currentTarget }) => {
            const [picked] = currentTarget.files ?? []
            if (picked) take(picked)
            // The same file can be picked again.
            currentTarget.value = ''
          }}
        />
        <label htmlFor={control.id} className="button" aria-hidden>
          <ImageUp size={16} aria-hidden /> Choose image
        </label>
        {(file ?? source) && !upload && (
          <button type="button" aria-label="Remove image" onClick={remove}>
            Remove
          </button>
        )}
        {upload && (
          <>
            <progress aria-label="Upload" value={upload.fraction} />
            <button type="button" onClick={upload.cancel}>
              Cancel
            </button>
          </>
        )}
      </div>
      {file && (
        <p>
          {file.name} · {fileSize(file.size)}
        </p>
      )}
      <p className={styles.hint}>PNG, JPG, GIF up to 10MB</p>
      <p className={styles.hint} role="status">
        {note}
      </p>
    </div>
  )
}

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
