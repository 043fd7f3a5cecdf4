import { setTimeout as delay } from 'node:timers/promises'
import type { Probe } from './journal.ts'
import type { World } from './world.ts'

const everyMs = 500
const timeoutMs = 10_000

/** Sends requests through the load balancer at short intervals, without retries, to measure outages. */
export const startProbes = (
  { journal, over }: World,
  requests: Readonly<Partial<Record<Probe, () => Request>>>,
): void => {
  const probe = async (kind: Probe, request: () => Request): Promise<void> => {
    while (!over.aborted) {
      const startedMs = performance.now()
      const isGood = await fetch(request(), { signal: AbortSignal.timeout(timeoutMs) })
        .then(async (response) => {
          await response.arrayBuffer()
          return response.ok
        })
        .catch(() => false)
      journal.write({
        kind: 'probe',
        probe: kind,
        isGood,
        tookMs: Math.round(performance.now() - startedMs),
      })
      await delay(everyMs, null, { signal: over }).catch(() => {})
    }
  }
  for (const [kind, request] of Object.entries(requests)) void probe(kind as Probe, request)
}
