import { openDatabase } from '../../src/platform/db/database.ts'
import { makeSample } from '../support/media.ts'
import { waitFor } from '../support/wait-for.ts'
import { checkWhole, type EncodeSource } from './encode-scenario.ts'
import type { Installation } from './installation.ts'
import { startSecondWorker, untilTwoWork } from './second-worker.ts'

export interface ChunkOutcome {
  readonly repeatedChunks: number
  readonly chunks: number
  readonly finishedAfterMs: number
}

/**
 * The source is long enough for several chunks and small enough to encode quickly. Its ladder has one rung
 * above the first.
 */
export const makeChunkSource = async (): Promise<EncodeSource> => {
  const seconds = 64
  return {
    bytes: await makeSample({ seconds, videoCodec: 'mpeg4', audioCodec: 'ac3', format: 'mp4' }),
    frameCount: seconds * 30,
  }
}

export const chunkProject = {
  Name: 'Chunks',
  DefaultReleaseStatus: 'published',
  EncoderSettings: { LadderMode: 'eager', Renditions: [{ Height: 90 }, { Height: 180 }] },
}

/**
 * Lets two workers encode a file in chunks and kills the second during its chunk, `afterMs` after both have
 * started. Throws when the other worker does not finish the file completely.
 */
export const encodeChunksThroughKill = async (
  installation: Installation,
  projectId: number,
  { source, afterMs }: { readonly source: EncodeSource; readonly afterMs: number },
): Promise<ChunkOutcome> => {
  const worker = await startSecondWorker(installation)
  const database = openDatabase(await installation.connection(), { maxConnections: 1 })
  try {
    await untilTwoWork(installation)
    const created = await installation.call('POST', `/projects/${projectId}/files`, {
      FileName: 'chunks.mp4',
      FileSize: source.bytes.length,
    })
    const path = `/projects/${projectId}/files/${created.body.Id}`
    await fetch(created.body.Upload.URI as string, { method: 'PUT', body: source.bytes as BodyInit })

    const runs = new Map<number, Set<string>>()
    const look = async (): Promise<number> => {
      const rows = await database.kysely.selectFrom('encode_chunks').selectAll().execute()
      for (const { number, claim } of rows)
        if (claim !== null) runs.set(number, (runs.get(number) ?? new Set()).add(claim))
      return rows.filter(({ state }) => state === 'running').length
    }
    await waitFor(look, (running) => running === 2)
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    await worker.kill()
    const killedMs = performance.now()
    const file = await waitFor(
      async () => {
        await look()
        return (await installation.call('GET', path)).body
      },
      ({ IsFinished }) => IsFinished === true,
    )
    const finishedAfterMs = performance.now() - killedMs
    await checkWhole(installation, file, {
      frameCount: source.frameCount,
      renditions: ['180p', '90p', 'audio'],
    })
    const repeatedChunks = [...runs.values()].filter(({ size }) => size > 1).length
    return { repeatedChunks, chunks: runs.size, finishedAfterMs }
  } finally {
    await worker.remove()
    await database.close()
  }
}
