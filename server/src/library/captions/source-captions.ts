import { discardBlobs } from '../files/media/garbage-list.ts'
import type { MediaFileRow } from '../files/record/file-record.ts'
import { captionsOf } from '../files/record/media-file-store.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { NewCaption } from '../../platform/db/tables/captions.ts'

/**
 * Replaces the captions of an earlier source or run. Uploaded captions stay and take precedence over source
 * captions of the same kind and language. The caller holds the lock of the file. Returns the growth of the
 * file in bytes.
 */
export const replaceSourceCaptions = async (
  tx: Tx,
  file: MediaFileRow,
  captions: readonly NewCaption[],
): Promise<number> => {
  const old = await tx
    .deleteFrom('file_captions')
    .where('file_id', '=', file.id)
    .where('origin', '=', 'source')
    .returning(['caption_blob', 'size_bytes'])
    .execute()
  const present = await captionsOf(tx, file.id)
  const isTaken = ({ language, kind }: NewCaption): boolean =>
    present.some((one) => one.language === language && one.kind === kind)
  const added = captions.filter((caption) => !isTaken(caption))
  const useless = [
    ...old.map(({ caption_blob }) => caption_blob),
    ...captions.filter(isTaken).map(({ blob }) => blob),
  ]
  if (useless.length > 0) await discardBlobs(tx, file, useless)
  for (const { language, kind, label, publicId, blob, sizeBytes } of added)
    await tx
      .insertInto('file_captions')
      .values({
        account_id: file.account_id,
        file_id: file.id,
        ...{ language, kind, label, origin: 'source' as const, is_default: false },
        public_id: publicId,
        caption_blob: blob,
        size_bytes: sizeBytes,
      })
      .execute()
  const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0)
  return sum(added.map(({ sizeBytes }) => sizeBytes)) - sum(old.map(({ size_bytes }) => size_bytes))
}
