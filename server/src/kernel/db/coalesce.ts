interface Batch<Key, Value> {
  readonly keys: Set<Key>
  readonly result: Promise<Map<Key, Value>>
  readonly resolve: (result: Promise<Map<Key, Value>>) => void
}

/**
 * Joins point reads into one query: those of one turn of the event loop, and all that come while a query is under way. The round trip, not
 * the row, is what costs. A read is always part of a query that begins after it was asked for. `loadMany` gets distinct keys and answers
 * what it found; a key that is missing in the map loads as null.
 */
export const createCoalescer = <Key, Value>(
  loadMany: (keys: readonly Key[]) => Promise<Map<Key, Value>>,
): ((key: Key) => Promise<Value | null>) => {
  let waiting: Batch<Key, Value> | null = null
  let isUnderWay = false

  const startNext = (): void => {
    if (waiting === null || isUnderWay) return
    const { keys, resolve } = waiting
    waiting = null
    isUnderWay = true
    const result = loadMany([...keys])
    resolve(result)
    const settle = (): void => {
      isUnderWay = false
      startNext()
    }
    result.then(settle, settle)
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
