import { timelineStartSeconds, toleratedGapSeconds, type SilentLead } from '@zoetrope/packager'
import type { RenditionRow } from '../../library/files/record/parts/rendition-record.ts'
import { BlobNotFoundError } from '../../platform/blobs/blob-store.ts'
import type { InFlightSources } from './in-flight-sources.ts'
import type { PlayoutRendition } from '../access/find-playout.ts'
import type { PassthroughSources } from './passthrough-sources.ts'
import type { ListedRendition } from '../manifests/manifests.ts'

/**
 * Silence before late audio. Players wait for audio before they show a frame, or skip the frames before it.
 * Source audio that starts late is therefore listed under `padded/` with silence before it, and segment
 * numbers include the silence. Encoded audio already contains its silence.
 */
export interface LateSound {
  readonly leadOf: (rendition: PlayoutRendition) => Promise<SilentLead | null>
  /** Returns the rendition with the silence that manifests list. */
  readonly listed: (rendition: ListedRendition) => Promise<ListedRendition>
}

const ignoreMissing = (error: unknown): null => {
  if (error instanceof BlobNotFoundError) return null
  throw error
}

/** Avoids reading a source index when the first segment is known to start in time. */
const mayBeLate = ({ kind, delivery, state, segments, timescale }: RenditionRow): boolean => {
  if (kind !== 'audio' || delivery !== 'in_place') return false
  if (state === 'growing') return true
  const [first] = JSON.parse(segments) as [startTicks: number][]
  return first !== undefined && first[0] / timescale - timelineStartSeconds > toleratedGapSeconds
}

export const createLateSound = (sources: PassthroughSources, inFlightSources: InFlightSources): LateSound => {
  const leadOf = (rendition: PlayoutRendition): Promise<SilentLead | null> =>
    (rendition.state === 'growing' ? inFlightSources : sources).silentLead(rendition).catch(ignoreMissing)
  return {
    leadOf,
    listed: async (rendition) => {
      const lead = mayBeLate(rendition) ? await leadOf(rendition) : null
      return lead === null ? rendition : { ...rendition, silentLead: lead.segments }
    },
  }
}
