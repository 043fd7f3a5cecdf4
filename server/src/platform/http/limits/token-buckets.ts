export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

export interface Bucket {
  tokens: number
  atMs: number
}

/** Returns false when the bucket is empty. A clock that is set back empties no bucket. */
export const takeToken = (bucket: Bucket, { perSecond, burst }: Rate, nowMs: number): boolean => {
  bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, nowMs - bucket.atMs) / 1_000) * perSecond)
  bucket.atMs = nowMs
  if (bucket.tokens < 1) return false
  bucket.tokens -= 1
  return true
}

/** Drops the oldest entry of a full map. A list of the last use, as in an LRU cache, would cost more than the rest of the check. */
export const keepNewest = <Value>(map: Map<string, Value>, key: string, value: Value, max: number): Value => {
  if (map.size >= max) map.delete(map.keys().next().value ?? '')
  map.set(key, value)
  return value
}

const maxBuckets = 50_000

/** Limits how often something happens for each key, in this process. `take` returns false when the bucket is empty. */
export const createTokenBuckets = (
  rate: Rate,
  now: () => number = Date.now,
): { readonly take: (key: string) => boolean } => {
  const buckets = new Map<string, Bucket>()
  return {
    take: (key) => {
      const nowMs = now()
      const bucket =
        buckets.get(key) ?? keepNewest(buckets, key, { tokens: rate.burst, atMs: nowMs }, maxBuckets)
      return takeToken(bucket, rate, nowMs)
    },
  }
}
