import { IsobmffError, openFileReader } from '@zoetrope/isobmff'
import {
  countReceivedSegments,
  createSilentLead,
  type PassthroughTrack,
  type PackagedSegment,
  type SilentLead,
} from '@zoetrope/packager'
import type { InFlightBytes, InFlightUploads } from '../../library/files/media/in-flight-uploads.ts'
import type { RenditionRow } from '../../library/files/record/parts/rendition-record.ts'
import { passthroughOptions, isRemux } from '../../library/files/media/media-blobs.ts'
import { BlobNotFoundError } from '../../platform/blobs/blob-store.ts'
import { createInFlightIndexes, type PlannedTrack } from './in-flight-indexes.ts'
import { nothing } from '../access/find-playout.ts'
import type { PassthroughRendition, PassthroughSources } from './passthrough-sources.ts'
import type { ListedRendition } from '../manifests/manifests.ts'

export type InFlightRendition = PassthroughRendition & Pick<RenditionRow, 'file_id'>

export interface InFlightSources {
  readonly initSegment: (rendition: InFlightRendition) => Promise<Buffer | null>
  /** Null while its bytes are missing. */
  readonly segment: (rendition: InFlightRendition, index: number) => Promise<Buffer[] | null>
  /**
   * Silence served before audio that starts late; null when the audio starts in time or the source is gone.
   */
  readonly silentLead: (rendition: InFlightRendition) => Promise<SilentLead | null>
  /** Null when the source is gone. */
  readonly segments: (rendition: InFlightRendition) => Promise<ReceivedSegments | null>
}

interface ReceivedSegments {
  readonly segments: readonly PackagedSegment[]
  /** Upper limit of the segment duration, in seconds, for present and future segments. */
  readonly longestSeconds: number
}

const longestOf = ({ segments, timescale }: PassthroughTrack): number =>
  segments.reduce((longest, { durationTicks }) => Math.max(longest, durationTicks / timescale), 0)

/**
 * Treats a source as gone when its upload was cancelled or its end contradicts its beginning; the worker
 * removes it soon.
 */
const ignoreGone = (error: unknown): null => {
  if (error instanceof BlobNotFoundError || error instanceof IsobmffError) return null
  throw error
}

/**
 * `whole` serves segments from the blob when the upload is complete but the worker has not processed it yet.
 */
export const createInFlightSources = (
  inFlightUploads: InFlightUploads,
  whole: PassthroughSources,
  maxDurationSeconds: number,
): InFlightSources => {
  const indexes = createInFlightIndexes(maxDurationSeconds)

  const trackOf = async (
    bytes: InFlightBytes,
    rendition: InFlightRendition,
  ): Promise<(PlannedTrack & { readonly count: number; readonly isFragmented: boolean }) | null> => {
    const index = await indexes.of(bytes)
    const planned = index?.trackOf(rendition)
    if (index == null || planned == null) return null
    const { isFragmented } = index
    const count = countReceivedSegments(planned.byteEnds, bytes.receivedBytes, { isFragmented })
    return { ...planned, count, isFragmented }
  }

  /** The upload may complete at any moment, which moves the file; the read then falls back to the blob. */
  const read = async <T>(
    rendition: InFlightRendition,
    staged: (bytes: InFlightBytes) => Promise<T | null>,
    stored: () => Promise<T | null>,
  ): Promise<T | null> => {
    const bytes = isRemux(rendition.media_blob)
      ? await inFlightUploads.ofRemux(rendition.media_blob)
      : await inFlightUploads.ofFile(rendition.file_id)
    if (bytes === null) return stored().catch(ignoreGone)
    return staged(bytes)
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return stored()
        throw error
      })
      .catch(ignoreGone)
  }

  return {
    initSegment: (rendition) =>
      read(
        rendition,
        async (bytes) => (await trackOf(bytes, rendition))?.track.initSegment ?? null,
        () => whole.initSegment(rendition),
      ),
    silentLead: (rendition) =>
      read(
        rendition,
        async (bytes) => {
          const found = await trackOf(bytes, rendition)
          return found === null ? null : createSilentLead(found.track)
        },
        () => whole.silentLead(rendition),
      ),
    segments: (rendition) =>
      read(
        rendition,
        async (bytes) => {
          const found = await trackOf(bytes, rendition)
          if (found === null) return null
          const { segments } = found.track
          const longestSeconds = found.isFragmented
            ? passthroughOptions.maxDurationSeconds
            : longestOf(found.track)
          return { segments: segments.slice(0, found.count), longestSeconds }
        },
        async () => {
          const track = await whole.track(rendition)
          return track === null ? null : { segments: track.segments, longestSeconds: longestOf(track) }
        },
      ),
    segment: (rendition, index) =>
      read(
        rendition,
        async (bytes) => {
          const found = await trackOf(bytes, rendition)
          if (found === null || index >= found.count) return null
          await using reader = await openFileReader(bytes.path)
          return await whole.readSegment(reader, found.track, index)
        },
        () => whole.segment(rendition, index),
      ),
  }
}

/**
 * Returns the rendition for its media playlist; for an in-progress upload with the segments available so far.
 * Throws 'not_found' when the source is gone.
 */
export const withReceivedSegments = async (
  sources: InFlightSources,
  rendition: RenditionRow,
): Promise<ListedRendition> => {
  if (rendition.delivery !== 'in_place' || rendition.state !== 'growing') return rendition
  const received = await sources.segments(rendition)
  if (received === null) throw nothing()
  return {
    ...rendition,
    segments: JSON.stringify(
      received.segments.map(({ startTicks, durationTicks }) => [startTicks, durationTicks]),
    ),
    targetDurationSeconds: Math.max(1, Math.round(received.longestSeconds)),
  }
}
