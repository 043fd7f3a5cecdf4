import { networkOf } from '../../platform/http/limits/refusals.ts'
import { createTokenBuckets } from '../../platform/http/limits/token-buckets.ts'

/** A viewer who plays on requests a chunk of two seconds every two seconds; each seek and each change of the rung, one more. */
const perPlayout = { perSecond: 1, burst: 60 }
/** Several viewers share an address. */
const perNetwork = { perSecond: 4, burst: 240 }
/** Each has a whole rung encoded. */
const downloadsPerNetwork = { perSecond: 1 / 60, burst: 5 }

export interface ChunkLimits {
  /** Whether this address may have one more chunk of the playout encoded. */
  readonly admits: (playoutId: string, address: string) => boolean
  /** Whether this address may have one more rung encoded for a download. */
  readonly admitsDownload: (address: string) => boolean
}

/** Strangers must not have all rungs of all files encoded. Chunks that are ready do not count. */
export const createChunkLimits = (now: () => number = Date.now): ChunkLimits => {
  const playouts = createTokenBuckets(perPlayout, now)
  const networks = createTokenBuckets(perNetwork, now)
  const downloads = createTokenBuckets(downloadsPerNetwork, now)
  return {
    admits: (playoutId, address) => {
      const network = networkOf(address)
      return playouts.take(`${network} ${playoutId}`) && networks.take(network)
    },
    admitsDownload: (address) => downloads.take(networkOf(address)),
  }
}
