import { LRUCache } from 'lru-cache'

const defaultKeptMs = 5_000
const maxKept = 20_000

/**
 * Remembers for five seconds that a playout takes reports. Many viewers of a playout report at the same time, and a report
 * shows no media, so it may be that late. Refusals are not remembered.
 */
export const createAdmissions = <Admitted extends object>(
  keptMs = defaultKeptMs,
): ((key: string, find: () => Promise<Admitted>) => Promise<Admitted>) => {
  const known = new LRUCache<string, Promise<Admitted>>({ max: maxKept, ttl: keptMs })
  return (key, find) => {
    const kept = known.get(key)
    if (kept !== undefined) return kept
    const found = find()
    known.set(key, found)
    found.catch(() => known.delete(key))
    return found
  }
}
