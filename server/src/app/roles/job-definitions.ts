import { evaluateAlertsJob } from '../../analytics/alerts/evaluate-alerts-job.ts'
import { keepArchivesJob } from '../../analytics/archive/keep-archives.ts'
import { eraseSentJob } from '../../analytics/clickhouse/erase-sent.ts'
import { sendViewsJob } from '../../analytics/clickhouse/send-views.ts'
import { relabelFilesJob } from '../../library/catalog/catalog-jobs.ts'
import {
  cutClipJob,
  encodeLadderJob,
  giveUpFileJob,
  giveUpPullJob,
  makeChunksJob,
  makeStoryboardJob,
  processFileJob,
  pullFileJob,
  purgeFileJob,
  remuxInFlightUploadJob,
  showInFlightUploadJob,
} from '../../library/files/queue/file-jobs.ts'
import { drawLogoJob } from '../../library/pictures/logo/logo-job.ts'
import { makePictureJob } from '../../library/pictures/picture-job.ts'
import { projectFilesJob } from '../../library/projects/project-jobs.ts'
import { housekeepingJob } from '../../platform/jobs/housekeeping.ts'
import { sendMailJob } from '../../platform/mail/mail-queue.ts'
import { recordUsageJob } from '../../library/usage/usage-days.ts'
import { replayEventsJob } from '../../notifications/webhooks/replay/replay-job.ts'

/** All jobs. Each process declares all of them, so that any process can enqueue any job. */
export const jobDefinitions = [
  // Dead-letter queues must be declared before the jobs that use them.
  giveUpFileJob,
  giveUpPullJob,
  processFileJob,
  encodeLadderJob,
  makeChunksJob,
  pullFileJob,
  showInFlightUploadJob,
  remuxInFlightUploadJob,
  makePictureJob,
  drawLogoJob,
  makeStoryboardJob,
  cutClipJob,
  purgeFileJob,
  projectFilesJob,
  relabelFilesJob,
  replayEventsJob,
  recordUsageJob,
  evaluateAlertsJob,
  sendMailJob,
  keepArchivesJob,
  sendViewsJob,
  eraseSentJob,
  housekeepingJob,
] as const
