import { LRUCache } from 'lru-cache'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'

/**
 * Returns the internal nginx location of a blob; null when the blob does not exist, so the server answers
 * itself.
 */
export type AccelRedirect = (key: string) => Promise<string | null>

const maxKnown = 100_000

/**
 * With nginx in front, the server only checks the request and nginx sends the file (`X-Accel-Redirect`,
 * docs/delivery.md). Blobs found once are not checked again; if one is deleted since, nginx answers 404.
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
