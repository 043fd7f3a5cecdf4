import type Hls from 'hls.js'
import type { Level } from 'hls.js'

export interface Quality {
  readonly id: number
  readonly label: string
  /** The shorter side: an upright video is 1080p by its width. */
  readonly heightPixels: number
}

export interface Choices {
  readonly qualities: () => readonly Quality[]
  /** Null: the engine selects. */
  readonly chosen: () => number | null
  readonly playing: () => Quality | null
  /** Mean bits per second of what plays; null when unknown. */
  readonly bitRate: () => number | null
  /** Video codec of what plays, as in playlists; null when unknown. */
  readonly codec: () => string | null
  readonly choose: (id: number | null) => void
}

type LevelFacts = Pick<Level, 'width' | 'height' | 'bitrate' | 'videoRange' | 'videoCodec'>

const megabits = (bitsPerSecond: number): string => `${(bitsPerSecond / 1_000_000).toFixed(1)} Mbit/s`

const codecs = [
  [/^avc[13]/, 'H.264'],
  [/^(hvc|hev)1/, 'HEVC'],
  [/^av01/, 'AV1'],
] as const

const codecOf = (codec = ''): string => codecs.find(([pattern]) => pattern.test(codec))?.[1] ?? codec

/** Sorted by size, largest first. Codecs, or else bit rates, distinguish qualities of the same size. */
export const qualitiesOf = (levels: readonly LevelFacts[]): Quality[] => {
  const all = levels.map(({ width, height, bitrate, videoRange, videoCodec }, id) => {
    const heightPixels = Math.min(width, height)
    const isHdr = videoRange === 'PQ' || videoRange === 'HLG'
    const label = `${heightPixels}p${isHdr ? ' HDR' : ''}`
    return { id, heightPixels, bitrate, label, codec: codecOf(videoCodec) }
  })
  return all
    .filter(({ heightPixels }) => heightPixels > 0)
    .sort((a, b) => b.heightPixels - a.heightPixels || b.bitrate - a.bitrate)
    .map(({ id, heightPixels, bitrate, label, codec }) => {
      const alike = all.filter((other) => other.label === label)
      const isOfItsCodec = alike.filter((other) => other.codec === codec).length === 1
      const detail = isOfItsCodec && codec !== '' ? codec : megabits(bitrate)
      return { id, heightPixels, label: alike.length === 1 ? label : `${label} · ${detail}` }
    })
}

export const choicesOf = (hls: Hls): Choices => {
  const qualities = (): Quality[] => qualitiesOf(hls.levels)
  return {
    qualities,
    chosen: () => (hls.autoLevelEnabled ? null : hls.manualLevel),
    playing: () => qualities().find(({ id }) => id === hls.currentLevel) ?? null,
    bitRate: () => hls.levels[hls.currentLevel]?.averageBitrate ?? null,
    codec: () => hls.levels[hls.currentLevel]?.videoCodec ?? null,
    choose: (id) => {
      hls.nextLevel = id ?? -1
    },
  }
}
