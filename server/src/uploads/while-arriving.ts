/** Sooner, no upload is worth the look; and what is through within it plays at once anyway. */
const everyMs = 500

/** Calls `onArrival` now and then while bytes are being written; never twice at a time. */
export const whileArriving = async <T>(
  onArrival: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> => {
  let isCalling = false
  const timer = setInterval(() => {
    if (isCalling) return
    isCalling = true
    void onArrival().finally(() => {
      isCalling = false
    })
  }, everyMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
