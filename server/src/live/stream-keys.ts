import { randomInt } from 'node:crypto'
import { hashToken } from '../kernel/ids.ts'
import type { Secrets } from '../kernel/secrets.ts'

/** People type them into encoders, and some encoders take nothing else. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 166 random bits. */
const streamKeyLength = 28
/** SRT takes 10 to 79 characters. */
const passphraseLength = 24

const randomText = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

/** A new stream key, as its columns hold it. */
export const newStreamKey = (secrets: Secrets) => {
  const streamKey = randomText(streamKeyLength)
  return {
    sealed_stream_key: secrets.seal(Buffer.from(streamKey)),
    stream_key_hash: hashToken(streamKey),
  }
}

/** What an SRT caller must know; with a new stream key comes a new one. */
export const newSrtPassphrase = (secrets: Secrets) => ({
  sealed_srt_passphrase: secrets.seal(Buffer.from(randomText(passphraseLength))),
})
