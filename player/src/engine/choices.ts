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

type LevelFacts = Pick<Level, 'width' | 'height' | 'bitrate' | 'videoRange'>

const megabits = (bitsPerSecond: number): string => `${(bitsPerSecond / 1_000_000).toFixed(1)} Mbit/s`

/** Sorted by size, largest first. Bit rates distinguish two qualities of the same size. */
export const qualitiesOf = (levels: readonly LevelFacts[]): Quality[] => {
  const all = levels.map(({ width, height, bitrate, videoRange }, id) => {
    const heightPixels = Math.min(width, height)
    const isHdr = videoRange === 'PQ' || videoRange === 'HLG'
    return { id, heightPixels, bitrate, label: `${heightPixels}p${isHdr ? ' HDR' : ''}` }
  })
  return all
    .filter(({ heightPixels }) => heightPixels > 0)
    .sort((a, b) => b.heightPixels - a.heightPixels || b.bitrate - a.bitrate)
    .map(({ id, heightPixels, bitrate, label }) => {
      const isOnlyOne = all.filter((other) => other.label === label).length === 1
      return { id, heightPixels, label: isOnlyOne ? label : `${label} · ${megabits(bitrate)}` }
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
