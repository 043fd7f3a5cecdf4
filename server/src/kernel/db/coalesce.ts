interface Batch<Key, Value> {
  readonly keys: Set<Key>
  readonly result: Promise<Map<Key, Value>>
  readonly resolve: (result: Promise<Map<Key, Value>>) => void
}

/** Its caller may wait longer; the others need not. */
const stuckMs = 5_000

/**
 * Joins point reads into one query: those of one turn of the event loop, and all that come while a query is under way. The round trip, not
 * the row, is what costs. A read is always part of a query that begins after it was asked for. `loadMany` gets distinct keys and answers
 * what it found; a key that is missing in the map loads as null. A query that is not answered for long holds up no later ones.
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
    let isOver = false
    const goOn = (): void => {
      clearTimeout(timer)
      if (isOver) return
      isOver = true
      isUnderWay = false
      startNext()
    }
    const timer = setTimeout(goOn, stuckMs).unref()
    result.then(goOn, goOn)
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
