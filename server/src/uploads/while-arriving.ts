/** What is through sooner plays at once anyway. A look that is only under way at the end of the upload holds up the one at the whole. */
const firstAfterMs = 150
const everyMs = 500

/** Calls `onArrival` now and then while bytes are being written; never twice at a time. */
export const whileArriving = async <T>(
  onArrival: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> => {
  let timer: NodeJS.Timeout
  let isOver = false
  const callIn = (delayMs: number): void => {
    timer = setTimeout(() => {
      void onArrival().finally(() => {
        if (!isOver) callIn(everyMs)
      })
    }, delayMs)
  }
  callIn(firstAfterMs)
  try {
    return await work()
  } finally {
    isOver = true
    clearTimeout(timer!)
  }
}
