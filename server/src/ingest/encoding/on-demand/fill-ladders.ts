import { encodeLadderJob, processFileJob } from '../../../library/files/queue/file-jobs.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { FileJobDependencies } from '../encode/file-job-run.ts'
import { claimFillingChunks } from './on-demand-store.ts'
import { settleOnDemand } from './settle-on-demand.ts'
import { tryChunks } from './try-chunk.ts'

/** Also the time after which a worker that has become idle begins. */
const pollMs = 5_000
/** Then the records show what is there. */
const longestRunMs = 30_000

/** Whether any file waits for its first step or its ladder, or any viewer for a segment. */
const isAnythingElseToDo = async ({ sql }: Database): Promise<boolean> => {
  const [row] = await sql<{ is_busy: boolean }[]>`
    select exists (
      select from pgboss.job
      where name = any(${[processFileJob.name, encodeLadderJob.name]}::text[]) and state <= 'active' and start_after <= now()
    ) or exists (
      select from on_demand_chunks where state <> 'ready' and wanted_until > now()
    ) as is_busy`
  return row?.is_busy === true
}

/** Encodes absent segments of files with LadderMode `auto`, until something else is to do. */
export const fillLadders = async (dependencies: FileJobDependencies, signal: AbortSignal): Promise<void> => {
  const touched = new Set<number>()
  const settle = async (): Promise<void> => {
    const ids = [...touched]
    touched.clear()
    for (const id of ids) await settleOnDemand(dependencies, id)
  }
  const endsAtMs = performance.now() + longestRunMs
  try {
    while (!signal.aborted && performance.now() < endsAtMs) {
      if (await isAnythingElseToDo(dependencies.database)) break
      const chunks = await claimFillingChunks(dependencies.database)
      // A rung that is complete is chosen until it is settled.
      if (chunks.length === 0 && touched.size === 0) break
      if (chunks.length === 0) {
        await settle()
        continue
      }
      for (const { renditionId } of chunks) touched.add(renditionId)
      await tryChunks(dependencies, chunks, { signal, onTail: () => {} })
    }
  } finally {
    await settle()
  }
}

/** Fills ladders while this worker runs. */
export const startLadderFill = (
  dependencies: FileJobDependencies,
): { readonly stop: () => Promise<void> } => {
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  const timer = setInterval(() => {
    running ??= fillLadders(dependencies, stopping.signal)
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
