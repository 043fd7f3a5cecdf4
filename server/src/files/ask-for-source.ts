import type { Tx } from '../kernel/db/database.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { askForClip } from './clips.ts'
import { askForPull } from './file-pulls.ts'
import type { MediaFileRow } from './file-record.ts'

/**
 * Begins anew to get the source of a file from where it comes: a URL, or another file. A job that is under way ends when it notices. False when
 * somebody has to bring it.
 */
export const askForSource = async (
  tx: Tx,
  jobs: Jobs,
  file: Pick<MediaFileRow, 'account_id' | 'project_id' | 'id'>,
): Promise<boolean> => (await askForPull(tx, jobs, file)) || (await askForClip(tx, jobs, file))
