/** Smaller differences may be delays of the network. */
const toleranceMs = 100
/** Largest correction by one heartbeat: 1 %. */
const mostStepMs = 5

/**
 * Milliseconds since 1970 by the clock of the database. A machine whose clock is set neither ends broadcasts that wait for
 * their publisher, nor disagrees with the times in the database.
 */
interface DatabaseClock {
  readonly now: () => number
  /** Takes a time that the database has answered. The clock jumps only if `mayJump`; otherwise it is corrected slowly. */
  readonly set: (databaseMs: number, askedAtMs: number, options: { readonly mayJump: boolean }) => void
}

/** `steadyMs` is a clock that is never set. Until the first answer, the clock is that of this machine. */
export const createDatabaseClock = (steadyMs: () => number = () => performance.now()): DatabaseClock => {
  let offsetMs = Date.now() - steadyMs()
  return {
    now: () => Math.floor(offsetMs + steadyMs()),
    set: (databaseMs, askedAtMs, { mayJump }) => {
      const delayMs = (steadyMs() - askedAtMs) / 2
      const errorMs = databaseMs + delayMs - steadyMs() - offsetMs
      if (Math.abs(errorMs) <= Math.max(toleranceMs, delayMs)) return
      offsetMs += mayJump ? errorMs : Math.max(-mostStepMs, Math.min(mostStepMs, errorMs))
    },
  }
}
