import { timelineStartSeconds, toleratedGapSeconds, type SilentLead } from '@zoetrope/packager'
import type { RenditionRow } from '../files/file-record.ts'
import { BlobNotFoundError } from '../kernel/blobs/blob-store.ts'
import type { ArrivingSources } from './arriving-sources.ts'
import type { PlayoutRendition } from './find-playout.ts'
import type { InPlaceSources } from './in-place-sources.ts'
import type { ListedRendition } from './manifests.ts'

/**
 * Players wait for sound before they show a picture, or skip the pictures before the first sound. So sound of a source that begins late is
 * listed with silence before it, under `padded/`, where the numbers count the silence too. Encoded sound has its silence already.
 */
export interface LateSound {
  readonly leadOf: (rendition: PlayoutRendition) => Promise<SilentLead | null>
  /** The rendition with the silence that its manifests list. */
  readonly listed: (rendition: ListedRendition) => Promise<ListedRendition>
}

const ignoreMissing = (error: unknown): null => {
  if (error instanceof BlobNotFoundError) return null
  throw error
}

/** Asks no index of a source whose first segment is known to begin in time. */
const mayBeLate = ({ kind, delivery, state, segments, timescale }: RenditionRow): boolean => {
  if (kind !== 'audio' || delivery !== 'in_place') return false
  if (state === 'growing') return true
  const [first] = JSON.parse(segments) as [startTicks: number][]
  return first !== undefined && first[0] / timescale - timelineStartSeconds > toleratedGapSeconds
}

export const createLateSound = (sources: InPlaceSources, arrivingSources: ArrivingSources): LateSound => {
  const leadOf = (rendition: PlayoutRendition): Promise<SilentLead | null> =>
    (rendition.state === 'growing' ? arrivingSources : sources).silentLead(rendition).catch(ignoreMissing)
  return {
    leadOf,
    listed: async (rendition) => {
      const lead = mayBeLate(rendition) ? await leadOf(rendition) : null
      return lead === null ? rendition : { ...rendition, silentLead: lead.segments }
    },
  }
}
