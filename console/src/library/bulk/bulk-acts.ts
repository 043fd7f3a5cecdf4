import type { MediaFile } from '@zoetrope/sdk'
import { zoetrope } from '../../shell/api.ts'
import type { ReleaseStatus } from '../../ui/release-status.tsx'
import type { Undo } from './bulk.ts'

/** An action on many files. Resolves with its undo for the change made. */
export type BulkAct = (file: MediaFile) => Promise<Undo | null | undefined>

type MetadataChange = Parameters<typeof zoetrope.files.updateMetadata>[2]

const change = async (
  { ProjectId, Id }: MediaFile,
  to: MetadataChange,
  back: MetadataChange,
): Promise<Undo> => {
  await zoetrope.files.updateMetadata(ProjectId, Id, to)
  return () => zoetrope.files.updateMetadata(ProjectId, Id, back)
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

export const deleteFile: BulkAct = async ({ ProjectId, Id }) => {
  await zoetrope.files.delete(ProjectId, Id)
  return () => zoetrope.files.restore(ProjectId, Id)
}

export const restoreFile: BulkAct = async ({ ProjectId, Id }) => {
  await zoetrope.files.restore(ProjectId, Id)
  return () => zoetrope.files.delete(ProjectId, Id)
}

/** For files that failed completely or in part. */
export const retryFile: BulkAct = async ({ ProjectId, Id, HasErrors }) => {
  if (!HasErrors) return undefined
  await zoetrope.files.retry(ProjectId, Id)
  return null
}
