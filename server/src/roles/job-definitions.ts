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

/** Every job there is: each process declares them all, so that any of them may enqueue any. */
export const jobDefinitions = [
  // Before those that hand their data on to it.
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
