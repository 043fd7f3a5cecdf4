import { relabelFilesJob } from '../catalog/catalog-jobs.ts'
import {
  cutClipJob,
  encodeLadderJob,
  giveUpFileJob,
  giveUpPullJob,
  makeStoryboardJob,
  processFileJob,
  pullFileJob,
  purgeFileJob,
  remuxArrivingJob,
  showArrivingJob,
} from '../files/file-jobs.ts'
import { drawLogoJob } from '../pictures/logo-job.ts'
import { makePictureJob } from '../pictures/picture-job.ts'
import { projectFilesJob } from '../projects/project-jobs.ts'
import { housekeepingJob } from '../uploads/housekeeping.ts'
import { noteUsageJob } from '../usage/usage-days.ts'
import { replayEventsJob } from '../webhooks/replay-job.ts'

/** All jobs. Each process declares all of them, so that any process can enqueue any job. */
export const jobDefinitions = [
  // Dead-letter queues must be declared before the jobs that use them.
  giveUpFileJob,
  giveUpPullJob,
  processFileJob,
  encodeLadderJob,
  pullFileJob,
  showArrivingJob,
  remuxArrivingJob,
  makePictureJob,
  drawLogoJob,
  makeStoryboardJob,
  cutClipJob,
  purgeFileJob,
  projectFilesJob,
  relabelFilesJob,
  replayEventsJob,
  noteUsageJob,
  housekeepingJob,
] as const
