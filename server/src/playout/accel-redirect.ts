import { LRUCache } from 'lru-cache'
import type { BlobStore } from '../kernel/blobs/blob-store.ts'

/** Where nginx finds a blob on its disk; null for what is not there, which we answer ourselves. */
export type AccelRedirect = (key: string) => Promise<string | null>

const maxKnown = 100_000

/**
 * With nginx before us we only check, and it sends the file (`X-Accel-Redirect`, docs/delivery.md). Blobs that were there are not looked for
 * again; where one has gone since, nginx answers 404.
 */
export const createAccelRedirect = (location: string, disk: Pick<BlobStore, 'stat'>): AccelRedirect => {
  const known = new LRUCache<string, true>({ max: maxKnown })
  return async (key) => {
    if (!known.has(key)) {
      if ((await disk.stat(key)) === null) return null
      known.set(key, true)
    }
    return `${location}/${key}`
  }
}
