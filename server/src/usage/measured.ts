/** An answer serves so many times as long as it took: however often somebody asks, the database spends a tenth of its time on it at most. */
const servesTimes = 10

export interface Measured<T> {
  readonly measuredAt: Date
  readonly figures: T
}

/** For what counts all files of an account: a few milliseconds for thousands, a second for two hundred thousand. */
export const createMeasured = <T>(
  measure: (accountId: number) => Promise<T>,
): ((accountId: number) => Promise<Measured<T>>) => {
  const known = new Map<number, Promise<Measured<T>>>()

  const measureNow = async (accountId: number): Promise<Measured<T>> => {
    const measuredAt = new Date()
    return { measuredAt, figures: await measure(accountId) }
  }

  return (accountId) => {
    const present = known.get(accountId)
    if (present !== undefined) return present
    const beganMs = performance.now()
    const found = measureNow(accountId)
    known.set(accountId, found)
    const forget = (): void => void known.delete(accountId)
    found.then(() => setTimeout(forget, servesTimes * (performance.now() - beganMs)).unref(), forget)
    return found
  }
}
