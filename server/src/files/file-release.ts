import type { EventName } from '../kernel/events/domain-event.ts'
import type { FileMetadata } from './file-metadata.ts'
import { isPlayableState, type MediaFileRow } from './file-record.ts'

export interface Release {
  /** Viewers can load the file: it is published, inside its window, playable and not deleted. */
  readonly isReleased: boolean
  /** When the window changes that next; null = never, as the file stands. */
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

/** The events of a change, with the one that says whether viewers can load the file from now on. */
export const withReleaseEvent = (
  events: readonly EventName[],
  wasReleased: boolean,
  isReleased: boolean,
): readonly EventName[] => {
  if (wasReleased === isReleased) return events
  if (isReleased) return [...events, 'file.released']
  // Nothing follows the event of a deletion.
  return events.includes('file.deleted') ? ['file.unreleased', ...events] : [...events, 'file.unreleased']
}
