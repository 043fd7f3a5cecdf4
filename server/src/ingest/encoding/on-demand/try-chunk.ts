import { isPassing } from '../encode/faults.ts'
import type { FileJobDependencies } from '../encode/file-job-run.ts'
import { canShareRun, type ClaimedPart } from './encode-parts.ts'
import { ClaimLostError, makeChunk, type ChunkEncode } from './make-chunk.ts'
import { releaseChunk } from './claims/chunk-claims.ts'
import { mostFailures, type ClaimedChunk } from './claims/claimed-chunk.ts'
import { findOnDemandRendition, type OnDemandRendition } from './on-demand-store.ts'
import { DecoderSettingsError, relistRung } from './relist-rung.ts'
import { withdrawOnDemand } from './settle-on-demand.ts'

/**
 * Encodes a chunk, and those with which the run continues. After an error, it releases the chunk; after several errors, it lists
 * the rung again or withdraws it. Throws when the media storage or a disk is at fault.
 */
export const tryChunk = async (
  dependencies: FileJobDependencies,
  chunk: ClaimedChunk,
  run: ChunkEncode,
): Promise<void> => {
  const { database } = dependencies
  const found = await findOnDemandRendition(database.kysely, chunk.renditionId)
  if (found === null) await releaseChunk(database, chunk, 'not_served')
  else await tryPart(dependencies, { claimed: chunk, found }, run)
}

const tryPart = async (
  dependencies: FileJobDependencies,
  part: ClaimedPart,
  run: ChunkEncode,
): Promise<void> => {
  const { database, log } = dependencies
  const { signal } = run
  try {
    await makeChunk(dependencies, [part], run)
  } catch (error) {
    if (error instanceof ClaimLostError) return
    const { claimed, found } = part
    const isFailed = !signal.aborted && !isPassing(error)
    if (isFailed) {
      const entry = {
        fileId: found.file.id,
        rendition: found.rendition.name,
        chunk: claimed.number,
        err: error,
      }
      log.warn(entry, 'chunk not encoded on demand')
      // A worker that ends meanwhile still holds the chunk: the next one fails in its turn and gets here.
      if (claimed.failures + 1 >= mostFailures) await giveUpRung(dependencies, found, { error, signal })
    }
    await releaseChunk(database, claimed, isFailed ? 'failed' : 'interrupted')
    // Ends this run, so that the next attempt comes after a while.
    if (!isFailed && !signal.aborted) throw error
  }
}

/** Another version of ffmpeg may write other decoder settings: then the rung is listed again with them. */
const giveUpRung = async (
  dependencies: FileJobDependencies,
  found: OnDemandRendition,
  { error, signal }: { readonly error: unknown; readonly signal: AbortSignal },
): Promise<void> => {
  const entry = { fileId: found.file.id, rendition: found.rendition.name }
  if (error instanceof DecoderSettingsError && (await relistRung(dependencies, found, signal)))
    dependencies.log.info(entry, 'rung on demand listed again with new decoder settings')
  else {
    await withdrawOnDemand(dependencies, found.rendition.id)
    dependencies.log.warn(entry, 'rung on demand withdrawn')
  }
}

/**
 * Encodes the same chunk of several rungs, in one run where they are drawn alike: the source is decoded once. Otherwise, and
 * after an error, each has a run of its own.
 */
export const tryChunks = async (
  dependencies: FileJobDependencies,
  chunks: readonly ClaimedChunk[],
  run: ChunkEncode,
): Promise<void> => {
  const { database, log } = dependencies
  const parts: ClaimedPart[] = []
  for (const claimed of chunks) {
    const found = await findOnDemandRendition(database.kysely, claimed.renditionId)
    if (found === null) await releaseChunk(database, claimed, 'not_served')
    else parts.push({ claimed, found })
  }
  // The filters begin with the highest rung.
  const [first, ...others] = parts.toSorted(
    (a, b) => b.found.plan.rung.heightPixels - a.found.plan.rung.heightPixels,
  )
  if (first === undefined) return
  if (others.length > 0 && others.every((one) => canShareRun(first, one)))
    try {
      return await makeChunk(dependencies, [first, ...others], run)
    } catch (error) {
      if (!run.signal.aborted)
        log.warn(
          { fileId: first.found.file.id, chunk: first.claimed.number, err: error },
          'encoding rungs one by one',
        )
    }
  const rest = [first, ...others].values()
  try {
    for (const part of rest) await tryPart(dependencies, part, run)
  } finally {
    // After an error.
    for (const { claimed } of rest) await releaseChunk(database, claimed, 'interrupted')
  }
}
