import { folderOfSegment, initBlob, segmentBlob } from '../../library/files/media/media-blobs.ts'
import { BlobNotFoundError, type BlobStore } from '../../platform/blobs/blob-store.ts'
import type { InFlightSources } from './in-flight-sources.ts'
import type { PlayoutRendition } from '../access/find-playout.ts'
import type { PassthroughSources } from './passthrough-sources.ts'
import type { LateSound } from './late-sound.ts'
import type { MediaMemory } from './media-memory.ts'

export interface MediaPiece {
  /** Blob that is sent unchanged; null when the bytes are cut from a source or modified. */
  readonly blob: string | null
  readonly read: () => Promise<Buffer | null>
}

export interface MediaPieces {
  readonly init: (rendition: PlayoutRendition) => MediaPiece
  readonly segment: (rendition: PlayoutRendition, index: number) => MediaPiece
  /** Like `segment`, with numbers that include the silence before the audio. */
  readonly paddedSegment: (rendition: PlayoutRendition, index: number) => Promise<MediaPiece>
}

const ignoreMissing = (error: unknown): null => {
  if (error instanceof BlobNotFoundError) return null
  throw error
}

export const createMediaPieces = (dependencies: {
  readonly blobs: BlobStore
  readonly sources: PassthroughSources
  readonly inFlightSources: InFlightSources
  readonly lateSound: LateSound
  readonly memory: MediaMemory
}): MediaPieces => {
  const { blobs, sources, inFlightSources, lateSound, memory } = dependencies

  const sourcesOf = ({ state }: PlayoutRendition) => (state === 'growing' ? inFlightSources : sources)

  const piece = (
    { id }: PlayoutRendition,
    name: string,
    blob: string | null,
    load: () => Promise<Buffer | null>,
  ): MediaPiece => ({
    blob,
    read: async () => memory.body(`${id} ${name}`, () => load().catch(ignoreMissing)),
  })

  const segment = (rendition: PlayoutRendition, index: number): MediaPiece => {
    if (rendition.delivery === 'in_place')
      return piece(rendition, String(index), null, async () => {
        const parts = await sourcesOf(rendition).segment(rendition, index)
        return parts === null ? null : Buffer.concat(parts)
      })
    const blob = segmentBlob(folderOfSegment(rendition, index), index)
    return piece(rendition, String(index), blob, () => blobs.read(blob))
  }

  return {
    segment,
    paddedSegment: async (rendition, index) => {
      const lead = rendition.kind === 'audio' ? await lateSound.leadOf(rendition) : null
      if (lead === null) return { blob: null, read: async () => null }
      if (index >= lead.segments.length) return segment(rendition, index - lead.segments.length)
      return { blob: null, read: async () => lead.segment(index) }
    },
    init: (rendition) => {
      if (rendition.delivery === 'in_place')
        return piece(rendition, 'init', null, () => sourcesOf(rendition).initSegment(rendition))
      const blob = initBlob(folderOfSegment(rendition, 0))
      return piece(rendition, 'init', blob, () => blobs.read(blob))
    },
  }
}
