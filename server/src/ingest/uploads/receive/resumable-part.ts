import { findProject } from '../../../library/projects/project-store.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { ResumableUpload } from '../store/resumable-upload.ts'
import type { ReceiveDependencies } from './receive-bytes.ts'
import { checkIsHere, claimBytes } from '../store/staging-owner.ts'
import { isLeased, stagedFolder, stagingOf } from '../store/stagings.ts'
import type { StagedBytes } from '../store/staging.ts'
import { extendPart, reloadPart, type UploadPartRow } from '../store/upload-part-store.ts'

/** Returns the number of durable bytes. Throws 'unavailable' when another node has them. */
export const receivedOfPart = async (
  { stagings, owner }: Pick<ReceiveDependencies, 'stagings' | 'owner'>,
  part: UploadPartRow,
): Promise<number> => {
  checkIsHere(owner, part)
  const stagedBytes = await stagingOf(stagings, part.staged_on).sizeOf(part.staging_name)
  return Math.min(stagedBytes ?? 0, part.unchecked_after ?? Number.MAX_SAFE_INTEGER)
}

/** The blob of a part exists only while it is joined with others. */
export const stagedBytesOfPart = (part: UploadPartRow): StagedBytes => ({
  name: part.staging_name,
  accountId: part.account_id,
  blob: `${stagedFolder}${part.staging_name}/whole`,
  sizeBytes: part.size_bytes,
  isHashed: false,
})

/** Wraps a part, which never completes by itself: it waits to be joined with others. */
export const resumablePart = (dependencies: ReceiveDependencies, part: UploadPartRow): ResumableUpload => {
  const { database, expiryMs, owner, stagings } = dependencies
  return {
    stagingName: part.staging_name,
    staging: () => {
      checkIsHere(owner, part)
      return stagingOf(stagings, part.staged_on)
    },
    sizeBytes: part.size_bytes,
    isComplete: false,
    project: () => findProject(database.kysely, part.account_id, part.project_id),
    received: () => receivedOfPart(dependencies, part),
    reload: async () => {
      const row = await reloadPart(database.kysely, part)
      if (row === null) throw new Problem('upload_part_not_found')
      return resumablePart(dependencies, row)
    },
    hold: async ({ isWriting, onWanted }, work) => {
      if (!isLeased(stagings, part.staged_on, isWriting)) return work()
      const stagedOn = await claimBytes(database.kysely, dependencies, 'upload_parts', part)
      return stagingOf(stagings, stagedOn).hold(stagedBytesOfPart(part), onWanted, work)
    },
    claim: async () => {
      await claimBytes(database.kysely, dependencies, 'upload_parts', part)
    },
    extend: (change) =>
      extendPart(database.kysely, part, { ...change, expiresAt: new Date(Date.now() + expiryMs) }),
    onProgress: async () => {},
    onRewind: async () => {},
    finish: async () => {},
  }
}
