import { isToken } from '../engine/addresses.ts'
import type { Chapter } from '../ui/chapters.ts'

/** Messages between the player and the embedding page, documented in docs/embed.md. */

/** Part of every message. An incompatible change of the protocol needs another number. */
export const protocolVersion = 1

export type Command =
  | { readonly command: 'play' | 'pause' | 'load' | 'next' | 'previous' | 'goLive' }
  | { readonly command: 'seek'; readonly seconds: number }
  | { readonly command: 'setVolume'; readonly volume: number }
  | { readonly command: 'setMuted'; readonly muted: boolean }
  | { readonly command: 'setRate'; readonly rate: number }
  /** Null: the player selects. */
  | { readonly command: 'setQuality'; readonly height: number | null }
  /** Null: no captions. */
  | { readonly command: 'setCaptions'; readonly language: string | null }
  | { readonly command: 'setAudio'; readonly language: string }
  | { readonly command: 'setChapters'; readonly chapters: readonly Chapter[] }
  | { readonly command: 'setToken'; readonly token: string }
  | { readonly command: 'getState'; readonly id: string | number | null }

export type HostEvent =
  | 'ready'
  | 'play'
  | 'pause'
  | 'timeupdate'
  | 'seeked'
  | 'ended'
  | 'volumechange'
  | 'ratechange'
  | 'qualitychange'
  | 'captionschange'
  | 'audiochange'
  | 'item'
  | 'live'
  | 'error'
  | 'tokenExpiring'
  | 'tokenExpired'
  | 'state'

const rates = { least: 0.25, most: 4 }

const isSeconds = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0

const toChapters = (value: unknown): Chapter[] | null => {
  if (!Array.isArray(value) || value.length > 500) return null
  const chapters = value.flatMap((one: unknown) => {
    const { seconds, title } = (one ?? {}) as { seconds?: unknown; title?: unknown }
    return isSeconds(seconds) && typeof title === 'string' ? [{ startSeconds: seconds, title }] : []
  })
  return chapters.length === value.length ? chapters.sort((a, b) => a.startSeconds - b.startSeconds) : null
}

const parsers: Readonly<Record<string, (fields: Readonly<Record<string, unknown>>) => Command | null>> = {
  play: () => ({ command: 'play' }),
  pause: () => ({ command: 'pause' }),
  load: () => ({ command: 'load' }),
  next: () => ({ command: 'next' }),
  previous: () => ({ command: 'previous' }),
  goLive: () => ({ command: 'goLive' }),
  seek: ({ seconds }) => (isSeconds(seconds) ? { command: 'seek', seconds } : null),
  setVolume: ({ volume }) => (isSeconds(volume) && volume <= 1 ? { command: 'setVolume', volume } : null),
  setMuted: ({ muted }) => (typeof muted === 'boolean' ? { command: 'setMuted', muted } : null),
  setRate: ({ rate }) =>
    isSeconds(rate) && rate >= rates.least && rate <= rates.most ? { command: 'setRate', rate } : null,
  setQuality: ({ height }) =>
    height === 'auto' || isSeconds(height)
      ? { command: 'setQuality', height: height === 'auto' ? null : height }
      : null,
  setCaptions: ({ language }) =>
    language === null || typeof language === 'string' ? { command: 'setCaptions', language } : null,
  setAudio: ({ language }) => (typeof language === 'string' ? { command: 'setAudio', language } : null),
  setChapters: ({ chapters }) => {
    const parsed = toChapters(chapters)
    return parsed === null ? null : { command: 'setChapters', chapters: parsed }
  },
  setToken: ({ token }) =>
    typeof token === 'string' && isToken(token) ? { command: 'setToken', token } : null,
  getState: ({ id }) => ({
    command: 'getState',
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
  }),
}

/**
 * Returns null for other messages and invalid commands, because pages receive many messages that are not for
 * the player.
 */
export const parseCommand = (data: unknown): Command | null => {
  if (typeof data !== 'object' || data === null) return null
  const fields = data as Readonly<Record<string, unknown>>
  const { zoetrope, command } = fields
  if (zoetrope !== protocolVersion || typeof command !== 'string') return null
  return Object.hasOwn(parsers, command) ? (parsers[command]?.(fields) ?? null) : null
}
