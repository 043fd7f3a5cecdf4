/**
 * A shorter upload becomes playable at once anyway. A check that still runs at the end of the upload would
 * delay the one of the whole file.
 */
const firstAfterMs = 150
const everyMs = 500

/** Calls `onProgress` periodically while bytes are written; never twice at once. */
export const whileReceiving = async <T>(
  onProgress: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> => {
  let timer: NodeJS.Timeout
  let isOver = false
  const callIn = (delayMs: number): void => {
    timer = setTimeout(() => {
      void onProgress().finally(() => {
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
