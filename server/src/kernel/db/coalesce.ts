import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Joins the point reads of one turn of the event loop into one query. `loadMany` gets distinct keys and answers what it found; a key that is
 * missing in the map loads as null.
 */
export const createCoalescer = <Key, Value>(
  loadMany: (keys: readonly Key[]) => Promise<Map<Key, Value>>,
): ((key: Key) => Promise<Value | null>) => {
  let waiting: Key[] = []
  let batch: Promise<Map<Key, Value>> | null = null
  // A batch serves many requests, so it must not run in the transaction of the one that began it.
  const runOutside = AsyncLocalStorage.snapshot()

  const startBatch = (): Promise<Map<Key, Value>> =>
    runOutside(
      () =>
        new Promise((resolve, reject) => {
          setImmediate(() => {
            const keys = [...new Set(waiting)]
            waiting = []
            batch = null
            loadMany(keys).then(resolve, reject)
          })
        }),
    )

  return async (key) => {
    waiting.push(key)
    batch ??= startBatch()
    return (await batch).get(key) ?? null
  }
}
