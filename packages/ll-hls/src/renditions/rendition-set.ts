import type { TrackKind, TrackName } from '../media/track-format.ts'
import type { LadderRenditions } from './ladder-renditions.ts'
import { MuxedParts } from './muxed-parts.ts'
import type { MuxedTracks } from './muxed-rendition.ts'
import type { Rendition } from './rendition.ts'

export class RenditionSet {
  readonly source = new Map<TrackKind, Rendition>()
  readonly muxed = new MuxedParts()
  readonly ladder: LadderRenditions

  constructor(ladder: LadderRenditions) {
    this.ladder = ladder
  }

  get keptBytes(): number {
    const beside = this.ladder.keptBytes + this.muxed.keptBytes
    return this.source.values().reduce((sum, { keptBytes }) => sum + keptBytes, beside)
  }

  get unfinishedBytes(): number {
    const openBytes = (kind: TrackKind) => this.source.get(kind)?.openBytes ?? 0
    return openBytes('video') + openBytes('audio') + this.muxed.unfinishedBytes
  }

  get muxedTracks(): MuxedTracks | undefined {
    const [video, audio] = [this.source.get('video'), this.source.get('audio')]
    return video && audio && { video, audio }
  }

  /**
   * The muxed rendition, offered when there are no alternatives to choose from. It halves the number of
   * requests per viewer.
   */
  get offeredMuxed(): Rendition | undefined {
    const { rendition } = this.muxed
    const isEmpty = (one: Rendition | undefined) => one?.segments.length === 0 && one.openParts.length === 0
    // When audio joins late, only the video is playable until both have media.
    const isBehind = isEmpty(rendition) && !isEmpty(this.source.get('video'))
    return isBehind || this.ladder.isThere ? undefined : rendition
  }

  /** All playable renditions: the source video, its lower rungs, and audio. */
  get playable(): readonly Rendition[] {
    const [video, audio] = [this.source.get('video'), this.source.get('audio')]
    return [video, ...this.ladder.renditions, audio].filter((rendition) => rendition !== undefined)
  }

  find(track: TrackName): Rendition | undefined {
    if (track === 'av') return this.muxed.rendition
    return track === 'video' || track === 'audio' ? this.source.get(track) : this.ladder.find(track)
  }
}
