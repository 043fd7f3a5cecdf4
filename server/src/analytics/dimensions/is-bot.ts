import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'

const maxKept = 2_000
const known = new LRUCache<string, boolean>({ max: maxKept })

/** The pattern of isbot is long, and most viewers share few user agents. */
export const isBot = (userAgent: string | undefined): boolean => {
  if (userAgent === undefined) return isbot(userAgent)
  const kept = known.get(userAgent)
  if (kept !== undefined) return kept
  const found = isbot(userAgent)
  known.set(userAgent, found)
  return found
}
