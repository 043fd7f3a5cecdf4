/** Clocks that are this near to each other are both right: the server's is only told in whole seconds. */
const toleranceMs = 2_000

export interface ServerClock {
  readonly now: () => number
  readonly onDate: (serverDateMs: number) => void
}

/** The server's clock as far as its answers tell, for viewers whose own is wrong. */
export const createServerClock = (ownNow: () => number = Date.now): ServerClock => {
  let aheadMs: number | null = null
  return {
    // A date is cut to its second and old when it arrives: the largest difference is the nearest to the truth.
    onDate: (serverDateMs) => {
      aheadMs = Math.max(aheadMs ?? -Infinity, serverDateMs - ownNow())
    },
    now: () => ownNow() + (aheadMs !== null && Math.abs(aheadMs) > toleranceMs ? aheadMs : 0),
  }
}
