import type { RenditionRow } from '../../library/files/record/parts/rendition-record.ts'
import { passthroughOptions, packagedTargetDurationSeconds } from '../../library/files/media/media-blobs.ts'

/** Fields of a rendition needed to plan a stream, without its segments. */
export type LayoutRendition = Pick<
  RenditionRow,
  | 'id'
  | 'kind'
  | 'state'
  | 'delivery'
  | 'codec'
  | 'width_pixels'
  | 'height_pixels'
  | 'frame_rate'
  | 'channels'
  | 'sample_rate_hz'
  | 'peak_bits_per_second'
  | 'average_bits_per_second'
  | 'has_closed_captions'
>

/** A playable element; only complete renditions, because the stream does not grow. */
export interface PlayableElement {
  readonly playoutId: string
  readonly title: string
  readonly pictureId: string | null
  readonly allowedDomains: readonly string[]
  readonly lengthSeconds: number
  readonly renditions: readonly LayoutRendition[]
}

/**
 * Renditions of each element for each variant; null where a filler replaces them. Stored as JSON, so that all
 * media playlists agree.
 */
export interface PlaylistLayout {
  /** True when it may contain unreleased elements. */
  readonly isPreview: boolean
  /** True when it may contain elements that need a signed link; absent in layouts of the first release. */
  readonly isSigned?: boolean
  readonly variantCount: number
  readonly targetDurationSeconds: number
  /** Format of the silence that replaces missing audio; null when no element has audio. */
  readonly silence: { readonly sampleRateHz: number; readonly channels: number } | null
  readonly elements: readonly {
    readonly playoutId: string
    readonly lengthSeconds: number
    readonly video: readonly number[] | null
    readonly audio: number | null
  }[]
}

export interface PlannedVariant {
  readonly videos: readonly (LayoutRendition | undefined)[]
}

export interface PlannedStream {
  readonly layout: PlaylistLayout
  readonly elements: readonly PlayableElement[]
  /** Empty when no element has video: the stream is audio-only. */
  readonly variants: readonly PlannedVariant[]
  readonly audios: readonly (LayoutRendition | undefined)[]
}

/** Short sides of the variants, in pixels; each element contributes the largest rendition that fits. */
const rungs = [240, 360, 480, 720, 1080, 1440, 2160] as const
/** Counts 1916×1076 and 1920×1088 as 1080p. */
const tolerance = 1.06
/** Most players start with the first variant; RFC 8216bis, section 6.2.4, does not prescribe an order. */
const firstRung = 720

const shortSide = ({ width_pixels, height_pixels }: LayoutRendition): number =>
  Math.min(width_pixels ?? 0, height_pixels ?? 0)

const bySize = (a: LayoutRendition, b: LayoutRendition): number =>
  shortSide(a) - shortSide(b) || a.peak_bits_per_second - b.peak_bits_per_second || a.id - b.id

const fitting = (videos: readonly LayoutRendition[], rung: number): LayoutRendition | undefined =>
  videos.filter((one) => shortSide(one) <= rung * tolerance).at(-1) ?? videos[0]

const planVariants = (elements: readonly PlayableElement[]): PlannedVariant[] => {
  const videosOf = elements.map(({ renditions }) =>
    renditions.filter(({ kind }) => kind === 'video').toSorted(bySize),
  )
  if (videosOf.every((videos) => videos.length === 0)) return []
  const variants = new Map<string, PlannedVariant & { readonly rung: number }>()
  for (const rung of rungs) {
    const videos = videosOf.map((one) => fitting(one, rung))
    const key = videos.map((one) => one?.id ?? 0).join()
    if (!variants.has(key)) variants.set(key, { videos, rung })
  }
  const ascending = [...variants.values()]
  const isReady = ({ videos }: PlannedVariant): boolean =>
    videos.every((video) => video?.state !== 'on_demand')
  // Players begin with a variant whose segments need no encoding.
  const first =
    ascending.findLast((variant) => variant.rung <= firstRung && isReady(variant)) ??
    ascending.find(isReady) ??
    ascending.findLast(({ rung }) => rung <= firstRung)
  return [...ascending].sort((a, b) => Number(b === first) - Number(a === first) || b.rung - a.rung)
}

const defaultSilence = { sampleRateHz: 48_000, channels: 2 } as const
const silentRates = [24_000, 32_000, 44_100, 48_000]

/** Matches the first audio rendition, so that the player's decoder is already configured for it. */
const silenceLike = (audios: readonly (LayoutRendition | undefined)[]): PlaylistLayout['silence'] => {
  const like = audios.find((audio) => audio !== undefined)
  if (like === undefined) return null
  const { sample_rate_hz: sampleRateHz, channels } = like
  if (sampleRateHz === null || !silentRates.includes(sampleRateHz)) return defaultSilence
  return { sampleRateHz, channels: channels === 1 ? 1 : 2 }
}

/** Limits a stream to one day, because longer media playlists would take many megabytes. */
const maxStreamSeconds = 86_400

const withinMaxLength = (elements: readonly PlayableElement[]): PlayableElement[] => {
  let seconds = 0
  return elements.filter(({ lengthSeconds }) => {
    seconds += lengthSeconds
    return seconds <= maxStreamSeconds
  })
}

/** Plans one stream over all elements: a common set of variants, and audio throughout. */
export const planPlaylistStream = (
  found: readonly PlayableElement[],
  { isPreview, isSigned }: Pick<PlaylistLayout, 'isPreview' | 'isSigned'>,
): PlannedStream => {
  const elements = withinMaxLength(found.filter(({ renditions }) => renditions.length > 0))
  const variants = planVariants(elements)
  const audios = elements.map(({ renditions }) => renditions.find(({ kind }) => kind === 'audio'))
  const isAnyPassthrough = elements.some(({ renditions }) =>
    renditions.some(({ delivery }) => delivery === 'in_place'),
  )
  return {
    elements,
    variants,
    audios,
    layout: {
      isPreview,
      ...(isSigned === true && { isSigned }),
      variantCount: variants.length,
      targetDurationSeconds: isAnyPassthrough
        ? passthroughOptions.maxDurationSeconds
        : packagedTargetDurationSeconds,
      silence: silenceLike(audios),
      elements: elements.map(({ playoutId, lengthSeconds }, index) => {
        const video = variants.flatMap(({ videos }) => videos[index]?.id ?? [])
        return {
          playoutId,
          lengthSeconds,
          video: video.length === 0 ? null : video,
          audio: audios[index]?.id ?? null,
        }
      }),
    },
  }
}
