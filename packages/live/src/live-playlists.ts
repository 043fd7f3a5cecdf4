import { writeMultivariantPlaylist, type RenditionReport } from '@zoetrope/hls'
import { measureBitRates } from '@zoetrope/packager'
import { answerReload, type ReloadAnswer, type ReloadRequest } from './answer-reload.ts'
import { renderLiveManifest } from './live-manifest.ts'
import type { LivePackager } from './live-packager.ts'
import { renderMediaPlaylist, reportOf } from './media-playlist.ts'
import type { Rendition } from './rendition.ts'
import type { TrackKind } from './track-format.ts'

const kinds = ['video', 'audio'] as const
const playlistName = 'live.m3u8'

/** Where media playlists lie, as seen from the multivariant playlist. */
export const mediaPlaylistUri = (kind: TrackKind): string => `${kind}/${playlistName}`

interface Rendered {
  readonly state: string
  readonly text: string | undefined
}

/** The playlists of a packager. Each is written once for a state, however many ask; undefined where there is nothing to play yet. */
export class LivePlaylists {
  readonly #packager: LivePackager
  readonly #rendered = new Map<string, Rendered>()
  /** Of what has been measured so far: players choose by it, and the window forgets. */
  readonly #peakBitsPerSecond: Record<TrackKind, number> = { video: 0, audio: 0 }

  constructor(packager: LivePackager) {
    this.#packager = packager
  }

  /** `isDelta` is `_HLS_skip=YES`. */
  media(kind: TrackKind, { isDelta = false }: { isDelta?: boolean } = {}): string | undefined {
    const { targets, hasEnded } = this.#packager
    const rendition = this.#packager.rendition(kind)
    if (rendition === undefined || targets === undefined) return undefined
    return this.#once(`${kind} ${isDelta}`, `${rendition.state} ${hasEnded}`, () =>
      renderMediaPlaylist({ rendition, targets, hasEnded, isDelta, reports: this.#reportsFor(kind) }),
    )
  }

  /** Whether the playlist that a player asks for is there. */
  answerReload(kind: TrackKind, request: ReloadRequest): ReloadAnswer {
    const { targets, hasEnded } = this.#packager
    const rendition = this.#packager.rendition(kind)
    if (rendition === undefined || targets === undefined)
      return { type: 'refuse', reason: `There is no ${kind} yet.` }
    return answerReload(rendition, request, { ...targets, hasEnded })
  }

  multivariant(): string | undefined {
    const video = this.#packager.rendition('video')
    const audio = this.#packager.rendition('audio')
    const [main] = [video, audio].filter((rendition) => rendition !== undefined)
    if (main === undefined) return undefined
    const rates = [video, audio].flatMap((rendition) => (rendition ? [this.#measure(rendition)] : []))
    const sum = (pick: (rate: (typeof rates)[number]) => number) =>
      rates.reduce((total, rate) => total + pick(rate), 0)
    const codecs = [video, audio].flatMap((rendition) => rendition?.format.codec ?? [])
    const frameRate = this.#packager.frameRate
    return writeMultivariantPlaylist({
      independentSegments: false,
      renditions:
        video && audio
          ? [
              {
                type: 'AUDIO',
                groupId: 'audio',
                name: 'Audio',
                isDefault: true,
                isAutoselect: true,
                channels: audio.format.channels,
                uri: mediaPlaylistUri('audio'),
              },
            ]
          : [],
      variants: [
        {
          uri: mediaPlaylistUri(main.kind),
          bandwidthBitsPerSecond: Math.max(
            1,
            sum((rate) => rate.peakBitsPerSecond),
          ),
          averageBandwidthBitsPerSecond: Math.max(
            1,
            sum((rate) => rate.averageBitsPerSecond),
          ),
          codecs,
          ...(video && {
            resolution: {
              widthPixels: video.format.widthPixels,
              heightPixels: video.format.heightPixels,
            },
            ...(frameRate > 0 && { frameRate }),
          }),
          ...(video && audio && { audioGroupId: 'audio' }),
        },
      ],
    })
  }

  /** The DASH manifest of the same segments, while the stream goes on. */
  manifest(): string | undefined {
    const { targets, timing, hasEnded } = this.#packager
    const renditions = kinds.flatMap((kind) => this.#packager.rendition(kind) ?? [])
    const newest = renditions.flatMap(({ segments }) => segments.at(-1) ?? [])
    if (targets === undefined || timing === undefined || newest.length === 0 || hasEnded) return undefined
    const state = renditions.map(({ opening }) => opening.number).join(' ')
    return this.#once('manifest', state, () =>
      renderLiveManifest({
        ...timing,
        ...targets,
        // When its newest segment was whole, so that a state has one text.
        publishedAtMs: Math.max(
          ...newest.map((segment) => segment.startedAtMs + segment.durationSeconds * 1_000),
        ),
        renditions: renditions.map((rendition) => ({ rendition, ...this.#measure(rendition) })),
      }),
    )
  }

  #measure(rendition: Rendition): { peakBitsPerSecond: number; averageBitsPerSecond: number } {
    const { segments, openParts } = rendition
    // Before the first segment is whole, its parts are all there is to go by.
    const spans =
      segments.length > 0
        ? segments.map(({ durationSeconds, sizeBytes }) => ({ durationTicks: durationSeconds, sizeBytes }))
        : openParts.map((part) => ({ durationTicks: part.durationSeconds, sizeBytes: part.data.length }))
    const rates = measureBitRates(spans, 1)
    const peak = Math.max(rates.peakBitsPerSecond, this.#peakBitsPerSecond[rendition.kind])
    this.#peakBitsPerSecond[rendition.kind] = peak
    return { peakBitsPerSecond: peak, averageBitsPerSecond: rates.averageBitsPerSecond }
  }

  #reportsFor(kind: TrackKind): RenditionReport[] {
    return kinds.flatMap((other) => {
      const rendition = other === kind ? undefined : this.#packager.rendition(other)
      return (rendition && reportOf(`../${mediaPlaylistUri(other)}`, rendition)) ?? []
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
