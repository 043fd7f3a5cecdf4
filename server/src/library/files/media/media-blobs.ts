import type { Selectable } from 'kysely'
import type { RenditionsTable } from '../../../platform/db/tables/encoding.ts'

/**
 * Blob names of media below the blob prefix of a file. Encoding writes these blobs and playout reads them.
 */

type Stored = Pick<Selectable<RenditionsTable>, 'media_blob' | 'chunk_folders'>

/** Folder of a segment. A chunk that was encoded again has one of its own. The init segment is with segment 0. */
export const folderOfSegment = ({ media_blob, chunk_folders }: Stored, index: number): string => {
  const own = chunk_folders?.find(([first, end]) => index >= first && index < end)
  return own === undefined ? media_blob : `${media_blob}/${own[2]}`
}

export const segmentBlob = (mediaBlob: string, index: number): string => `${mediaBlob}/${index}.m4s`
/** Blob of a source remuxed into a playable container. Each run writes a new one, as with pictures. */
export const remuxBlob = (filePrefix: string, id: string): string => `${filePrefix}remuxed-${id}.mp4`

/**
 * Whether a blob is a remux. Its timeline starts where that of the source starts, as does that of separately
 * encoded audio. The start may precede the first picture, in a track that the remux does not contain.
 */
export const isRemux = (mediaBlob: string): boolean => /\/remuxed-[^/]+$/.test(mediaBlob)
export const posterFolder = (filePrefix: string, id: string): string => `${filePrefix}posters/${id}/`
export const clipBlob = (filePrefix: string, id: string): string => `${filePrefix}clip-${id}`
export const recordingBlob = (filePrefix: string, recordingId: number): string =>
  `${filePrefix}recording-${recordingId}`
export const storyboardFolder = (filePrefix: string, id: string): string => `${filePrefix}storyboards/${id}/`
export const initBlob = (mediaBlob: string): string => `${mediaBlob}/init.mp4`

/**
 * Segment limits for passthrough. The segment plan is recomputed wherever a segment is served, so these
 * values must not change for existing files. Sources with longer groups of pictures than the maximum are
 * encoded, because they seek slowly.
 */
export const passthroughOptions = { targetDurationSeconds: 4, maxDurationSeconds: 10 } as const

export const passthroughOptionsOf = (rendition: {
  readonly kind: 'video' | 'audio'
  readonly track_id: number | null
  readonly media_blob: string
}) => ({
  ...passthroughOptions,
  track: rendition.kind,
  trackId: rendition.track_id,
  startSeconds: isRemux(rendition.media_blob) ? 0 : null,
})

/** Target duration in playlists of packaged renditions; none of their segments is longer. */
export const packagedTargetDurationSeconds = 6
