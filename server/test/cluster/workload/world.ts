import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../random.ts'
import type { Client } from './client.ts'
import type { Journal } from './journal.ts'

/** Shared by all parts of the workload. */
export interface World {
  readonly client: Client
  readonly journal: Journal
  readonly random: Random
  /** Aborted when the chaos is over. Parts then finish what they have begun. */
  readonly over: AbortSignal
}

/** Repeats `work` with pauses. Reports an error as a fault of the product, and continues. */
export const keepDoing = async (
  { journal, random, over }: World,
  name: string,
  [least, most]: readonly [number, number],
  work: () => Promise<void>,
): Promise<void> => {
  while (!over.aborted) {
    await work().catch((error: unknown) =>
      journal.write({ kind: 'wrong', text: `${name}: ${(error as Error).message}` }),
    )
    await delay(random.between(least, most), null, { signal: over }).catch(() => {})
  }
}
