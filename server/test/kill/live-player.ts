import { setTimeout as delay } from 'node:timers/promises'
import { parseMultivariantPlaylist } from '@zoetrope/hls'
import { MediaMemory } from './live-media-check.ts'
import { readPlaylist, TrackRules, type SeenPlaylist, type SeenSegment } from './live-track.ts'

export interface LivePlayerOptions {
  /** A multivariant playlist. */
  readonly url: string
  /** Since when a publisher has been sending, by `performance.now`; null while none does. */
  readonly sendingSinceMs: () => number | null
  /** Whether requests may fail now, because what answers them has just been killed. */
  readonly mayFail: () => boolean
  readonly onFault: (fault: string) => void
}

export interface PlayerFigures {
  readonly playlists: number
  /** Parts, segments and init segments. */
  readonly pieces: number
  /** Pieces that were loaded again, to compare them. */
  readonly comparisons: number
  /** Of the pictures, or the sound where there are none: breaks that were announced. */
  readonly breaks: number
  readonly refusals: number
  /** How long nothing new came, at the most, while a publisher was sending. */
  readonly longestStandstillMs: number
  /** Since the newest part of the track that is farthest behind. */
  readonly sinceNewestMs: number
}

export interface LivePlayer {
  readonly figures: () => PlayerFigures
  readonly stop: () => Promise<void>
}

const retryMs = 500
const stuckMs = 10_000
/** Servers may let a request wait for as long as a proxy lets them. */
const requestMs = 40_000
/** A publisher has been there so long that its frames are at the viewers. */
const flowingMs = 5_000
/** Players begin near the end. */
const segmentsAtFirst = 2
/** One of so many playlists makes the player load something again that it has, from anywhere in the window. */
const compareOneIn = 20
/** Sound is cut a frame earlier or later; lengths are rounded. */
const timelineToleranceSeconds = 0.05

interface Track {
  readonly name: string
  readonly rules: TrackRules
  readonly memory: MediaMemory
  /** What was loaded last, and where the next piece begins; null where a gap or a jump lies between. */
  lastLoaded: { readonly number: number; readonly parts: number }
  endSeconds: number | null
  newest: string
  newestAtMs: number
  firstBreak: number | null
  lastBreak: number
  isStuck: boolean
}

/** Follows a stream for as long as it is not stopped, as hls.js in the player's page does: over breaks, ends and new broadcasts. */
export const startLivePlayer = ({ url, ...options }: LivePlayerOptions): LivePlayer => {
  const { sendingSinceMs, mayFail } = options
  const tracks = new Map<string, Track>()
  const stopping = new AbortController()
  const base = url.slice(0, url.lastIndexOf('/') + 1)
  const figures = { playlists: 0, pieces: 0, comparisons: 0, refusals: 0, longestStandstillMs: 0 }

  const fault = (track: Track | null, text: string): void =>
    options.onFault(track === null ? text : `${track.name}: ${text}`)

  const isFlowing = (): boolean => {
    const sinceMs = sendingSinceMs()
    return sinceMs !== null && performance.now() - sinceMs > flowingMs
  }

  /** Null where it can't be had. */
  const load = async (path: string): Promise<Buffer | null> => {
    const wasFlowing = isFlowing()
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(requestMs)])
    try {
      const response = await fetch(base + path, { signal })
      const body = Buffer.from(await response.arrayBuffer())
      if (response.ok) return body
      figures.refusals += 1
      if (wasFlowing && isFlowing() && !mayFail())
        fault(null, `${path} answers ${response.status} ${body.toString()}`)
    } catch (error) {
      if (stopping.signal.aborted) return null
      figures.refusals += 1
      if (wasFlowing && isFlowing() && !mayFail()) fault(null, `${path}: ${String(error)}`)
    }
    return null
  }

  const trackOf = (name: string): Track => {
    const known = tracks.get(name)
    if (known !== undefined) return known
    const track: Track = {
      name,
      rules: new TrackRules(),
      memory: new MediaMemory(),
      lastLoaded: { number: -1, parts: 0 },
      endSeconds: null,
      newest: '',
      newestAtMs: performance.now(),
      firstBreak: null,
      lastBreak: 0,
      isStuck: false,
    }
    tracks.set(name, track)
    return track
  }

  const loadPiece = async (track: Track, folder: string, uri: string): Promise<Buffer | null> => {
    const bytes = await load(folder + uri)
    if (bytes === null) return null
    figures.pieces += 1
    if (!track.memory.isSame(uri, bytes)) fault(track, `${uri} has other bytes than before`)
    return bytes
  }

  interface Piece {
    readonly uri: string
    readonly durationSeconds: number
    readonly isGap?: boolean
  }

  const play = async (track: Track, folder: string, segment: SeenSegment, piece: Piece): Promise<void> => {
    const { memory } = track
    if (!memory.hasInit(segment.initUri)) {
      const init = await loadPiece(track, folder, segment.initUri)
      if (init !== null) memory.addInit(segment.initUri, init)
    }
    const bytes = piece.isGap === true ? null : await loadPiece(track, folder, piece.uri)
    if (bytes === null || !memory.hasInit(segment.initUri)) {
      track.endSeconds = null
      return
    }
    const startSeconds = memory.startSeconds(segment.initUri, bytes)
    const leapSeconds = startSeconds - (track.endSeconds ?? startSeconds)
    const tolerance = timelineToleranceSeconds
    if (leapSeconds < -tolerance || (leapSeconds > tolerance && !segment.isBreak))
      fault(track, `${piece.uri} begins ${leapSeconds.toFixed(3)} s behind the end of what was before`)
    track.endSeconds = startSeconds + piece.durationSeconds
  }

  /** Loads what is new, parts where there are some. */
  const playNew = async (track: Track, folder: string, playlist: SeenPlaylist): Promise<void> => {
    const { segments, open } = playlist
    const first = segments.at(-segmentsAtFirst)?.number ?? open.number
    if (track.lastLoaded.number < first - 1) {
      if (track.lastLoaded.number >= playlist.firstNumber) track.endSeconds = null
      track.lastLoaded = { number: first, parts: 0 }
      track.endSeconds = null
    }
    for (const segment of [...segments, open]) {
      const { number, parts } = segment
      const { lastLoaded } = track
      const done = number === lastLoaded.number ? lastLoaded.parts : 0
      if (number < lastLoaded.number || done === Infinity) continue
      const isWhole = segment !== open
      if (isWhole && done === 0 && parts.length === 0) await play(track, folder, segment, segment)
      else {
        // What was listed as parts before the player came so far is only there as a whole now.
        if (isWhole && parts.length < done) track.endSeconds = null
        for (const part of parts.slice(done)) await play(track, folder, segment, part)
      }
      track.lastLoaded = { number, parts: isWhole ? Infinity : parts.length }
    }
  }

  const compareOne = async (track: Track, folder: string, playlist: SeenPlaylist): Promise<void> => {
    const known = playlist.segments.filter(({ isGap, uri }) => !isGap && track.memory.has(uri))
    const others = playlist.segments.filter(({ isGap }) => !isGap)
    // Often one whose bytes are known, sometimes one that makes them known.
    const from = Math.random() < 0.5 && known.length > 0 ? known : others
    const segment = from[Math.floor(Math.random() * from.length)]
    if (segment === undefined) return
    const bytes = await loadPiece(track, folder, segment.uri)
    if (bytes === null) return
    figures.comparisons += 1
    if (segment.parts.length === 0 || segment.parts.some(({ isGap }) => isGap === true)) return
    const parts: (Buffer | null)[] = []
    for (const { uri } of segment.parts) parts.push(await loadPiece(track, folder, uri))
    const isLoaded = parts.every((part) => part !== null)
    if (isLoaded && !Buffer.concat(parts).equals(bytes)) fault(track, `${segment.uri} is not its parts`)
  }

  /** After an interruption all that was seen and is still listed must be as it was. */
  const compareKnown = async (
    track: Track,
    folder: string,
    { segments, open }: SeenPlaylist,
  ): Promise<void> => {
    const uris = [...segments.slice(-6), open].flatMap(({ uri, parts }) => [
      uri,
      ...parts.map((part) => part.uri),
    ])
    for (const uri of uris.filter((uri) => track.memory.has(uri)))
      if ((await loadPiece(track, folder, uri)) !== null) figures.comparisons += 1
  }

  const reloadQuery = ({ open, partTargetSeconds, canSkip }: SeenPlaylist): string => {
    const part = partTargetSeconds === null ? '' : `&_HLS_part=${open.parts.length}`
    return `?_HLS_msn=${open.number}${part}${canSkip ? '&_HLS_skip=YES' : ''}`
  }

  const note = (track: Track, { open, segments }: SeenPlaylist): void => {
    const newest = `${open.number}.${open.parts.length}`
    if (newest !== track.newest) {
      track.newest = newest
      track.newestAtMs = performance.now()
      track.isStuck = false
    }
    track.firstBreak ??= segments[0]?.breakNumber ?? open.breakNumber
    track.lastBreak = open.breakNumber
  }

  /** To the end of a broadcast, or until it is not there any more. */
  const follow = async (uri: string, isOver: { is: boolean }): Promise<void> => {
    const track = trackOf(uri)
    const folder = uri.slice(0, uri.lastIndexOf('/') + 1)
    let last: SeenPlaylist | null = null
    let failures = 0
    while (!stopping.signal.aborted && !isOver.is) {
      const text: Buffer | null = await load(uri + (last === null ? '' : reloadQuery(last)))
      if (text === null) {
        failures += 1
        // The page begins again where its player gives up.
        if (failures === 10) isOver.is = true
        await delay(retryMs)
        continue
      }
      figures.playlists += 1
      try {
        const playlist: SeenPlaylist = readPlaylist(text.toString(), failures > 0 ? null : last)
        const faults = track.rules.check(playlist, { isNewBroadcast: last === null, isFlowing: isFlowing() })
        for (const text of faults) fault(track, text)
        note(track, playlist)
        if (failures > 0) await compareKnown(track, folder, playlist)
        failures = 0
        last = playlist
        await playNew(track, folder, playlist)
        if (Math.random() < 1 / compareOneIn) await compareOne(track, folder, playlist)
      } catch (error) {
        fault(track, `${String(error)} in ${text.toString().slice(0, 2_000)}`)
        last = null
        await delay(retryMs)
      }
      if (last?.hasEnded === true) return
    }
  }

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const text = await fetchQuietly(url, stopping.signal)
      if (text !== null) {
        const { variants, renditions } = parseMultivariantPlaylist(text)
        const uris = [variants[0]?.uri, renditions[0]?.uri].filter((uri) => uri !== undefined)
        const isOver = { is: false }
        await Promise.all(uris.map((uri) => follow(uri, isOver)))
      }
      await delay(retryMs, null, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = run()

  const lookMs = 500
  const looking = setInterval(() => {
    const sinceMs = sendingSinceMs()
    if (sinceMs === null) return
    for (const track of tracks.values()) {
      const standstillMs = performance.now() - Math.max(sinceMs, track.newestAtMs)
      figures.longestStandstillMs = Math.max(figures.longestStandstillMs, standstillMs)
      if (standstillMs < stuckMs || track.isStuck) continue
      track.isStuck = true
      fault(track, `stuck at ${track.newest}`)
    }
  }, lookMs)

  return {
    figures: () => {
      const all = [...tracks.values()]
      return {
        ...figures,
        breaks: Math.max(0, ...all.map(({ firstBreak, lastBreak }) => lastBreak - (firstBreak ?? 0))),
        sinceNewestMs:
          all.length === 0
            ? Infinity
            : Math.max(...all.map(({ newestAtMs }) => performance.now() - newestAtMs)),
      }
    },
    stop: () => {
      stopping.abort()
      clearInterval(looking)
      return running
    },
  }
}

const fetchQuietly = async (url: string, signal: AbortSignal): Promise<string | null> => {
  try {
    const response = await fetch(url, { signal })
    return response.ok ? await response.text() : null
  } catch {
    return null
  }
}
