import type { Addresses } from '../engine/addresses.ts'

/** So long before its end a new link is asked for. */
const askBeforeMs = 60_000
/** Timers know no more, and a longer one would fire at once. */
const longestMs = 2 ** 31 - 1

/** Tells when the signed link is about to end, and when it has ended. The answer has it begin anew after another link. */
export const watchToken = (
  addresses: Addresses,
  tell: { readonly expiring: (expiresAt: Date) => void; readonly expired: () => void },
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
      setTimeout(() => tell.expiring(expiresAt), Math.max(0, leftMs - askBeforeMs)),
      setTimeout(tell.expired, leftMs),
    )
  }
  restart()
  return restart
}
