import { createHash } from 'node:crypto'

/** A playlist's media as it was loaded: the first bytes and the place of each on the media timeline. */
export class MediaMemory {
  readonly #hashes = new Map<string, string>()
  readonly #timescales = new Map<string, number>()

  /** Notes what a name stands for; answers whether it is what it was before. */
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

  /** When the first sample of a fragment is decoded. */
  startSeconds(initUri: string, fragment: Buffer): number {
    return decodeTimeOf(fragment) / (this.#timescales.get(initUri) ?? Number.NaN)
  }
}

const fieldsOf = (bytes: Buffer, box: string): number => {
  const at = bytes.indexOf(box)
  if (at === -1) throw new Error(`there is no ${box}`)
  return at + 4
}

/** ISO 14496-12 8.4.2: behind version and the times of creation and change. */
const timescaleOf = (init: Buffer): number => {
  const at = fieldsOf(init, 'mdhd')
  return init.readUInt32BE(at + (init[at] === 1 ? 20 : 12))
}

/** 8.8.12. */
const decodeTimeOf = (fragment: Buffer): number => {
  const at = fieldsOf(fragment, 'tfdt')
  return fragment[at] === 1 ? Number(fragment.readBigUInt64BE(at + 4)) : fragment.readUInt32BE(at + 4)
}
