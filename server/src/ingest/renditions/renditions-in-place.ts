import { playedAudio, type Probe } from '@zoetrope/ffmpeg'
import type { InPlaceTrack } from '@zoetrope/packager'
import type { InPlaceTracks } from './plan-source.ts'
import type { RenditionIdentity } from './rendition-store.ts'

export interface RenditionInPlace extends RenditionIdentity {
  readonly track: InPlaceTrack
}

/** Returns the renditions that need no encoding, video first. Pure. */
export const renditionsInPlace = ({ video, audio }: InPlaceTracks, probe: Probe): RenditionInPlace[] => [
  ...(video === null ? [] : [{ track: video, name: 'source', position: 0 }]),
  ...playedAudio(probe).flatMap(({ index, language, label }, position) => {
    const track = audio.find(({ streamIndex }) => streamIndex === index)?.track
    const name = position === 0 ? 'source' : `source ${position + 1}`
    return track === undefined ? [] : [{ track, name, position, language, label }]
  }),
]

/** Whether all video and audio plays by passthrough. Pure. */
export const isAllInPlace = ({ video, audio }: InPlaceTracks, probe: Probe): boolean =>
  (probe.video === null || video !== null) && audio.length === playedAudio(probe).length
