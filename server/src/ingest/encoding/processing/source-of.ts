import type { MediaFileRow } from '../../../library/files/record/file-record.ts'

/** Returns the source of the revision that is being made; null when no bytes are stored. */
export const sourceOf = (
  file: Pick<MediaFileRow, 'rework' | 'source_blob' | 'source_size_bytes'>,
): { readonly blob: string; readonly sizeBytes: number } | null => {
  const replacement = file.rework?.source ?? null
  if (replacement !== null) return replacement
  if (file.source_blob === null) return null
  return { blob: file.source_blob, sizeBytes: file.source_size_bytes ?? 0 }
}
