import { setTimeout as delay } from 'node:timers/promises'

/** Longer than a busy event loop delays a timer, and shorter than a lease. */
const mostPauseMs = 1_000
const lookMs = 200
/** While the database is unavailable, no other node can take a stream over either. */
const patienceMs = 2_000

export interface OwnershipGuard {
  /**
   * Must be called before each frame. Null unless the process was paused for so long that another node may own its
   * streams by now. Then it resolves when lost streams are closed, or cannot be found out.
   */
  readonly check: () => Promise<void> | null
  readonly stop: () => void
}

/** `closeLost` closes the broadcasts that other nodes own by now. */
export const createOwnershipGuard = (closeLost: () => Promise<void>, now: () => number): OwnershipGuard => {
  let ranAtMs = now()
  let closing: Promise<void> | null = null

  const closeInTime = async (): Promise<void> => {
    await Promise.race([closeLost().catch(() => {}), delay(patienceMs, null, { ref: false })])
    closing = null
  }
  const check = (): Promise<void> | null => {
    const nowMs = now()
    if (nowMs - ranAtMs > mostPauseMs) closing ??= closeInTime()
    ranAtMs = nowMs
    return closing
  }
  const timer = setInterval(() => void check(), lookMs).unref()
  return { check, stop: () => clearInterval(timer) }
}
