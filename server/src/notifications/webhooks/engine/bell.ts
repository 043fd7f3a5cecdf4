export interface Bell {
  readonly ring: () => void
  readonly wait: (ms: number) => Promise<void>
}

/** Wake signal: a pause that `ring` ends early. A `ring` between two pauses ends the next one at once. */
export const createBell = (): Bell => {
  let isRung = false
  let wake: (() => void) | null = null
  return {
    ring: () => {
      isRung = true
      wake?.()
    },
    wait: async (ms) => {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        wake = null
      }
      isRung = false
    },
  }
}
