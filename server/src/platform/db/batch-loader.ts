interface Batch<Key, Value> {
  readonly keys: Set<Key>
  readonly result: Promise<Map<Key, Value>>
  readonly resolve: (result: Promise<Map<Key, Value>>) => void
}

/** A batch that runs longer no longer blocks the next one; its own callers keep waiting. */
const stuckMs = 5_000

/**
 * Creates a batch loader that joins point reads into one query, because the round trip costs more than the row.
 * A batch contains the reads of one turn of the event loop, or all reads that arrive during a running query.
 * The query of a read always starts after the read was requested. `loadMany` receives distinct keys; a key
 * missing in its map loads as null. A query without an answer for five seconds no longer blocks later batches.
 */
export const createBatchLoader = <Key, Value>(
  loadMany: (keys: readonly Key[]) => Promise<Map<Key, Value>>,
): ((key: Key) => Promise<Value | null>) => {
  let waiting: Batch<Key, Value> | null = null
  let isLoading = false

  const startNext = (): void => {
    if (waiting === null || isLoading) return
    const { keys, resolve } = waiting
    waiting = null
    isLoading = true
    const result = loadMany([...keys])
    resolve(result)
    let isOver = false
    const loadNext = (): void => {
      clearTimeout(timer)
      if (isOver) return
      isOver = true
      isLoading = false
      startNext()
    }
    const timer = setTimeout(loadNext, stuckMs).unref()
    result.then(loadNext, loadNext)
  }

  const newBatch = (): Batch<Key, Value> => {
    const { promise, resolve } = Promise.withResolvers<Map<Key, Value>>()
    setImmediate(startNext)
    return { keys: new Set(), result: promise, resolve }
  }

  return async (key) => {
    waiting ??= newBatch()
    const { keys, result } = waiting
    keys.add(key)
    return (await result).get(key) ?? null
  }
}
