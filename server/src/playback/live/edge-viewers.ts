import { hmacSha256 } from '../../platform/base/secrets.ts'

/** Names the viewers of a shared request, as keys separated by commas. */
export const viewersHeader = 'x-live-viewers'

/** The same key in every process, so that a node recognises the beacons of a viewer. No address can be read from it. */
export const createViewerKeys = (nodeToken: string) => {
  const seed = hmacSha256(Buffer.from(nodeToken), 'viewer keys').readUInt32BE()
  /** FNV-1a. */
  return (address: string | undefined, userAgent: string | undefined): number => {
    const text = `${address} ${userAgent}`
    let hash = seed
    for (let index = 0; index < text.length; index++)
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193)
    return hash
  }
}

/** A node counts a viewer for 30 seconds. */
const reportEveryMs = 10_000
const forgetAfterMs = 30_000
const mostViewers = 50_000
/** Keeps the headers of a request below 16 KiB. */
const mostPerRequest = 1_000

interface Audience {
  readonly seenAtMs: Map<number, number>
  readonly waiting: Set<number>
}

/** The viewers behind shared requests. Each is named to the node in one of the next requests for a playlist. */
export const createEdgeViewers = (now: () => number) => {
  const audiences = new Map<string, Audience>()
  return {
    see: (playoutId: string, key: number): void => {
      const audience = audiences.get(playoutId) ?? { seenAtMs: new Map(), waiting: new Set() }
      audiences.set(playoutId, audience)
      const { seenAtMs, waiting } = audience
      if (now() - (seenAtMs.get(key) ?? -Infinity) < reportEveryMs) return
      if (seenAtMs.size >= mostViewers && !seenAtMs.has(key)) return
      seenAtMs.set(key, now())
      waiting.add(key)
    },
    /** Returns the header that names viewers, or nothing. */
    take: (playoutId: string): string | undefined => {
      const waiting = audiences.get(playoutId)?.waiting
      if (waiting === undefined || waiting.size === 0) return undefined
      const keys = [...waiting].slice(0, mostPerRequest)
      for (const key of keys) waiting.delete(key)
      return keys.join()
    },
    sweep: (): void => {
      for (const [playoutId, { seenAtMs, waiting }] of audiences) {
        for (const [key, atMs] of seenAtMs)
          if (atMs + forgetAfterMs < now()) {
            seenAtMs.delete(key)
            waiting.delete(key)
          }
        if (seenAtMs.size === 0) audiences.delete(playoutId)
      }
    },
  }
}
