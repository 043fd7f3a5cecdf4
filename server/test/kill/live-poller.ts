import { setTimeout as delay } from 'node:timers/promises'
import { readPlaylist, type SeenPlaylist } from './live-playlist.ts'

export interface PlaylistPoller {
  /** The newest playlist, or null. */
  readonly newest: () => SeenPlaylist | null
  /** Each status but 200, and each connection error. */
  readonly failures: readonly string[]
  /** Longest time between two playlists with new media. */
  readonly longestWaitMs: () => number
  readonly stop: () => Promise<void>
}

/** Reloads one playlist without a pause, as a player does: each request blocks until there is new media. */
export const startPoller = (url: string): PlaylistPoller => {
  const stopping = new AbortController()
  const failures: string[] = []
  let newest: SeenPlaylist | null = null
  let newAtMs = performance.now()
  let longestWaitMs = 0

  const look = async (): Promise<void> => {
    const { open } = newest ?? { open: null }
    const query = open === null ? '' : `?_HLS_msn=${open.number}&_HLS_part=${open.parts.length}`
    const response = await fetch(url + query, { signal: stopping.signal })
    const text = await response.text()
    if (response.status !== 200) {
      failures.push(`${response.status} ${text}`)
      return
    }
    const playlist = readPlaylist(text, null)
    const isNew = playlist.open.number !== open?.number || playlist.open.parts.length !== open.parts.length
    if (!isNew) return
    if (newest !== null) longestWaitMs = Math.max(longestWaitMs, performance.now() - newAtMs)
    newAtMs = performance.now()
    newest = playlist
  }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) => {
        if (!stopping.signal.aborted) failures.push(String(error))
      })
      await delay(20)
    }
  }
  const running = run()
  return {
    newest: () => newest,
    failures,
    longestWaitMs: () => longestWaitMs,
    stop: () => {
      stopping.abort()
      return running
    },
  }
}
