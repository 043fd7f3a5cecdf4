import { Problem } from '../../../platform/base/problem.ts'
import type { ResumableUpload } from '../store/resumable-upload.ts'
import type { ReceiveDependencies } from './receive-bytes.ts'
import { checkIsHere, claimBytes } from '../store/staging-owner.ts'
import { extendPart, reloadPart, type UploadPartRow } from '../store/upload-part-store.ts'

/** Returns the number of durable bytes. Throws 'unavailable' when another node has them. */
export const receivedOfPart = async (
  { staging, owner }: Pick<ReceiveDependencies, 'staging' | 'owner'>,
  part: UploadPartRow,
): Promise<number> => {
  checkIsHere(owner, part)
  return Math.min(await staging.sizeOf(part.staging_name), part.unchecked_after ?? Number.MAX_SAFE_INTEGER)
}

/** Wraps a part, which never completes by itself: it waits to be joined with others. */
export const resumablePart = (dependencies: ReceiveDependencies, part: UploadPartRow): ResumableUpload => {
  const { database, expiryMs, owner } = dependencies
  return {
    stagingName: part.staging_name,
    sizeBytes: part.size_bytes,
    isComplete: false,
    received: () => receivedOfPart(dependencies, part),
    reload: async () => {
      const row = await reloadPart(database.kysely, part)
      if (row === null) throw new Problem('upload_part_not_found')
      return resumablePart(dependencies, row)
    },
    claim: () => claimBytes(database.kysely, owner, 'upload_parts', part),
    extend: (change) =>
      extendPart(database.kysely, part, { ...change, expiresAt: new Date(Date.now() + expiryMs) }),
    onProgress: async () => {},
    onRewind: async () => {},
    finish: async () => {},
  }
}
