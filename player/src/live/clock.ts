/** Clocks within this difference count as equal, because the Date header has whole seconds. */
const toleranceMs = 2_000

export interface ServerClock {
  readonly now: () => number
  readonly onDate: (serverDateMs: number) => void
}

/** Estimates the server clock from Date headers, for viewers with a wrong clock. */
export const createServerClock = (ownNow: () => number = Date.now): ServerClock => {
  let aheadMs: number | null = null
  return {
    // A Date header is truncated to the second and delayed: the largest difference is the most accurate.
    onDate: (serverDateMs) => {
      aheadMs = Math.max(aheadMs ?? -Infinity, serverDateMs - ownNow())
    },
    now: () => ownNow() + (aheadMs !== null && Math.abs(aheadMs) > toleranceMs ? aheadMs : 0),
  }
}
