import { randomBytes } from 'node:crypto'
import { makeSample } from '../../support/media.ts'

export interface Samples {
  /** A small video whose bytes no other upload has, of about this size at least. */
  readonly next: (paddingBytes: number) => Buffer<ArrayBuffer>
}

/** An ISO box that every reader skips. */
const freeBox = (sizeBytes: number): Buffer => {
  const box = randomBytes(sizeBytes)
  box.writeUInt32BE(sizeBytes, 0)
  box.write('free', 4, 'latin1')
  return box
}

/** Plays as it is, and has one rendition encoded. */
export const makeSamples = async (): Promise<Samples> => {
  const video = await makeSample({ seconds: 4, size: '320x180' })
  return {
    next: (paddingBytes) => {
      const padding = freeBox(paddingBytes + 64)
      const bytes = Buffer.alloc(video.length + padding.length)
      video.copy(bytes)
      padding.copy(bytes, video.length)
      return bytes
    },
  }
}
