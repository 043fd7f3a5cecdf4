import { accessProblems } from './problems/access.ts'
import { accountsProblems } from './problems/accounts.ts'
import { requestsProblems } from './problems/requests.ts'
import { libraryProblems } from './problems/library.ts'
import { notificationsProblems } from './problems/notifications.ts'
import { uploadsProblems } from './problems/uploads.ts'
import { playbackProblems } from './problems/playback.ts'
import { liveProblems } from './problems/live.ts'
import { workersProblems } from './problems/workers.ts'

/** Code and English text of each problem. The console has the other languages. */
export const problemTexts = {
  ...accessProblems,
  ...accountsProblems,
  ...requestsProblems,
  ...libraryProblems,
  ...notificationsProblems,
  ...uploadsProblems,
  ...playbackProblems,
  ...liveProblems,
  ...workersProblems,
} as const
