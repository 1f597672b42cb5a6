import { decimal } from './format.ts'

/** `2.4 MB`, `310 KB`. */
export function fileSize(bytes: number): string {
  return bytes < 999_500
    ? `${Math.max(1, Math.round(bytes / 1000))} KB`
    : `${decimal(bytes / 1_000_000, 1).replace(/\.0$/, '')} MB`
}
