import { isPlayoutId } from '../access/find-playout.ts'

export type LiveResource =
  | { readonly type: 'multivariant'; readonly isLowLatency: boolean }
  | { readonly type: 'manifest' }
  | { readonly type: 'status' }
  | { readonly type: 'poster' }
  | { readonly type: 'time' }
  | { readonly type: 'beacon' }
  | { readonly type: 'playlist'; readonly track: string; readonly isLowLatency: boolean }
  | {
      readonly type: 'init'
      readonly track: string
      readonly version: number
      readonly epoch: number
    }
  | {
      readonly type: 'segment'
      readonly track: string
      readonly number: number
      readonly epoch: number
    }
  | {
      readonly type: 'part'
      readonly track: string
      readonly number: number
      readonly epoch: number
      readonly index: number
    }

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
const epochSuffix = '(?:-([1-9][0-9]{0,14}))?'
const ofTrack = new RegExp(
  `^([a-z][a-z0-9-]{0,31})/(?:(live|standard)\\.m3u8|init-${count}${epochSuffix}\\.mp4|${count}${epochSuffix}(?:\\.${count})?\\.m4s)$`,
)

export const parseLiveResource = (name: string): LiveResource | null => {
  if (Object.hasOwn(fixed, name)) return fixed[name] ?? null
  const match = ofTrack.exec(name)
  if (match === null) return null
  const [, track = '', playlist, version, epochOfInit = 0, number, epochOfSegment = 0, index] = match
  if (playlist !== undefined) return { type: 'playlist', track, isLowLatency: playlist === 'live' }
  if (version !== undefined)
    return { type: 'init', track, version: Number(version), epoch: Number(epochOfInit) }
  const segment = { track, number: Number(number), epoch: Number(epochOfSegment) }
  return index === undefined
    ? { type: 'segment', ...segment }
    : { type: 'part', ...segment, index: Number(index) }
}
