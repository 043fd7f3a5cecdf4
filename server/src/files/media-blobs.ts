/** How the parts of a file's media are named below its blob prefix; written by encoding, read by playout. */

export const segmentBlob = (mediaBlob: string, index: number): string => `${mediaBlob}/${index}.m4s`
/** A source whose container keeps it from playing, copied into one that does not. Each run writes one of its own, as with pictures. */
export const remuxBlob = (filePrefix: string, id: string): string => `${filePrefix}remuxed-${id}.mp4`

/**
 * A remux's timeline is that of its source, from the first thing in it on, and so is that of sound which is encoded beside it: it may begin before
 * the first picture, in a track that the remux does not hold.
 */
export const isRemux = (mediaBlob: string): boolean => /\/remuxed-[^/]+$/.test(mediaBlob)
export const posterFolder = (filePrefix: string, id: string): string => `${filePrefix}posters/${id}/`
/** A source that was cut out of another one. */
export const clipBlob = (filePrefix: string, id: string): string => `${filePrefix}clip-${id}`
/** A source that was taken of a live stream. */
export const recordingBlob = (filePrefix: string, recordingId: number): string =>
  `${filePrefix}recording-${recordingId}`
export const storyboardFolder = (filePrefix: string, id: string): string => `${filePrefix}storyboards/${id}/`
export const initBlob = (mediaBlob: string): string => `${mediaBlob}/init.mp4`

/**
 * How a source is cut into segments where it lies. Its plan is made anew wherever a segment is served, so these may not change for files
 * that exist. A longer group of pictures than the maximum makes seeking slow: such sources are encoded.
 */
export const inPlaceOptions = { targetDurationSeconds: 4, maxDurationSeconds: 10 } as const

/** The same for one rendition. */
export const inPlaceOptionsOf = (rendition: {
  readonly kind: 'video' | 'audio'
  readonly track_id: number | null
  readonly media_blob: string
}) => ({
  ...inPlaceOptions,
  track: rendition.kind,
  trackId: rendition.track_id,
  startSeconds: isRemux(rendition.media_blob) ? 0 : null,
})

/** Packaged segments aim at this; with groups of two seconds none is longer than the target duration that playlists declare. */
export const packagedSegmentSeconds = 4
/** One group of pictures, so that play begins early. The second segment is as short, in all renditions alike: they are cut at the same instants. */
export const packagedFirstSegmentSeconds = 2
export const packagedTargetDurationSeconds = 6
