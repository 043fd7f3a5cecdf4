import { initBlob } from '../../../library/files/media/media-blobs.ts'
import { earlierBlobsOf } from '../chunks/chunk-folders.ts'
import { withWorkFolder } from '../encode/with-work-folder.ts'
import type { FileJobDependencies } from '../encode/file-job-run.ts'
import { cleanUpAfterPurge } from '../processing/run-file-job.ts'
import { finishOnDemandChunk, renewChunk } from './claims/chunk-claims.ts'
import type { ClaimedChunk, MadeSegment } from './claims/claimed-chunk.ts'
import { encodeParts, type ClaimedPart } from './encode-parts.ts'

export interface ChunkEncode {
  readonly signal: AbortSignal
  /** Called when the encoder leaves much of the processor to others until its end. */
  readonly onTail: () => void
  readonly onReady: (chunk: ClaimedChunk) => void
  /** Claims the chunk with which the run continues after one that is ready; null = it ends. Absent = it ends after its first chunk. */
  readonly claimNext?: (ready: ClaimedChunk) => Promise<ClaimedChunk | null>
}

const renewIntervalMs = 4_000
/** All claims of a rung share the init segment. */
const earlierSegmentsOf = (mediaBlob: string, { number, attempt }: ClaimedChunk): string[] =>
  earlierBlobsOf(mediaBlob, [{ number, attempt, startSegment: number, segmentCount: 1 }]).filter(
    (blob) => blob !== initBlob(mediaBlob),
  )

/** Another encoder has the chunk, or its rung is gone. */
export class ClaimLostError extends Error {
  constructor() {
    super('the claim of a chunk is lost')
    this.name = 'ClaimLostError'
  }
}

/** Ends a run that does not continue with the next chunk, before the end of its range. */
class RunEndedError extends Error {
  constructor() {
    super('the run does not continue')
    this.name = 'RunEndedError'
  }
}

/**
 * Encodes a chunk of one rung or of several in one run (`canShareRun`), and stores its segments. A run of one rung continues
 * with the next chunks while `claimNext` returns them.
 */
export const makeChunk = async (
  dependencies: FileJobDependencies,
  parts: readonly [ClaimedPart, ...ClaimedPart[]],
  { signal, onTail, onReady, claimNext }: ChunkEncode,
): Promise<void> => {
  const { database, log } = dependencies
  const { file } = parts[0].found
  const held = new Set(parts.map(({ claimed }) => claimed))
  const lost = new AbortController()
  const renewal = setInterval(() => {
    const claims = [...held]
    Promise.all(claims.map((claimed) => renewChunk(database, claimed)))
      .then((areRenewed) => {
        if (claims.some((claimed, index) => areRenewed[index] === false && held.has(claimed))) lost.abort()
      })
      .catch((error: unknown) => log.warn({ err: error }, 'cannot renew the lease of a chunk'))
  }, renewIntervalMs)
  const finish = async ({ claimed, found }: ClaimedPart, segment: MadeSegment): Promise<boolean> => {
    // A ready chunk has no lease. A renewal that is under way would look like a lost claim.
    held.delete(claimed)
    const isFinished = await finishOnDemandChunk(database, claimed, {
      segment,
      seconds: segment.durationTicks / found.plan.timescale,
      file,
      earlierBlobs: earlierSegmentsOf(found.rendition.media_blob, claimed),
    })
    if (isFinished) onReady(claimed)
    return isFinished
  }
  const finishAndContinue = async (segment: MadeSegment): Promise<void> => {
    const [part] = parts
    if (!(await finish(part, segment))) throw new ClaimLostError()
    const next = (await claimNext?.(part.claimed)) ?? null
    if (next === null) throw new RunEndedError()
    part.claimed = next
    held.add(next)
  }
  try {
    const segments = await withWorkFolder(dependencies.workFolder, `chunk-${file.id}-`, (workFolder) =>
      encodeParts(dependencies, parts, {
        ...{ workFolder, signal: AbortSignal.any([signal, lost.signal]), onTail },
        finishAndContinue,
      }),
    )
    for (const [index, part] of parts.entries()) {
      const segment = segments[index]
      if (segment !== undefined) await finish(part, segment)
    }
  } catch (error) {
    if (error instanceof RunEndedError) return
    throw lost.signal.aborted && !signal.aborted ? new ClaimLostError() : error
  } finally {
    clearInterval(renewal)
    const key = { accountId: file.account_id, projectId: file.project_id, fileId: file.id }
    // Media stays in the folder of the project that the file was moved from.
    const folders = parts.map(({ found }) => `${found.rendition.media_blob}/`)
    await cleanUpAfterPurge(dependencies, key, folders)
  }
}
