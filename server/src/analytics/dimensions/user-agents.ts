import Bowser from 'bowser'
import { LRUCache } from 'lru-cache'
import { unknownValue } from './names.ts'

export interface Agent {
  readonly device: string
  readonly browser: string
  readonly os: string
  /** Null for browsers, whose user agent does not name the player. */
  readonly player: string | null
}

const longestUserAgent = 400
const longestName = 40
const keptAgents = 2_000

const devices: Readonly<Record<string, string>> = {
  desktop: 'desktop',
  mobile: 'phone',
  tablet: 'tablet',
  tv: 'tv',
}

const nativePlayers: readonly (readonly [RegExp, string])[] = [
  [/AppleCoreMedia/, 'avplayer'],
  [/ExoPlayerLib|AndroidXMedia3/, 'exoplayer'],
  [/^VLC\//, 'vlc'],
]

/** Bowser takes the name of an unknown program from its user agent. */
const nameOf = (name: string | undefined): string =>
  name?.replaceAll(/[^ -~]/g, '').slice(0, longestName) || unknownValue

const parse = (text: string): Agent => {
  const { browser, os, platform } = Bowser.parse(text)
  const player = nativePlayers.find(([pattern]) => pattern.test(text))?.[1] ?? null
  return {
    // ExoPlayer does not say on what it runs.
    device: player === 'exoplayer' ? unknownValue : (devices[platform.type ?? ''] ?? unknownValue),
    browser: nameOf(browser.name),
    os: nameOf(os.name),
    player,
  }
}

const agents = new LRUCache<string, Agent>({ max: keptAgents })

/** Names without versions, which would point to few viewers. */
export const agentOf = (userAgent: string | undefined): Agent => {
  const text = (userAgent ?? '').slice(0, longestUserAgent)
  if (text === '') return { device: unknownValue, browser: unknownValue, os: unknownValue, player: null }
  const known = agents.get(text)
  if (known !== undefined) return known
  const agent = parse(text)
  agents.set(text, agent)
  return agent
}
