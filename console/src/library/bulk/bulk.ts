export type Undo = () => Promise<unknown>

export interface BulkProgress {
  readonly doneCount: number
  readonly failedCount: number
}

export interface BulkResult<T> {
  /** For changed files only. Files that already had the wanted value have none. */
  readonly undos: readonly { readonly item: T; readonly undo: Undo }[]
  readonly changedCount: number
  readonly failures: readonly { readonly item: T; readonly error: unknown }[]
}

/** A browser has six connections to a host, and other requests need some. */
const width = 4

/**
 * Runs an action for many items, a few at a time, and continues after failures. `act` resolves with its undo:
 * undefined when nothing changed, null when it cannot be undone.
 */
export const runBulk = async <T>(
  items: Iterable<T> | AsyncIterable<T>,
  act: (item: T) => Promise<Undo | null | undefined>,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: BulkProgress) => void },
): Promise<BulkResult<T>> => {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const undos: { item: T; undo: Undo }[] = []
  const failures: { item: T; error: unknown }[] = []
  let doneCount = 0
  let changedCount = 0
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      const { done, value } = await iterator.next()
      if (done === true) return
      try {
        const undo = await act(value)
        if (undo !== undefined) changedCount += 1
        if (undo) undos.push({ item: value, undo })
      } catch (error) {
        failures.push({ item: value, error })
      }
      doneCount += 1
      onProgress({ doneCount, failedCount: failures.length })
    }
  }
  await Promise.all(Array.from({ length: width }, work))
  return { undos, changedCount, failures }
}
