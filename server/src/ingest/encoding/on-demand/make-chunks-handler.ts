import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import type { MakeChunksJob } from '../../../library/files/queue/file-jobs.ts'
import type { FileJobDependencies } from '../encode/file-job-run.ts'
import { createEncoderTurns } from './encoder-turns.ts'
import { claimNextChunk, claimWantedChunk, type ClaimedChunk } from './on-demand-store.ts'
import { settleOnDemand } from './settle-on-demand.ts'
import { tryChunk } from './try-chunk.ts'

/** Then the record shows what is there, also while a rung is watched for long. */
const settleIntervalMs = 15_000
/** An encoder uses about two cores. */
const coresOfEncoder = 2

/**
 * Number of runs of the handler that one process needs: one for each encoder, and one that takes chunks which viewers begin to wait
 * for meanwhile.
 */
export const makeChunksConcurrency = (encoderCount: number): number => encoderCount + 1

/**
 * Encodes wanted chunks until none is left. Chunks that viewers wait for go first, so a run may serve other rungs than the
 * one that woke it.
 */
export const createMakeChunksHandler = (
  dependencies: FileJobDependencies,
  { encoderCount }: { readonly encoderCount: number },
) => {
  const { database } = dependencies
  const turns = createEncoderTurns({
    encoderCount,
    atOnce: Math.max(1, Math.floor(availableParallelism() / coresOfEncoder)),
  })
  return async (_job: MakeChunksJob, signal: AbortSignal): Promise<void> => {
    const touched = new Set<number>()
    let settledAtMs = performance.now()
    const settle = async (): Promise<void> => {
      const ids = [...touched]
      touched.clear()
      settledAtMs = performance.now()
      for (const id of ids) await settleOnDemand(dependencies, id)
    }
    const aborted = once(signal, 'abort')
    try {
      // When all encoders are in use, their runs take the next chunks.
      while (!signal.aborted && !turns.isFull()) {
        const isFree = turns.isFree()
        const freed = turns.freed()
        const turn = turns.take()
        const chunk = await claimWantedChunk(database, { isAwaitedOnly: !isFree, mayGoOn: isFree }).catch(
          (error: unknown) => {
            turn.end()
            throw error
          },
        )
        if (chunk === null) {
          turn.end()
          if (isFree) break
          await Promise.race([freed, aborted])
          continue
        }
        const goOn = (made: ClaimedChunk): Promise<ClaimedChunk | null> => {
          touched.add(made.renditionId)
          return claimNextChunk(database, made, { isAwaitedOnly: turns.isOverfull() })
        }
        const isMade = await tryChunk(dependencies, chunk, { signal, onTail: turn.pass, goOn }).finally(
          turn.end,
        )
        if (isMade) touched.add(chunk.renditionId)
        if (performance.now() - settledAtMs > settleIntervalMs) await settle()
      }
    } finally {
      await settle()
    }
  }
}
