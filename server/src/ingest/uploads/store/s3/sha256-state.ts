import { createSHA256 } from 'hash-wasm'

/** A checksum that another process can continue. */
export interface Sha256 {
  readonly update: (data: Buffer) => void
  readonly save: () => Buffer
  readonly hex: () => string
}

/** Continues at `state`; null begins. */
export const openSha256 = async (state: Buffer | null): Promise<Sha256> => {
  const hasher = await createSHA256()
  if (state === null) hasher.init()
  else hasher.load(state)
  return {
    update: (data) => void hasher.update(data),
    save: () => Buffer.from(hasher.save()),
    hex: () => hasher.digest('hex'),
  }
}
