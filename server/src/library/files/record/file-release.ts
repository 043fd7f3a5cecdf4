import type { EventName } from '@zoetrope/vocabulary'
import type { FileMetadata } from './file-metadata.ts'
import type { MediaFileRow } from './file-record.ts'
import { isPlayableState } from './parts/file-state.ts'

export interface Release {
  /** True when viewers can load the file: it is published, within its window, playable and not deleted. */
  readonly isReleased: boolean
  /** Time of the next change by the window; null = none. */
  readonly changesAt: Date | null
}

const hidden: Release = { isReleased: false, changesAt: null }

export const releaseOf = (
  file: Pick<MediaFileRow, 'state' | 'deleted_at'> & { readonly metadata: unknown },
  now: Date,
): Release => {
  const { ReleaseStatus, IsPublicAt, IsPublicUntil } = file.metadata as FileMetadata
  if (ReleaseStatus !== 'published' || file.deleted_at !== null || !isPlayableState(file.state)) return hidden
  const publicAt = IsPublicAt === null ? null : new Date(IsPublicAt)
  const publicUntil = IsPublicUntil === null ? null : new Date(IsPublicUntil)
  if (publicAt !== null && publicAt > now) return { isReleased: false, changesAt: publicAt }
  if (publicUntil !== null && publicUntil <= now) return hidden
  return { isReleased: true, changesAt: publicUntil }
}

/**
 * Returns the events of a change, with `file.released` or `file.unreleased` when it changes whether viewers
 * can load the file.
 */
export const withReleaseEvent = (
  events: readonly EventName[],
  wasReleased: boolean,
  isReleased: boolean,
): readonly EventName[] => {
  if (wasReleased === isReleased) return events
  if (isReleased) return [...events, 'file.released']
  // `file.deleted` is always the last event.
  return events.includes('file.deleted') ? ['file.unreleased', ...events] : [...events, 'file.unreleased']
}
