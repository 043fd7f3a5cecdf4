import { playedAudio, type Probe } from '@zoetrope/ffmpeg'
import type { PassthroughTrack } from '@zoetrope/packager'
import type { PassthroughTracks } from './plan-source.ts'
import type { RenditionIdentity } from './rendition-store.ts'

export interface NewPassthroughRendition extends RenditionIdentity {
  readonly track: PassthroughTrack
}

/** Returns the renditions that need no encoding, video first. Pure. */
export const passthroughRenditions = (
  { video, audio }: PassthroughTracks,
  probe: Probe,
): NewPassthroughRendition[] => [
  ...(video === null ? [] : [{ track: video, name: 'source', position: 0 }]),
  ...playedAudio(probe).flatMap(({ index, language, label }, position) => {
    const track = audio.find(({ streamIndex }) => streamIndex === index)?.track
    const name = position === 0 ? 'source' : `source ${position + 1}`
    return track === undefined ? [] : [{ track, name, position, language, label }]
  }),
]

/** Whether all video and audio plays by passthrough. Pure. */
export const isAllPassthrough = ({ video, audio }: PassthroughTracks, probe: Probe): boolean =>
  (probe.video === null || video !== null) && audio.length === playedAudio(probe).length
