import { metaOf, type MediaFile } from '@zoetrope/sdk'
import { zoetrope } from '../../shell/api.ts'
import type { ReleaseStatus } from '../../ui/release-status.tsx'
import type { Undo } from './bulk.ts'

/** An action on many files. Resolves with its undo for the change made. */
export type BulkAct = (file: MediaFile) => Promise<Undo | null | undefined>

type MetadataChange = Parameters<typeof zoetrope.files.updateMetadata>[2]

/** The file is no longer as the list showed it. */
export class ChangedMeanwhileError extends Error {
  override readonly name = 'ChangedMeanwhileError'
}

/** Processing changes a file again and again, so only a finished one has a version to rely on. */
const ifUnchanged = (record: MediaFile): { ifMatch?: string } => {
  const etag = record.IsFinished ? metaOf(record)?.etag : null
  return etag == null ? {} : { ifMatch: etag }
}

/**
 * Returns the options for a change of the version that the list showed. Lists have no ETags, so this reads
 * the file. Throws ChangedMeanwhileError.
 */
const versionShown = async (file: MediaFile): Promise<{ ifMatch?: string }> => {
  if (!file.IsFinished) return {}
  const present = await zoetrope.files.get(file.ProjectId, file.Id)
  if (present.LastUpdateAt !== file.LastUpdateAt) throw new ChangedMeanwhileError()
  return ifUnchanged(present)
}

const change = async (file: MediaFile, to: MetadataChange, back: MetadataChange): Promise<Undo> => {
  const { ProjectId, Id } = file
  const changed = await zoetrope.files.updateMetadata(ProjectId, Id, to, await versionShown(file))
  return () => zoetrope.files.updateMetadata(ProjectId, Id, back, ifUnchanged(changed))
}

export const release =
  (ReleaseStatus: ReleaseStatus): BulkAct =>
  async (file) => {
    const before = file.Metadata.ReleaseStatus
    if (before === ReleaseStatus) return undefined
    return change(file, { ReleaseStatus }, { ReleaseStatus: before })
  }

/** Replaces all other categories. */
export const moveToCategory =
  (categoryId: number | null): BulkAct =>
  async (file) => {
    const before = file.Metadata.Category.map(({ Id }) => Id)
    const after = categoryId === null ? [] : [categoryId]
    if (before.join() === after.join()) return undefined
    return change(file, { Category: after }, { Category: before })
  }

export const addCategory =
  (categoryId: number): BulkAct =>
  async (file) => {
    const before = file.Metadata.Category.map(({ Id }) => Id)
    if (before.includes(categoryId)) return undefined
    return change(file, { Category: [...before, categoryId] }, { Category: before })
  }

/** `added` and `removed` ignore case, as the search for tags does. */
export const changeTags =
  (tags: readonly string[], how: 'add' | 'remove'): BulkAct =>
  async (file) => {
    const before = file.Metadata.Tags
    const isIn = (list: readonly string[], tag: string): boolean =>
      list.some((one) => one.toLowerCase() === tag.toLowerCase())
    const after =
      how === 'add'
        ? [...before, ...tags.filter((tag) => !isIn(before, tag))]
        : before.filter((tag) => !isIn(tags, tag))
    if (after.length === before.length) return undefined
    return change(file, { Tags: after }, { Tags: before })
  }

/** Keeps the addresses of viewers. */
export const moveToProject =
  (projectId: number): BulkAct =>
  async (file) => {
    const { ProjectId, Id } = file
    if (ProjectId === projectId) return undefined
    const to = { ProjectId: projectId }
    const moved = await zoetrope.files.move(ProjectId, Id, to, await versionShown(file))
    return () => zoetrope.files.move(projectId, Id, { ProjectId }, ifUnchanged(moved))
  }

export const deleteFile: BulkAct = async (file) => {
  const { ProjectId, Id } = file
  await zoetrope.files.delete(ProjectId, Id, await versionShown(file))
  return () => zoetrope.files.restore(ProjectId, Id)
}

export const restoreFile: BulkAct = async ({ ProjectId, Id }) => {
  await zoetrope.files.restore(ProjectId, Id)
  return () => zoetrope.files.delete(ProjectId, Id)
}

/** For files that failed completely or in part. */
export const retryFile: BulkAct = async (file) => {
  if (!file.HasErrors) return undefined
  await zoetrope.files.retry(file.ProjectId, file.Id, undefined, await versionShown(file))
  return null
}
