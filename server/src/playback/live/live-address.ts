import { isPlayoutId } from '../access/find-playout.ts'

export type LiveResource =
  | { readonly type: 'multivariant'; readonly isLowLatency: boolean }
  | { readonly type: 'manifest' }
  | { readonly type: 'status' }
  | { readonly type: 'poster' }
  | { readonly type: 'time' }
  | { readonly type: 'beacon' }
  | { readonly type: 'playlist'; readonly track: string; readonly isLowLatency: boolean }
  | { readonly type: 'init'; readonly track: string; readonly version: number }
  | { readonly type: 'segment'; readonly track: string; readonly number: number }
  | { readonly type: 'part'; readonly track: string; readonly number: number; readonly index: number }

export interface LiveAddress {
  readonly playoutId: string
  readonly token: string | null
  /** Path after the playout id, with the query. */
  readonly rest: string
}

const idLength = 36

/**
 * Parses `/l/<playoutId>/<name>` and `/s/<token>/l/<playoutId>/<name>` literally: no other spelling of an
 * address is valid.
 */
export const parseLiveAddress = (url: string): LiveAddress | null => {
  let start = 0
  let token: string | null = null
  if (url.startsWith('/s/')) {
    start = url.indexOf('/', 3)
    if (start <= 3) return null
    token = url.slice(3, start)
  }
  const idStart = start + 3
  const idEnd = idStart + idLength
  if (!url.startsWith('/l/', start) || url[idEnd] !== '/') return null
  const playoutId = url.slice(idStart, idEnd)
  if (!isPlayoutId(playoutId)) return null
  return { playoutId, token, rest: url.slice(idEnd + 1) }
}

const fixed: Readonly<Record<string, LiveResource>> = {
  'main.m3u8': { type: 'multivariant', isLowLatency: false },
  'll.m3u8': { type: 'multivariant', isLowLatency: true },
  'main.mpd': { type: 'manifest' },
  'status.json': { type: 'status' },
  'poster.jpg': { type: 'poster' },
  time: { type: 'time' },
  beacon: { type: 'beacon' },
}

const count = '(0|[1-9][0-9]{0,14})'
const ofTrack = new RegExp(
  `^([a-z][a-z0-9-]{0,31})/(?:(live|standard)\\.m3u8|init-${count}\\.mp4|${count}(?:\\.${count})?\\.m4s)$`,
)

export const parseLiveResource = (name: string): LiveResource | null => {
  if (Object.hasOwn(fixed, name)) return fixed[name] ?? null
  const match = ofTrack.exec(name)
  if (match === null) return null
  const [, track = '', playlist, version, number, index] = match
  if (playlist !== undefined) return { type: 'playlist', track, isLowLatency: playlist === 'live' }
  if (version !== undefined) return { type: 'init', track, version: Number(version) }
  if (index === undefined) return { type: 'segment', track, number: Number(number) }
  return { type: 'part', track, number: Number(number), index: Number(index) }
}
