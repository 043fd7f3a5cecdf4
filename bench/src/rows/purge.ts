import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../../../server/src/platform/db/database.ts'
import { connectionOf, makeManyFiles } from '../content/many-files.ts'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { startProduct } from '../harness/product.ts'
import { makeRow, type Row } from '../harness/row.ts'

const blobsPerFile = 5
const pollMs = 250
const timeoutMs = 10 * 60_000

/**
 * Deletes a project with many files, each with a few small blobs on disk, and lets one worker purge them: files a
 * second that are marked as deleted, and files a second whose rows and blobs are removed for good.
 */
export const measurePurge = async (context: BenchContext): Promise<Row[]> => {
  const dataFolder = await makeFolder(context, 'data')
  const product = await startProduct(context, dataFolder, { ZOETROPE_RETENTION_DAYS: '1' })
  const { projectId, count, firstId } = await makeManyFiles({ ...context, isQuick: true }, product)
  context.say(`${count * blobsPerFile} blobs are made`)
  for (let id = firstId; id < firstId + count; id += 1) {
    const folder = join(dataFolder, 'media', 'blobs', 'a1', `p${projectId}`, `f${id}`)
    await mkdir(folder, { recursive: true })
    for (let blob = 0; blob < blobsPerFile; blob += 1) await writeFile(join(folder, `${blob}`), 'blob')
  }
  const database = openDatabase(await connectionOf(product), { maxConnections: 1 })
  context.defer(database.close)
  const { sql } = database

  const timeUntil = async (isDone: () => Promise<boolean>): Promise<number> => {
    const startedMs = performance.now()
    while (!(await isDone())) {
      if (performance.now() - startedMs > timeoutMs) throw new Error('The files are not removed in time.')
      await delay(pollMs)
    }
    return (performance.now() - startedMs) / 1000
  }
  const countOf = async (condition: 'present' | 'any'): Promise<number> => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from media_files
      where project_id = ${projectId} and (${condition} = 'any' or deleted_at is null)`
    return row?.count ?? 0
  }

  await product.call('DELETE', `/projects/${projectId}?cascade=true`)
  const deletedSeconds = await timeUntil(async () => (await countOf('present')) === 0)
  // Not after the day for which the files can be restored.
  await sql`update pgboss.job set start_after = now() where name = 'file.purge'`
  const purgedSeconds = await timeUntil(async () => (await countOf('any')) === 0)
  const note = `${count} files, ${blobsPerFile} blobs each; one worker`
  return [
    makeRow({
      name: 'files deleted with their project',
      value: count / deletedSeconds,
      unit: 'files/s',
      note,
    }),
    makeRow({
      name: 'files purged',
      value: count / purgedSeconds,
      unit: 'files/s',
      goal: { of: 'value', atLeast: 1_000 },
      note,
    }),
  ]
}
