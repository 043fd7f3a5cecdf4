import type { MakeChunksJob } from '../../../library/files/queue/file-jobs.ts'
import type { FileJobDependencies } from '../encode/file-job-run.ts'
import { claimWantedChunk, type ClaimedChunk } from './on-demand-store.ts'
import { settleOnDemand } from './settle-on-demand.ts'
import { tryChunk } from './try-chunk.ts'

/** Then the record shows what is there, also while a rung is watched for long. */
const settleIntervalMs = 15_000

/**
 * Encodes wanted chunks until none is left. Chunks that viewers wait for go first, so a run may serve other rungs than the
 * one that woke it.
 */
export const createMakeChunksHandler = (dependencies: FileJobDependencies) => {
  const { database } = dependencies
  /** Chunks that viewers wait for have all cores: those ahead of them would take half. */
  let awaitedHere = 0
  const make = async (chunk: ClaimedChunk, signal: AbortSignal): Promise<boolean> => {
    const awaited = chunk.urgency === 'awaited' ? 1 : 0
    awaitedHere += awaited
    try {
      return await tryChunk(dependencies, chunk, signal)
    } finally {
      awaitedHere -= awaited
    }
  }
  return async (_job: MakeChunksJob, signal: AbortSignal): Promise<void> => {
    const touched = new Set<number>()
    let settledAtMs = performance.now()
    const settle = async (): Promise<void> => {
      const ids = [...touched]
      touched.clear()
      settledAtMs = performance.now()
      for (const id of ids) await settleOnDemand(dependencies, id)
    }
    try {
      while (!signal.aborted) {
        const chunk = await claimWantedChunk(database, { isAwaitedOnly: awaitedHere > 0 })
        if (chunk === null) break
        if (await make(chunk, signal)) touched.add(chunk.renditionId)
        if (performance.now() - settledAtMs > settleIntervalMs) await settle()
      }
    } finally {
      await settle()
    }
  }
}
