import { LRUCache } from 'lru-cache'

/** Larger bodies would evict too many others, so they are not cached. */
const largestShare = 1 / 8

/**
 * Cache with a fixed number of bytes for bodies that many viewers load under a name and that never change.
 * Concurrent requests for the same body share one read.
 */
export interface MediaMemory {
  /** Null when the body does not exist; this is not cached. */
  readonly body: (name: string, load: () => Promise<Buffer | null>) => Buffer | Promise<Buffer | null>
}

export const createMediaMemory = (maxBytes: number): MediaMemory => {
  if (maxBytes === 0) return { body: (_name, load) => load() }
  const bodies = new LRUCache<string, Buffer>({
    maxSize: maxBytes,
    maxEntrySize: Math.max(1, Math.floor(maxBytes * largestShare)),
    sizeCalculation: ({ length }, name) => length + name.length,
  })
  const underWay = new Map<string, Promise<Buffer | null>>()

  const remember = async (name: string, loading: Promise<Buffer | null>): Promise<Buffer | null> => {
    try {
      const body = await loading
      if (body !== null) bodies.set(name, body)
      return body
    } finally {
      underWay.delete(name)
    }
  }

  return {
    body: (name, load) => {
      const known = bodies.get(name)
      if (known !== undefined) return known
      const reading = underWay.get(name) ?? remember(name, load())
      underWay.set(name, reading)
      return reading
    },
  }
}
