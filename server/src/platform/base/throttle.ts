/** Throttle for log messages: returns true at first, then at most once in `everyMs` for each key. */
export const createThrottle = (everyMs: number): ((key: number) => boolean) => {
  const lastAtMs = new Map<number, number>()
  return (key) => {
    const nowMs = performance.now()
    if (nowMs - (lastAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < everyMs) return false
    lastAtMs.set(key, nowMs)
    return true
  }
}
