import type Hls from 'hls.js'
import type { Level } from 'hls.js'

export interface Quality {
  readonly id: number
  readonly label: string
  /** The short side, which is what 1080p means of an upright video too. */
  readonly heightPixels: number
}

/** What a viewer may choose of what the engine plays. */
export interface Choices {
  readonly qualities: () => readonly Quality[]
  /** Null: the engine chooses. */
  readonly chosen: () => number | null
  readonly playing: () => Quality | null
  readonly choose: (id: number | null) => void
}

type LevelFacts = Pick<Level, 'width' | 'height' | 'bitrate' | 'videoRange'>

const megabits = (bitsPerSecond: number): string => `${(bitsPerSecond / 1_000_000).toFixed(1)} Mbit/s`

/** The largest first; two of one size are told apart by their bit rates. Pure. */
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
    choose: (id) => {
      hls.nextLevel = id ?? -1
    },
  }
}
