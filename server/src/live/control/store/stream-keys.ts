import { randomInt } from 'node:crypto'
import { hashToken } from '../../../platform/base/ids.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'

/** Users type keys into encoders, and some encoders accept no other characters. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 166 random bits. */
const streamKeyLength = 28
/** SRT accepts 10 to 79 characters. */
const passphraseLength = 24

const randomText = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

export const newStreamKey = (secrets: Secrets) => {
  const streamKey = randomText(streamKeyLength)
  return {
    sealed_stream_key: secrets.seal(Buffer.from(streamKey)),
    stream_key_hash: hashToken(streamKey),
  }
}

export const newSrtPassphrase = (secrets: Secrets) => ({
  sealed_srt_passphrase: secrets.liveNodes.seal(Buffer.from(randomText(passphraseLength))),
})
