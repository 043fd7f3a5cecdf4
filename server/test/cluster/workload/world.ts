import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../random.ts'
import type { Client } from './client.ts'
import type { Journal } from './journal.ts'

/** What each part of the workload works with. */
export interface World {
  readonly client: Client
  readonly journal: Journal
  readonly random: Random
  /** Aborted when the chaos is over. Parts then finish what they have begun. */
  readonly over: AbortSignal
}

/** Runs `work` again and again, with pauses. An error is a fault of the product, and the loop goes on. */
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
