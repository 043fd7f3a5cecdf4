import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from '../cluster.ts'
import type { Random } from '../random.ts'
import type { Journal } from '../workload/journal.ts'
import type { Planned } from './plan.ts'

export interface Chaos {
  /** Whether a fault is active, or was a moment ago. */
  readonly isDisturbed: () => boolean
  readonly done: Promise<void>
}

/** Time in which the cluster recovers from a fault: a node starts again within ten seconds on a busy machine. */
const recoveryMs = 30_000

export const inflict = (
  cluster: Cluster,
  plan: readonly Planned[],
  random: Random,
  journal: Journal,
  say: (text: string) => void,
): Chaos => {
  let active = 0
  let quietSinceMs = -Infinity
  const startedMs = performance.now()
  /** The fault that must be over before the next one begins. */
  let alone = Promise.resolve()

  const run = async ({ fault, startMs, lengthMs }: Planned): Promise<void> => {
    await delay(startMs - (performance.now() - startedMs))
    await alone
    const over = Promise.withResolvers<void>()
    if (fault.isAlone === true) alone = over.promise
    active += 1
    journal.write({ kind: 'fault', fault: fault.name, target: '', isEnd: false })
    try {
      const { target, undo } = await fault.begin(cluster, random)
      say(`${fault.name}: ${target}, ${(lengthMs / 1_000).toFixed(1)} s`)
      await delay(lengthMs)
      await undo()
      journal.write({ kind: 'fault', fault: fault.name, target, isEnd: true })
    } finally {
      active -= 1
      quietSinceMs = performance.now()
      over.resolve()
    }
  }
  return {
    isDisturbed: () => active > 0 || performance.now() - quietSinceMs < recoveryMs,
    done: Promise.all(plan.map(run)).then(() => undefined),
  }
}
