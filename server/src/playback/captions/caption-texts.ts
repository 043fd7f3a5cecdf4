import { LRUCache } from 'lru-cache'
import type { CaptionDocument } from '../../library/captions/text/caption-cues.ts'
import { readWebVtt } from '../../library/captions/text/read-web-vtt.ts'
import { BlobNotFoundError, type BlobStore } from '../../platform/blobs/blob-store.ts'

/** Holds some hundred films; a text is read again in a few milliseconds. */
const maxTextBytes = 64 * 1024 * 1024

interface CaptionText {
  readonly bytes: Buffer
  readonly document: CaptionDocument
}

/** Caption texts by blob; blobs never change. */
export interface CaptionTexts {
  /** Null when the blob is gone. */
  readonly read: (blob: string) => Promise<CaptionText | null>
}

export const createCaptionTexts = (blobs: BlobStore): CaptionTexts => {
  const texts = new LRUCache<string, CaptionText>({
    maxSize: maxTextBytes,
    // The parsed cues need about as much memory again.
    sizeCalculation: ({ bytes }) => 2 * bytes.length + 1,
    fetchMethod: async (blob) => {
      const bytes = await blobs.read(blob)
      return { bytes, document: readWebVtt(bytes.toString()) }
    },
  })
  return {
    read: async (blob) =>
      (await texts.fetch(blob).catch((error: unknown) => {
        if (error instanceof BlobNotFoundError) return null
        throw error
      })) ?? null,
  }
}
