import type { Tx } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { askForClip } from '../media/clips.ts'
import { askForPull } from '../queue/file-pulls.ts'
import type { MediaFileRow } from '../record/file-record.ts'

/**
 * Restarts the fetch or the cut that brings the source of a file. A running job ends when it notices. Returns
 * false when a client must upload the source.
 */
export const askForSource = async (
  tx: Tx,
  jobs: Jobs,
  file: Pick<MediaFileRow, 'account_id' | 'project_id' | 'id'>,
): Promise<boolean> => (await askForPull(tx, jobs, file)) || (await askForClip(tx, jobs, file))
