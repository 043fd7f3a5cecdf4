/**
 * Calls `act` for each item, for at most `limit` of them at the same time. After an error it starts no more,
 * waits for the running calls, and throws the first error.
 */
export const forEachAtOnce = async <T>(
  items: Iterable<T>,
  limit: number,
  act: (item: T) => Promise<unknown>,
): Promise<void> => {
  const errors: unknown[] = []
  const rest = items[Symbol.iterator]()
  const run = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true && errors.length === 0; next = rest.next())
      await act(next.value).catch((error: unknown) => errors.push(error))
  }
  await Promise.all(Array.from({ length: limit }, run))
  if (errors.length > 0) throw errors[0]
}
