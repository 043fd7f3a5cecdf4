import { setTimeout as delay } from 'node:timers/promises'
import { parseMultivariantPlaylist } from '@zoetrope/hls'
import { TrackPieces } from './live-pieces.ts'
import { readPlaylist, type SeenPlaylist } from './live-playlist.ts'
import { TrackRules } from './live-playlist-rules.ts'

export interface LivePlayerOptions {
  readonly url: string
  /** Since when a publisher has been sending, by `performance.now`. Null while no publisher sends. */
  readonly sendingSinceMs: () => number | null
  /** Whether requests may fail now because their server has just been killed. */
  readonly mayFail: () => boolean
  readonly onFault: (fault: string) => void
}

export interface PlayerFigures {
  readonly playlists: number
  readonly pieces: number
  readonly comparisons: number
  readonly breaks: number
  /** Number of failed requests by status or connection error. */
  readonly refusals: ReadonlyMap<string, number>
  /** Number of listed segments that were lost with a killed node. */
  readonly lost: number
  /** Longest time without new media while a publisher was sending. */
  readonly longestStandstillMs: number
  /** Time since the newest part of the track that lags most. */
  readonly sinceNewestMs: number
}

export interface LivePlayer {
  readonly figures: () => PlayerFigures
  readonly stop: () => Promise<void>
}

const retryMs = 500
/** The page restarts the player when it gives up. */
const mostFailures = 10
const stuckMs = 10_000
const lookMs = 500
/** Servers may block a request for as long as a proxy allows. */
const requestMs = 40_000
/** After this time, the frames of a publisher have reached the viewers. */
const flowingMs = 5_000
/** After one in this many playlists, the player loads a known piece again. */
const compareOneIn = 20

interface Track {
  readonly rules: TrackRules
  readonly pieces: TrackPieces
  readonly onFault: (fault: string) => void
  newest: string
  newestAtMs: number
  isStuck: boolean
  /** A new broadcast may have other tracks. */
  isFollowed: boolean
}

/** RFC 8216bis 6.2.5.1: a client with an outdated playlist requests a full one. */
const reloadQuery = ({ open, partTargetSeconds, canSkip }: SeenPlaylist, isFresh: boolean): string => {
  const part = partTargetSeconds === null ? '' : `&_HLS_part=${open.parts.length}`
  return `?_HLS_msn=${open.number}${part}${canSkip && isFresh ? '&_HLS_skip=YES' : ''}`
}

/** RFC 8216bis 6.2.5.1: a delta update needs a playlist that is at most half the skip boundary old, six target durations. */
const freshMs = (last: SeenPlaylist | null): number => 3_000 * (last?.targetDurationSeconds ?? 0)

const note = (track: Track, { open }: SeenPlaylist): void => {
  const newest = `${open.number}.${open.parts.length}`
  if (newest !== track.newest) {
    track.newest = newest
    track.newestAtMs = performance.now()
    track.isStuck = false
  }
}

/**
 * Follows a stream until it is stopped, as hls.js in our player page does: over discontinuities, ends and new
 * broadcasts.
 */
export const startLivePlayer = ({ url, ...options }: LivePlayerOptions): LivePlayer => {
  const { sendingSinceMs, mayFail, onFault } = options
  const tracks = new Map<string, Track>()
  const stopping = new AbortController()
  const base = url.slice(0, url.lastIndexOf('/') + 1)
  const refusals = new Map<string, number>()
  const underWay = new Map<string, number>()
  let playlists = 0
  let longestStandstillMs = 0
  /** When the last track ended, or the player found none. */
  let followedMs = performance.now()
  let findsNothing = false

  const isFlowing = (): boolean => {
    const sinceMs = sendingSinceMs()
    return sinceMs !== null && performance.now() - sinceMs > flowingMs
  }

  const load = async (path: string): Promise<Buffer | null> => {
    const wasFlowing = isFlowing()
    const refuse = (kind: string, text: string): null => {
      if (stopping.signal.aborted) return null
      refusals.set(kind, (refusals.get(kind) ?? 0) + 1)
      // A request for anything that a playlist announced must never get 400.
      if (kind === '400' || (wasFlowing && isFlowing() && !mayFail())) onFault(`${path}: ${kind} ${text}`)
      return null
    }
    underWay.set(path, performance.now())
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(requestMs)])
    try {
      const response = await fetch(base + path, { signal })
      const body = Buffer.from(await response.arrayBuffer())
      return response.ok ? body : refuse(String(response.status), body.toString().slice(0, 300))
    } catch (error) {
      return refuse('broken', String(error))
    } finally {
      underWay.delete(path)
    }
  }

  const waitsFor = (): string =>
    [...underWay].map(([path, ms]) => `${path} (${(performance.now() - ms).toFixed(0)} ms)`).join(', ')

  const trackOf = (uri: string): Track => {
    const known = tracks.get(uri)
    if (known !== undefined) return known
    const folder = uri.slice(0, uri.lastIndexOf('/') + 1)
    const onTrackFault = (text: string): void => onFault(`${uri}: ${text}`)
    const track: Track = {
      rules: new TrackRules(),
      pieces: new TrackPieces({
        load: (piece) => load(folder + piece),
        onFault: onTrackFault,
        isMuxed: folder.endsWith('av/'),
      }),
      onFault: onTrackFault,
      newest: '',
      newestAtMs: performance.now(),
      isStuck: false,
      isFollowed: false,
    }
    tracks.set(uri, track)
    return track
  }

  /** Follows one rendition until the broadcast ends or its playlist is gone. */
  const follow = async (uri: string, isOver: { is: boolean }): Promise<void> => {
    const track = trackOf(uri)
    const { rules, pieces } = track
    track.isFollowed = true
    track.newestAtMs = performance.now()
    let last: SeenPlaylist | null = null
    let lastAtMs = 0
    let failures = 0
    while (!stopping.signal.aborted && !isOver.is && last?.hasEnded !== true) {
      const isFresh: boolean = failures === 0 && performance.now() - lastAtMs < freshMs(last)
      const text: Buffer | null = await load(uri + (last === null ? '' : reloadQuery(last, isFresh)))
      if (text === null) {
        failures += 1
        if (failures === mostFailures) isOver.is = true
        await delay(retryMs)
        continue
      }
      playlists += 1
      try {
        const playlist: SeenPlaylist = readPlaylist(text.toString(), last)
        const look = { isNewBroadcast: last === null, isFlowing: isFlowing() }
        for (const fault of rules.check(playlist, look)) track.onFault(fault)
        note(track, playlist)
        if (failures > 0) await pieces.compareKnown(playlist)
        failures = 0
        last = playlist
        lastAtMs = performance.now()
        await pieces.playNew(playlist)
        if (Math.random() < 1 / compareOneIn) await pieces.compareOne(playlist)
      } catch (error) {
        track.onFault(`${String(error)} in ${text.toString().slice(0, 2_000)}`)
        last = null
        await delay(retryMs)
      }
    }
    track.isFollowed = false
    followedMs = performance.now()
  }

  const readTracks = async (): Promise<string[]> => {
    try {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(requestMs)])
      const response = await fetch(url, { signal })
      if (!response.ok) return []
      const { variants, renditions } = parseMultivariantPlaylist(await response.text())
      return [variants[0]?.uri, renditions[0]?.uri].filter((uri) => uri !== undefined)
    } catch {
      return []
    }
  }

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const isOver = { is: false }
      const uris = await readTracks()
      await Promise.all(uris.map((uri) => follow(uri, isOver)))
      await delay(retryMs, null, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = run()

  const looking = setInterval(() => {
    const sinceMs = sendingSinceMs()
    if (sinceMs === null) return
    const followed = [...tracks.values()].filter(({ isFollowed }) => isFollowed)
    const searchingMs = followed.length > 0 ? 0 : performance.now() - Math.max(sinceMs, followedMs)
    if (searchingMs > stuckMs && !findsNothing) onFault('finds no playlist')
    findsNothing = searchingMs > stuckMs
    for (const track of followed) {
      const standstillMs = performance.now() - Math.max(sinceMs, track.newestAtMs)
      longestStandstillMs = Math.max(longestStandstillMs, standstillMs)
      if (standstillMs < stuckMs || track.isStuck) continue
      track.isStuck = true
      track.onFault(`stuck at ${track.newest}, waiting for ${waitsFor()}`)
    }
  }, lookMs)

  return {
    figures: () => {
      const all = [...tracks.values()]
      const followed = all.filter(({ isFollowed }) => isFollowed)
      const ages = followed.map(({ newestAtMs }) => performance.now() - newestAtMs)
      return {
        playlists,
        pieces: all.reduce((sum, { pieces }) => sum + pieces.loaded, 0),
        comparisons: all.reduce((sum, { pieces }) => sum + pieces.compared, 0),
        breaks: Math.max(0, ...all.map(({ rules }) => rules.breaks)),
        refusals,
        lost: all.reduce((sum, { rules }) => sum + rules.lost, 0),
        longestStandstillMs,
        sinceNewestMs: ages.length === 0 ? Infinity : Math.max(...ages),
      }
    },
    stop: () => {
      stopping.abort()
      clearInterval(looking)
      return running
    },
  }
}
