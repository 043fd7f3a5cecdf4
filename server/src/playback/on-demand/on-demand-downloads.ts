import { hasDownloadBudgetLeft } from '../../library/files/on-demand/encoding-budget.ts'
import { readWantedRung, wakeForRung, wantRung } from '../../library/files/on-demand/wanted-rungs.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { nothing } from '../access/find-playout.ts'
import type { ChunkLimits } from './chunk-limits.ts'
import { checkBudget, refused } from './refuse.ts'

export interface OnDemandDownloads {
  /**
   * Has the whole rung encoded, unless that is under way. Returns how much of it is, in percent. Throws 'not_found' and
   * 'rate_limited'.
   */
  readonly prepare: (address: string, renditionId: number) => Promise<number>
}

export const createOnDemandDownloads = ({
  database,
  jobs,
  limits,
  secondsPerDay,
}: {
  readonly database: Database
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly limits: ChunkLimits
  /** Media seconds that are encoded on demand for each project and day; 0 = no limit. */
  readonly secondsPerDay: number
}): OnDemandDownloads => ({
  prepare: async (address, renditionId) => {
    const rung = await readWantedRung(database, renditionId)
    if (rung === null) throw nothing()
    if (rung.isUnderWay) {
      if (rung.readyCount < rung.chunkCount) await wakeForRung(database.kysely, jobs, renditionId)
    } else {
      await checkBudget(database, rung.projectId, secondsPerDay, hasDownloadBudgetLeft)
      if (!limits.admitsDownload(address)) throw refused('download', 60)
      await wantRung(database, jobs, renditionId)
    }
    return Math.floor((100 * rung.readyCount) / rung.chunkCount)
  },
})
