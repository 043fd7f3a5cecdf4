import { LRUCache } from 'lru-cache'

/** Larger ones would drive out too many others; they are read anew each time. */
const largestShare = 1 / 8

/**
 * Bodies that many viewers load, by a name under which they never change. A fixed number of bytes; those who want the same at a time wait for
 * one reading of it.
 */
export interface MediaMemory {
  /** Null, which is not remembered, where there is none. */
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
