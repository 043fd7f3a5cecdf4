import { Problem } from '../../platform/base/problem.ts'

export interface WaitingLimits {
  readonly perStream: number
  readonly total: number
  readonly perAddress: number
}

/** Many people may share one address without being an attack; each keeps two requests open. */
export const defaultWaitingLimits: WaitingLimits = { perStream: 20_000, total: 40_000, perAddress: 2_000 }

export const tooManyWaiting = (): Problem =>
  new Problem('too_many_waiting_viewers', {}, { headers: { 'Retry-After': '1' } })

/** Limits the requests that wait at the same time. */
export const createWaitingLimits = (limits: WaitingLimits) => {
  const counts = new Map<string, number>()
  let total = 0

  const change = (key: string, by: 1 | -1): void => {
    const count = (counts.get(key) ?? 0) + by
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
  }

  /** Returns a function that must be called once, at the end. Throws 'unavailable' beyond the limits. */
  return (playoutId: string, address: string | null): (() => void) => {
    const ofAddress = address === null ? null : `a ${address}`
    const ofStream = `s ${playoutId}`
    const isFull =
      total >= limits.total ||
      (counts.get(ofStream) ?? 0) >= limits.perStream ||
      (ofAddress !== null && (counts.get(ofAddress) ?? 0) >= limits.perAddress)
    if (isFull) throw tooManyWaiting()
    const count = (by: 1 | -1): void => {
      total += by
      change(ofStream, by)
      if (ofAddress !== null) change(ofAddress, by)
    }
    count(1)
    return () => count(-1)
  }
}
