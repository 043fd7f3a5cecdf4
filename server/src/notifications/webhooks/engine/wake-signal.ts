export interface WakeSignal {
  readonly signal: () => void
  readonly wait: (ms: number) => Promise<void>
}

/** Wake signal: a pause that `signal` ends early. A `signal` between two pauses ends the next one at once. */
export const createWakeSignal = (): WakeSignal => {
  let isSignalled = false
  let endWait: (() => void) | null = null
  return {
    signal: () => {
      isSignalled = true
      endWait?.()
    },
    wait: async (ms) => {
      if (!isSignalled) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          endWait = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        endWait = null
      }
      isSignalled = false
    },
  }
}
