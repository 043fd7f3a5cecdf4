import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import type { MakeChunksJob } from '../../../library/files/queue/file-jobs.ts'
import type { FileJobDependencies } from '../encode/file-job-run.ts'
import { createEncoderTurns } from './encoder-turns.ts'
import { claimNextChunk, claimWantedChunk } from './claims/claim-wanted-chunks.ts'
import { settleOnDemand } from './settle-on-demand.ts'
import { tryChunk } from './try-chunk.ts'

/** Then the record shows what is there, also while a rung is watched for long. */
const settleIntervalMs = 15_000
/** An encoder uses about two cores. */
const coresOfEncoder = 2
/** One of this number of claims gives no preference to viewers who continue to play a rung. */
const claimsPerRound = 4

/**
 * Returns the number of jobs that a process runs at a time: one for each encoder, and one more, so that a job is free for
 * viewers who begin to wait while another one waits for a turn.
 */
export const makeChunksConcurrency = (encoderCount: number): number => encoderCount + 1

interface MakeChunksOptions {
  readonly encoderCount: number
  /**
   * Whether sources are on this machine. Otherwise a run begins when the ranges of all its chunks are fetched, so a viewer who
   * begins to play gets a run of one chunk.
   */
  readonly areSourcesHere: boolean
}

/**
 * Encodes wanted chunks until none is left. Chunks that viewers wait for go first, so a run may serve other rungs than the
 * one that woke it.
 */
export const createMakeChunksHandler = (
  dependencies: FileJobDependencies,
  { encoderCount, areSourcesHere }: MakeChunksOptions,
) => {
  const { database } = dependencies
  let claimCount = 0
  /** Whether a job waits for a turn. If more did, none would be left for viewers who begin to wait. */
  let isWaiting = false
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
        claimCount += 1
        const chunk = await claimWantedChunk(database, {
          isAwaitedOnly: !isFree,
          mayContinue: !isFree ? 'never' : areSourcesHere ? 'always' : 'after_start',
          isPlayedOnFirst: claimCount % claimsPerRound !== 0,
        }).catch((error: unknown) => {
          turn.end()
          throw error
        })
        if (chunk === null) {
          turn.end()
          // The run that has the turn takes what is left.
          if (isFree || isWaiting) break
          isWaiting = true
          await Promise.race([freed, aborted]).finally(() => (isWaiting = false))
          continue
        }
        await tryChunk(dependencies, chunk, {
          signal,
          onTail: turn.pass,
          onReady: (ready) => touched.add(ready.renditionId),
          claimNext: (ready) => claimNextChunk(database, ready, { isAwaitedOnly: turns.isOverfull() }),
        }).finally(turn.end)
        if (performance.now() - settledAtMs > settleIntervalMs) await settle()
      }
    } finally {
      await settle()
    }
  }
}
