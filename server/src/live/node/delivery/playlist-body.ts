import { gzip, gzipSync } from 'node:zlib'
import { prepareText, type Prepared } from './send-live.ts'

export interface PlaylistBody {
  readonly text: string
  readonly plain: Prepared
  /** Returns a promise when compressing takes longer than other viewers should wait. */
  readonly gzipped: () => Prepared | Promise<Prepared>
}

/** Compressing this much takes about a millisecond. */
const atOnceBytes = 64 * 1024
/** A higher level is not worth its time for a text that is valid for one part. */
const level = 4

const createBody = (text: string, contentType: string): PlaylistBody => {
  const bytes = Buffer.from(text)
  let gzipped: Prepared | Promise<Prepared> | undefined
  return {
    text,
    plain: prepareText(bytes, contentType, 'plain'),
    gzipped: () =>
      (gzipped ??=
        bytes.length <= atOnceBytes
          ? prepareText(gzipSync(bytes, { level }), contentType, 'gzip')
          : gzipApart(bytes, contentType)),
  }
}

const gzipApart = async (bytes: Buffer, contentType: string): Promise<Prepared> => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  gzip(bytes, { level }, (error, packed) => (error === null ? resolve(packed) : reject(error)))
  return prepareText(await promise, contentType, 'gzip')
}

/** Keeps the newest text under each name, for one broadcast. */
export type PlaylistBodies = (name: string, text: string, contentType: string) => PlaylistBody

export const createPlaylistBodies = (): PlaylistBodies => {
  const newest = new Map<string, PlaylistBody>()
  return (name, text, contentType) => {
    const known = newest.get(name)
    if (known?.text === text) return known
    const body = createBody(text, contentType)
    newest.set(name, body)
    return body
  }
}
