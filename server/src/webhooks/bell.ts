export interface Bell {
  readonly ring: () => void
  readonly wait: (ms: number) => Promise<void>
}

/** A pause that can be cut short; a ring in between shortens the next one. */
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
