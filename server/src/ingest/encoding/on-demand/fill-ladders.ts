import type { Database } from '../../../platform/db/database.ts'
import type { FileJobDependencies } from '../encode/file-job-run.ts'
import { claimFillingChunks, findRungToFill, isAnythingElseToDo } from './claims/claim-filling-chunks.ts'
import { settleOnDemand } from './settle-on-demand.ts'
import { tryChunks } from './try-chunk.ts'

/** Also the time after which a worker that has become idle begins. */
const pollMs = 5_000
/** Then the records show what is there. */
const longestRunMs = 30_000
/** A source or a storage that cannot be read is tried again after this time. */
const skipMs = 600_000
/** While there is nothing to fill, looking for it takes at most this share of the time. */
const searchShare = 0.02

/** What a worker remembers from one run to the next. Times are those of `performance.now()`. */
interface FillState {
  readonly skippedUntilMs: Map<number, number>
  searchAfterMs: number
}

export const newFillState = (): FillState => ({ skippedUntilMs: new Map(), searchAfterMs: 0 })

const findRung = async (database: Database, state: FillState): Promise<number | null> => {
  const startedMs = performance.now()
  if (startedMs < state.searchAfterMs) return null
  for (const [id, untilMs] of state.skippedUntilMs) if (untilMs < startedMs) state.skippedUntilMs.delete(id)
  const found = await findRungToFill(database, [...state.skippedUntilMs.keys()])
  const endedMs = performance.now()
  if (found === null) state.searchAfterMs = endedMs + (endedMs - startedMs) / searchShare
  return found
}

/** Encodes the absent segments of a rung, and the same ones of its file's other rungs. Returns whether none is left to claim. */
const fillRung = async (
  dependencies: FileJobDependencies,
  renditionId: number,
  { signal, mayContinue }: { readonly signal: AbortSignal; readonly mayContinue: () => Promise<boolean> },
): Promise<boolean> => {
  const touched = new Set<number>()
  try {
    while (await mayContinue()) {
      const chunks = await claimFillingChunks(dependencies.database, renditionId)
      if (chunks.length === 0) return true
      await tryChunks(dependencies, chunks, {
        ...{ signal, onTail: () => {} },
        onReady: (ready) => touched.add(ready.renditionId),
      })
    }
    return false
  } finally {
    for (const id of touched) await settleOnDemand(dependencies, id)
  }
}

/**
 * Encodes absent segments of files with LadderMode `auto`, until something else is to do. After an error of the media storage or
 * a disk, it skips the rung for a while and throws.
 */
export const fillLadders = async (
  dependencies: FileJobDependencies,
  signal: AbortSignal,
  state: FillState = newFillState(),
): Promise<void> => {
  const { database } = dependencies
  const endsAtMs = performance.now() + longestRunMs
  const mayContinue = async (): Promise<boolean> =>
    !signal.aborted && performance.now() < endsAtMs && !(await isAnythingElseToDo(database))
  while (await mayContinue()) {
    const id = await findRung(database, state)
    if (id === null) break
    try {
      // Other workers encode what is left, or it cannot be encoded.
      if (await fillRung(dependencies, id, { signal, mayContinue })) state.skippedUntilMs.set(id, endsAtMs)
    } catch (error) {
      state.skippedUntilMs.set(id, performance.now() + skipMs)
      throw error
    }
  }
}

/** Fills ladders while this worker runs. */
export const startLadderFill = (
  dependencies: FileJobDependencies,
): { readonly stop: () => Promise<void> } => {
  const stopping = new AbortController()
  const state = newFillState()
  let running: Promise<void> | null = null
  const timer = setInterval(() => {
    running ??= fillLadders(dependencies, stopping.signal, state)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) dependencies.log.warn({ err: error }, 'cannot fill ladders')
      })
      .finally(() => {
        running = null
      })
  }, pollMs)
  return {
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
