import type { FileJobDependencies } from '../encode/file-job-run.ts'
import { makeChunk, type ChunkEncode } from './make-chunk.ts'
import { findOnDemandRendition, mostFailures, releaseChunk, type ClaimedChunk } from './on-demand-store.ts'
import { withdrawOnDemand } from './settle-on-demand.ts'

/** Encodes a chunk. After an error, it is given back, and a rung that fails again and again is withdrawn. */
export const tryChunk = async (
  dependencies: FileJobDependencies,
  chunk: ClaimedChunk,
  run: ChunkEncode,
): Promise<boolean> => {
  const { database, log } = dependencies
  const { signal } = run
  const found = await findOnDemandRendition(database.kysely, chunk.renditionId)
  if (found === null) {
    await releaseChunk(database, chunk, { isFailed: true })
    return false
  }
  try {
    return await makeChunk(dependencies, chunk, found, run)
  } catch (error) {
    const failures = await releaseChunk(database, chunk, { isFailed: !signal.aborted })
    if (signal.aborted) return false
    const entry = { fileId: found.file.id, rendition: found.rendition.name, chunk: chunk.number, err: error }
    log.warn(entry, 'chunk not encoded on demand')
    if (failures >= mostFailures) await withdrawOnDemand(dependencies, chunk.renditionId)
    return false
  }
}
