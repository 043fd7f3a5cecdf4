/** Throttle for log messages: returns true at first, then at most once in `everyMs` for each key. */
export const createSeldom = (everyMs: number): ((key: number) => boolean) => {
  const saidAtMs = new Map<number, number>()
  return (key) => {
    const nowMs = performance.now()
    if (nowMs - (saidAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < everyMs) return false
    saidAtMs.set(key, nowMs)
    return true
  }
}
