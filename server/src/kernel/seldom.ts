/** Whether something may be said again: true at first, and then once in `everyMs` for each key. For what would fill the log. */
export const createSeldom = (everyMs: number): ((key: number) => boolean) => {
  const saidAtMs = new Map<number, number>()
  return (key) => {
    const nowMs = performance.now()
    if (nowMs - (saidAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < everyMs) return false
    saidAtMs.set(key, nowMs)
    return true
  }
}
