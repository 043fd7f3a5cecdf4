import type { Addresses } from '../engine/addresses.ts'

/** A new link is requested this long before the expiry. */
const askBeforeMs = 60_000
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
  const restart = (): void => {
    for (const timer of timers.splice(0)) clearTimeout(timer)
    const expiresAt = addresses.expiresAt()
    if (expiresAt === null) return
    const leftMs = Math.max(0, expiresAt.getTime() - Date.now())
    if (leftMs > longestMs) {
      timers.push(setTimeout(restart, longestMs - askBeforeMs))
      return
    }
    timers.push(
      setTimeout(() => listener.expiring(expiresAt), Math.max(0, leftMs - askBeforeMs)),
      setTimeout(listener.expired, leftMs),
    )
  }
  restart()
  return restart
}
