import { createHash } from 'node:crypto'

/**
 * Remembers the loaded media of a playlist: the first bytes of each URI and its position on the media
 * timeline.
 */
export class MediaMemory {
  readonly #hashes = new Map<string, string>()
  readonly #timescales = new Map<string, number>()

  /** Records the bytes of a URI. Returns whether they equal those recorded before. */
  isSame(uri: string, bytes: Buffer): boolean {
    const hash = createHash('sha1').update(bytes).digest('base64')
    const known = this.#hashes.get(uri) ?? hash
    this.#hashes.set(uri, hash)
    return known === hash
  }

  has(uri: string): boolean {
    return this.#hashes.has(uri)
  }

  addInit(uri: string, bytes: Buffer): void {
    this.#timescales.set(uri, timescaleOf(bytes))
  }

  hasInit(uri: string): boolean {
    return this.#timescales.has(uri)
  }

  /** Decode time of the first sample of a fragment, in seconds. */
  startSeconds(initUri: string, fragment: Buffer): number {
    return decodeTimeOf(fragment) / (this.#timescales.get(initUri) ?? Number.NaN)
  }
}

const fieldsOf = (bytes: Buffer, box: string): number => {
  const at = bytes.indexOf(box)
  if (at === -1) throw new Error(`there is no ${box}`)
  return at + 4
}

/** ISO/IEC 14496-12 8.4.2: the timescale follows the version and the creation and modification times. */
const timescaleOf = (init: Buffer): number => {
  const at = fieldsOf(init, 'mdhd')
  return init.readUInt32BE(at + (init[at] === 1 ? 20 : 12))
}

/** ISO/IEC 14496-12 8.8.12: the base media decode time. */
const decodeTimeOf = (fragment: Buffer): number => {
  const at = fieldsOf(fragment, 'tfdt')
  return fragment[at] === 1 ? Number(fragment.readBigUInt64BE(at + 4)) : fragment.readUInt32BE(at + 4)
}
