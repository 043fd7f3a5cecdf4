import { writeMultivariantPlaylist, type RenditionReport, type Variant } from '@zoetrope/hls'
import { measureBitRates } from '@zoetrope/packager'
import { answerReload, type ReloadAnswer, type ReloadRequest } from './answer-reload.ts'
import { renderLiveManifest } from './live-manifest.ts'
import type { LivePackager } from '../renditions/live-packager.ts'
import { countSkipped, renderMediaPlaylist, reportOf, type PlaylistForm } from './media-playlist.ts'
import type { Rendition } from '../renditions/rendition.ts'
import { SegmentLines } from './segment-lines.ts'
import type { TrackName } from '../media/track-format.ts'

const segmentsMeasured = 150

/**
 * Returns the URI of a media playlist relative to the multivariant playlist: the low-latency one, or the one
 * for players that load whole segments.
 */
export const mediaPlaylistUri = (track: TrackName, { isLowLatency }: { isLowLatency: boolean }): string =>
  `${track}/${isLowLatency ? 'live' : 'standard'}.m3u8`

interface Rendered {
  readonly state: string
  readonly text: string | undefined
}

/**
 * The playlists of a packager. Each is rendered once per state and shared by all requests. Methods return
 * undefined while nothing is playable.
 */
export class LivePlaylists {
  readonly #packager: LivePackager
  readonly #rendered = new Map<string, Rendered>()
  readonly #lines = new Map<TrackName, SegmentLines>()
  /** Highest bit rate so far, because players select by it and old segments leave the window. */
  readonly #peakBitsPerSecond = new Map<TrackName, number>()

  constructor(packager: LivePackager) {
    this.#packager = packager
  }

  /**
   * `isDelta` corresponds to `_HLS_skip=YES`. When `isLowLatency` is false, the same segments are listed
   * without parts.
   */
  media(
    track: TrackName,
    { isDelta = false, isLowLatency = true }: Partial<PlaylistForm> = {},
  ): string | undefined {
    const { targets, hasEnded } = this.#packager
    const rendition = this.#packager.rendition(track)
    if (rendition === undefined || targets === undefined) return undefined
    // Players treat a playlist without segments as broken.
    if (!isLowLatency && rendition.segments.length === 0) return undefined
    const form = { isDelta, isLowLatency }
    const state = isLowLatency ? rendition.state : rendition.segmentState
    return this.#once(`${track} ${isDelta} ${isLowLatency}`, `${state} ${hasEnded}`, () =>
      renderMediaPlaylist({
        ...form,
        rendition,
        lines: this.#linesOf(track),
        targets,
        hasEnded,
        reports: this.#reportsFor(track, isLowLatency),
      }),
    )
  }

  /** Whether a player that has all segments before `nextNumber` knows those that a delta update leaves out. */
  skipsOnlyKnown(track: TrackName, nextNumber: number): boolean {
    const { targets } = this.#packager
    const rendition = this.#packager.rendition(track)
    if (rendition === undefined || targets === undefined) return true
    const lastSkipped = rendition.segments[countSkipped(rendition, targets) - 1]
    return lastSkipped === undefined || lastSkipped.number < nextNumber
  }

  answerReload(track: TrackName, request: ReloadRequest): ReloadAnswer {
    const { targets, hasEnded } = this.#packager
    const rendition = this.#packager.rendition(track)
    if (rendition === undefined || targets === undefined)
      return { type: 'refuse', reason: `There is no ${track} yet.` }
    return answerReload(rendition, request, { ...targets, hasEnded })
  }

  multivariant(form: { isLowLatency: boolean } = { isLowLatency: true }): string | undefined {
    const { renditions } = this.#packager
    // Until the first segment is complete, bit rates are measured from its parts.
    const state = renditions.map(({ segments, segmentState, state: parts }) =>
      segments.length > 0 ? segmentState : parts,
    )
    const muxed = form.isLowLatency ? this.#packager.muxed : undefined
    return this.#once(`multivariant ${form.isLowLatency}`, `${state.join()} ${muxed !== undefined}`, () =>
      this.#renderMultivariant(form, muxed),
    )
  }

  #renderMultivariant(form: { isLowLatency: boolean }, muxed: Rendition | undefined): string | undefined {
    const video = this.#packager.rendition('video')
    const audio = this.#packager.rendition('audio')
    const [main] = [video, audio].filter((rendition) => rendition !== undefined)
    if (main === undefined) return undefined
    if (muxed && audio) {
      const variant = this.#variantOf(main, audio, form)
      const variants = [{ ...variant, uri: mediaPlaylistUri(muxed.name, form) }]
      return writeMultivariantPlaylist({ independentSegments: false, renditions: [], variants })
    }
    const hasAudioGroup = video !== undefined && audio !== undefined
    const ladder = this.#packager.renditions.filter(({ kind }) => kind === main.kind)
    return writeMultivariantPlaylist({
      independentSegments: false,
      renditions: hasAudioGroup
        ? [
            {
              type: 'AUDIO',
              groupId: 'audio',
              name: 'Audio',
              isDefault: true,
              isAutoselect: true,
              channels: audio.format.channels,
              uri: mediaPlaylistUri('audio', form),
            },
          ]
        : [],
      variants: ladder.map((rendition) => ({
        ...this.#variantOf(rendition, hasAudioGroup ? audio : undefined, form),
        ...(hasAudioGroup && { audioGroupId: 'audio' }),
      })),
    })
  }

  #variantOf(main: Rendition, audio: Rendition | undefined, form: { isLowLatency: boolean }): Variant {
    const played = audio ? [main, audio] : [main]
    const rates = played.map((rendition) => this.#measure(rendition))
    const sum = (pick: (rate: (typeof rates)[number]) => number) =>
      Math.max(
        1,
        rates.reduce((total, rate) => total + pick(rate), 0),
      )
    const { widthPixels, heightPixels, kind } = main.format
    const { frameRate } = this.#packager
    return {
      uri: mediaPlaylistUri(main.name, form),
      bandwidthBitsPerSecond: sum((rate) => rate.peakBitsPerSecond),
      averageBandwidthBitsPerSecond: sum((rate) => rate.averageBitsPerSecond),
      codecs: played.map(({ format }) => format.codec),
      ...(kind === 'video' && {
        resolution: { widthPixels, heightPixels },
        ...(frameRate > 0 && { frameRate }),
      }),
    }
  }

  #linesOf(track: TrackName): SegmentLines {
    const lines = this.#lines.get(track) ?? new SegmentLines()
    this.#lines.set(track, lines)
    return lines
  }

  /** Returns the DASH manifest of the same segments, for a live or an ended stream. */
  manifest(): string | undefined {
    const { targets, timing, hasEnded } = this.#packager
    const { renditions } = this.#packager
    const newest = renditions.flatMap(({ segments }) => segments.at(-1) ?? [])
    if (targets === undefined || timing === undefined || newest.length === 0) return undefined
    const state = renditions.map(({ currentSegment }) => currentSegment.number).join(' ')
    return this.#once('manifest', `${state} ${hasEnded}`, () =>
      renderLiveManifest({
        ...timing,
        ...targets,
        hasEnded,
        // End of the newest segment, so that each state has a single text.
        publishedAtMs: Math.max(
          ...newest.map((segment) => segment.startedAtMs + segment.durationSeconds * 1_000),
        ),
        renditions: renditions.map((rendition) => ({ rendition, ...this.#measure(rendition) })),
      }),
    )
  }

  #measure(rendition: Rendition): { peakBitsPerSecond: number; averageBitsPerSecond: number } {
    const { openParts } = rendition
    const segments = rendition.segments.slice(-segmentsMeasured)
    const spans =
      segments.length > 0
        ? segments.map(({ durationSeconds, sizeBytes }) => ({ durationTicks: durationSeconds, sizeBytes }))
        : openParts.map((part) => ({ durationTicks: part.durationSeconds, sizeBytes: part.data.length }))
    const rates = measureBitRates(spans, 1)
    const peak = Math.max(rates.peakBitsPerSecond, this.#peakBitsPerSecond.get(rendition.name) ?? 0)
    this.#peakBitsPerSecond.set(rendition.name, peak)
    return { peakBitsPerSecond: peak, averageBitsPerSecond: rates.averageBitsPerSecond }
  }

  #reportsFor(track: TrackName, isLowLatency: boolean): RenditionReport[] {
    if (track === 'av') return []
    return this.#packager.renditions.flatMap((rendition) => {
      const uri = `../${mediaPlaylistUri(rendition.name, { isLowLatency })}`
      return (rendition.name === track ? undefined : reportOf(uri, rendition, isLowLatency)) ?? []
    })
  }

  #once<Text extends string | undefined>(name: string, state: string, render: () => Text): Text {
    const rendered = this.#rendered.get(name)
    if (rendered?.state === state) return rendered.text as Text
    const text = render()
    this.#rendered.set(name, { state, text })
    return text
  }
}
