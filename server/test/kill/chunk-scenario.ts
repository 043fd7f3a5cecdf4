import { spawn, type ChildProcess } from 'node:child_process'
import { copyFile, mkdir, rm, symlink } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../../src/kernel/db/database.ts'
import { makeSample } from '../support/media.ts'
import { waitFor } from '../support/wait-for.ts'
import { checkWhole, type EncodeSource } from './encode-scenario.ts'
import type { Installation } from './installation.ts'

const mainScript = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export interface ChunkOutcome {
  /** How many chunks were made by more than one run. */
  readonly repeatedChunks: number
  readonly chunks: number
  readonly finishedAfterMs: number
}

/** Long enough to be cut, small enough to be quick; its ladder has one rung above the first. */
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
  EncoderSettings: { Renditions: [{ Height: 90 }, { Height: 180 }] },
}

/** Where the second worker keeps its temporary files; the media are those of the first. */
const ownFolder = (installation: Installation): string => join(installation.dataFolder, 'second-worker')

/** Another worker of the installation, as a second machine would have one; resolves when it takes jobs. */
const startSecondWorker = async (installation: Installation): Promise<ChildProcess> => {
  const connection = await installation.connection()
  const folder = ownFolder(installation)
  await mkdir(folder)
  await symlink(join(installation.dataFolder, 'media'), join(folder, 'media'))
  await copyFile(join(installation.dataFolder, 'master.key'), join(folder, 'master.key'))
  const worker = spawn(process.execPath, [mainScript, 'serve', '--role', 'worker'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ZOETROPE_DATA: folder,
      ZOETROPE_EMBEDDED_CONNECTION: JSON.stringify(connection),
      ZOETROPE_LOG_FILE: join(folder, 'zoetrope.log'),
      ZOETROPE_PUBLIC_URL: installation.url,
    },
    stdio: 'ignore',
  })
  const database = openDatabase(connection, { maxConnections: 1 })
  try {
    await waitFor(
      () => database.sql<{ count: number }[]>`
        select count(distinct application_name)::int as count from pg_stat_activity
        where application_name like 'zoetrope-worker-%'`,
      ([row]) => row?.count === 2,
    )
  } finally {
    await database.close()
  }
  return worker
}

/**
 * Lets two workers encode a file in chunks and kills the second one in the middle of its own, `afterMs` after both have begun. Throws when the file does
 * not finish by the other one, or not whole.
 */
export const encodeChunksThroughKill = async (
  installation: Installation,
  projectId: number,
  { source, afterMs }: { readonly source: EncodeSource; readonly afterMs: number },
): Promise<ChunkOutcome> => {
  const worker = await startSecondWorker(installation)
  const died = once(worker, 'exit')
  const database = openDatabase(await installation.connection(), { maxConnections: 1 })
  try {
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
    worker.kill('SIGKILL')
    await died
    const killedMs = performance.now()
    const file = await waitFor(
      async () => {
        await look()
        return (await installation.call('GET', path)).body
      },
      ({ IsFinished }) => IsFinished === true,
      120_000,
    )
    const finishedAfterMs = performance.now() - killedMs
    await checkWhole(installation, file, {
      frameCount: source.frameCount,
      renditions: ['180p', '90p', 'audio'],
    })
    const repeatedChunks = [...runs.values()].filter(({ size }) => size > 1).length
    return { repeatedChunks, chunks: runs.size, finishedAfterMs }
  } finally {
    worker.kill('SIGKILL')
    await died
    await rm(ownFolder(installation), { recursive: true })
    await database.close()
  }
}
