import type { Addresses } from '../engine/addresses.ts'

/** A new link is requested this long before the expiry. */
const askBeforeMs = 60_000
/** Shortest time between a new link and the next request, so that links that seem expired cause no endless loop. */
const restMs = 5_000
/** Longest delay of a timer: a longer one fires at once. */
const longestMs = 2 ** 31 - 1

/**
 * Reports when the signed link is about to expire and when it has expired. The returned function restarts the
 * watch for a new link.
 */
export const watchToken = (
  addresses: Addresses,
  listener: { readonly expiring: (expiresAt: Date) => void; readonly expired: () => void },
): (() => void) => {
  const timers: ReturnType<typeof setTimeout>[] = []
  const restart = (leastMs = 0): void => {
    for (const timer of timers.splice(0)) clearTimeout(timer)
    const expiresAt = addresses.expiresAt()
    const leftMs = addresses.leftMs()
    if (expiresAt === null || leftMs === null) return
    if (leftMs > longestMs) {
      timers.push(setTimeout(restart, longestMs - askBeforeMs))
      return
    }
    timers.push(
      setTimeout(() => listener.expiring(expiresAt), Math.max(leastMs, leftMs - askBeforeMs)),
      setTimeout(listener.expired, Math.max(leastMs, leftMs)),
    )
  }
  restart()
  return () => restart(restMs)
}
