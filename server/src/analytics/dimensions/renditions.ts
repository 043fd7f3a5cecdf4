import { unknownValue } from './names.ts'

/** A rendition of the file that a session plays. */
export interface FileRendition {
  readonly id: number
  readonly kind: 'video' | 'audio'
  /** As in playlists, such as `avc1.640028`. */
  readonly codec: string
  readonly widthPixels: number | null
  readonly heightPixels: number | null
  readonly peakBitsPerSecond: number
  readonly averageBitsPerSecond: number
}

/** Codec and size, such as `h264 1080p`. */
export type RenditionName = string

/** A rendition as reports of players can name it. */
export interface NamedRendition {
  readonly id: number
  readonly name: RenditionName
  /** Bit rates that players report for it: peak or mean, with or without the sound. */
  readonly kbps: readonly number[]
}

const audioSize = 'audio'
const codecs: readonly (readonly [RegExp, string])[] = [
  [/^avc[13]/, 'h264'],
  [/^h(?:vc|ev)1/, 'hevc'],
  [/^av01/, 'av1'],
  [/^vp0?9/, 'vp9'],
  [/^mp4a/, 'aac'],
  [/^opus/i, 'opus'],
  [/^fLaC/i, 'flac'],
  [/^ac-3/, 'ac3'],
  [/^ec-3/, 'eac3'],
]

export const codecName = (codec: string): string =>
  codecs.find(([pattern]) => pattern.test(codec))?.[1] ?? unknownValue

/** An upright video is 1080p by its width. */
export const sizeName = (widthPixels: number, heightPixels: number): string =>
  `${Math.min(widthPixels, heightPixels)}p`

export const renditionName = (codec: string, size: string): RenditionName => `${codec} ${size}`

/** Codec and rendition as dimensions; null = not known. */
export const renditionDimensions = (
  name: RenditionName | null,
): { readonly codec: string; readonly rendition: string } => {
  const [codec = unknownValue, rendition = unknownValue] = name?.split(' ') ?? []
  return { codec, rendition }
}

/** Names what viewers choose from: the videos of a file, or its sound if it has no video. */
export const nameRenditions = (renditions: readonly FileRendition[]): NamedRendition[] => {
  const videos = renditions.filter(({ kind }) => kind === 'video')
  const sounds = renditions.filter(({ kind }) => kind === 'audio')
  if (videos.length === 0)
    return sounds.map(({ id, codec, peakBitsPerSecond, averageBitsPerSecond }) => ({
      id,
      name: renditionName(codecName(codec), audioSize),
      kbps: [peakBitsPerSecond / 1_000, averageBitsPerSecond / 1_000],
    }))
  return videos.map(({ id, codec, widthPixels, heightPixels, peakBitsPerSecond, averageBitsPerSecond }) => ({
    id,
    name: renditionName(
      codecName(codec),
      widthPixels === null || heightPixels === null ? unknownValue : sizeName(widthPixels, heightPixels),
    ),
    kbps: [undefined, ...sounds].flatMap((sound) => [
      (peakBitsPerSecond + (sound?.peakBitsPerSecond ?? 0)) / 1_000,
      (averageBitsPerSecond + (sound?.averageBitsPerSecond ?? 0)) / 1_000,
    ]),
  }))
}

/** Players round bit rates. */
const tolerance = 0.03

const byBitRate = (renditions: readonly NamedRendition[], kbps: number): RenditionName | null => {
  const [nearest] = renditions
    .map(({ name, kbps: rates }) => ({
      name,
      distance: Math.min(...rates.map((rate) => Math.abs(rate - kbps))),
    }))
    .toSorted((one, other) => one.distance - other.distance)
  return nearest !== undefined && nearest.distance <= kbps * tolerance ? nearest.name : null
}

/** Completes what a player reports by what is known about the file: a missing codec, or the rendition with its bit rate. */
export const findRendition = (
  renditions: readonly NamedRendition[],
  {
    rendition,
    bitRateKbps,
  }: { readonly rendition: RenditionName | null; readonly bitRateKbps: number | null },
): RenditionName | null => {
  if (renditions.length === 0 || (rendition !== null && !rendition.startsWith(unknownValue))) return rendition
  if (rendition === null) return bitRateKbps === null ? null : byBitRate(renditions, bitRateKbps)
  const { rendition: size } = renditionDimensions(rendition)
  const found = new Set(
    renditions.map(({ name }) => name).filter((name) => renditionDimensions(name).rendition === size),
  )
  return found.size === 1 ? ([...found][0] ?? rendition) : rendition
}
