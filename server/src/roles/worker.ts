import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { relabelFilesJob } from '../catalog/catalog-jobs.ts'
import { chunkLengths } from '../encoding/begin-chunks.ts'
import { createCutClipHandler } from '../encoding/cut-clip-handler.ts'
import { createDrawLogoHandler } from '../encoding/draw-logo-handler.ts'
import { createEncodeLadderHandler } from '../encoding/encode-ladder-handler.ts'
import { createGiveUpFileHandler } from '../encoding/give-up-file-handler.ts'
import { createMakePictureHandler } from '../encoding/make-picture-handler.ts'
import { createMakeStoryboardHandler } from '../encoding/make-storyboard-handler.ts'
import { createProcessFileHandler } from '../encoding/process-file-handler.ts'
import { createRemuxArrivingHandler } from '../encoding/remux-arriving-handler.ts'
import { createShowArrivingHandler } from '../encoding/show-arriving-handler.ts'
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
import { startReleaseAnnouncer } from '../files/announce-releases.ts'
import { createArrivingFiles } from '../files/arriving-files.ts'
import { createProjectFilesHandler } from '../files/project-files-handler.ts'
import { createPurgeFileHandler } from '../files/purge-file-handler.ts'
import { createRelabelFilesHandler } from '../files/relabel-files-handler.ts'
import { createTouchPlaylists } from '../playlists/touch-playlists.ts'
import { projectFilesJob } from '../projects/project-jobs.ts'
import { dropOldAuditEntries } from '../audit/audit-store.ts'
import { dropOldSignIns } from '../identity/drop-old-sign-ins.ts'
import { forgetDeletedUsers } from '../identity/forget-deleted-users.ts'
import { sweepFolder } from '../kernel/blobs/durable-files.ts'
import { dropOldRows } from '../http/drop-old-rows.ts'
import { keepLocalFiles } from '../kernel/blobs/keep-local-files.ts'
import { createGuardedAgent } from '../kernel/outbound/guarded-agent.ts'
import { dropFailedBroadcasts } from '../live/live-broadcasts.ts'
import { dropOldLiveLog } from '../live/live-log.ts'
import { purgeLiveStreams } from '../live/purge-live-streams.ts'
import { drawLogoJob } from '../pictures/logo-job.ts'
import { makePictureJob } from '../pictures/picture-job.ts'
import { dropAbandonedPictureRequests } from '../pictures/picture-requests.ts'
import { purgePlaylists } from '../playlists/purge-playlists.ts'
import { createHousekeepingHandler, housekeepingCron, housekeepingJob } from '../uploads/housekeeping.ts'
import {
  createGiveUpPullHandler,
  createPullFileHandler,
  pullLimits,
} from '../uploads/pull/pull-file-handler.ts'
import { dropUsedStates } from '../sso/used-states.ts'
import { noteUsage, noteUsageCron, noteUsageJob } from '../usage/usage-days.ts'
import { startDeliveryEngine } from '../webhooks/delivery-engine.ts'
import { dropOldEvents } from '../webhooks/drop-old-events.ts'
import { dropOldHours } from '../webhooks/hour-store.ts'
import { dropOldInspectedRequests } from '../webhooks/inspected-requests.ts'
import { createReplayEventsHandler } from '../webhooks/replay-events-handler.ts'
import { replayEventsJob } from '../webhooks/replay-job.ts'
import { resumeReplays } from '../webhooks/resume-replays.ts'
import { startMediaMover } from './media-mover.ts'
import type { RunningRole } from './running-role.ts'
import { startHealthServer } from './health-routes.ts'
import type { Services } from './services.ts'

/**
 * Longer than any job may take: a younger folder may belong to another worker that shares the data folder.
 */
const abandonedMs = 25 * 3_600_000

/**
 * Returns a folder for temporary files of this worker alone and deletes folders of dead workers. Process ids
 * do not identify dead workers: a zombie counts as running, and containers reuse ids.
 */
const openWorkFolder = async (parent: string, isOnlyWorker: boolean): Promise<string> => {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  await sweepFolder(parent, isOnlyWorker ? 0 : abandonedMs)
  return join(parent, randomUUID())
}

/** Several files can become playable while a ladder is encoded: users wait for the first rung. */
const firstStepConcurrency = 2
/** Users wait for pictures. */
const pictureConcurrency = 2
/** Pulls wait for the network, not for the machine: one slow server must not block the others. */
const pullConcurrency = 8
/** These jobs wait for senders and copy. A file without a free slot plays once its upload is complete. */
const tailConcurrency = 2
const supervisorMarginMs = 2_000

/** Takes jobs and delivers webhooks until it is stopped. */
export const startWorker = async (services: Services): Promise<RunningRole> => {
  const { config, database, blobs, jobs, log } = services
  const { publicUrl, retentionDays } = config
  // The embedded database serves one tree with one worker, so jobs that started before this worker are
  // orphaned.
  if (config.embeddedConnection !== null) await jobs.releaseOrphans()
  const files = {
    database,
    blobs,
    jobs,
    publicUrl,
    log,
    workFolder: await openWorkFolder(join(config.dataFolder, 'work'), config.embeddedConnection !== null),
  }
  const agent = createGuardedAgent({
    allowCidrs: config.outboundAllowCidrs,
    isHttpAllowed: config.isOutboundHttpAllowed,
  })
  const sources = keepLocalFiles(blobs)
  const arrivingFiles = createArrivingFiles(database, services.staging.path)
  const engine = await startDeliveryEngine({
    database,
    secrets: services.secrets,
    agent,
    log,
    publicUrl,
  })
  await jobs.work(
    processFileJob,
    { concurrency: firstStepConcurrency },
    createProcessFileHandler({
      ...files,
      jobs,
      arrivingFiles,
      maxDurationSeconds: config.maxDurationSeconds,
    }),
  )
  await jobs.work(
    encodeLadderJob,
    { concurrency: config.encoderConcurrency },
    createEncodeLadderHandler({
      ...files,
      blobs: sources.blobs,
      chunking: {
        ...chunkLengths,
        countEncoders: async (where) => (await jobs.countWorkers(where)) * config.encoderConcurrency,
      },
    }),
  )
  await jobs.work(makePictureJob, { concurrency: pictureConcurrency }, createMakePictureHandler(files))
  await jobs.work(drawLogoJob, { concurrency: 1 }, createDrawLogoHandler(files))
  await jobs.work(cutClipJob, { concurrency: firstStepConcurrency }, createCutClipHandler(files))
  await jobs.work(makeStoryboardJob, { concurrency: 1 }, createMakeStoryboardHandler(files))
  await jobs.work(giveUpFileJob, { concurrency: 1 }, createGiveUpFileHandler(files))
  await jobs.work(
    pullFileJob,
    { concurrency: pullConcurrency },
    createPullFileHandler({
      ...files,
      staging: services.staging,
      jobs,
      agent,
      secrets: services.secrets,
      maxSizeBytes: config.uploadMaxBytes,
      limits: pullLimits,
    }),
  )
  await jobs.work(
    showArrivingJob,
    { concurrency: 1 },
    createShowArrivingHandler({
      database,
      jobs,
      publicUrl,
      arrivingFiles,
      maxDurationSeconds: config.maxDurationSeconds,
    }),
  )
  await jobs.work(
    remuxArrivingJob,
    { concurrency: tailConcurrency },
    createRemuxArrivingHandler({
      database,
      publicUrl,
      arrivingFiles,
      maxDurationSeconds: config.maxDurationSeconds,
      maxSizeBytes: config.uploadMaxBytes,
    }),
  )
  await jobs.work(giveUpPullJob, { concurrency: 1 }, createGiveUpPullHandler({ database, publicUrl }))
  await jobs.work(
    projectFilesJob,
    { concurrency: 2 },
    createProjectFilesHandler({
      database,
      jobs,
      publicUrl,
      retentionDays,
      uploadExpiryMs: config.uploadExpiryHours * 3_600_000,
      touchPlaylists: createTouchPlaylists(publicUrl),
    }),
  )
  await jobs.work(purgeFileJob, { concurrency: 1 }, createPurgeFileHandler({ database, blobs }))
  await jobs.work(replayEventsJob, { concurrency: 2 }, createReplayEventsHandler({ database, jobs }))
  await jobs.work(relabelFilesJob, { concurrency: 1 }, createRelabelFilesHandler({ database, publicUrl }))
  const keepHouse = createHousekeepingHandler({
    ...files,
    staging: services.staging,
    jobs,
    retentionDays,
  })
  await jobs.work(housekeepingJob, { concurrency: 1 }, async () => {
    await dropOldRows(database, config)
    await forgetDeletedUsers(database, retentionDays)
    await dropOldSignIns(database, config)
    await dropUsedStates(database)
    await dropOldAuditEntries(database, config.auditRetentionDays)
    await dropAbandonedPictureRequests(database)
    await purgePlaylists(database, retentionDays)
    await purgeLiveStreams(database)
    await dropOldLiveLog(database, config.eventRetentionDays)
    await dropFailedBroadcasts(database, config.eventRetentionDays)
    await dropOldEvents(database, config.eventRetentionDays)
    await dropOldHours(database)
    await dropOldInspectedRequests(database)
    await resumeReplays(database, jobs)
    await keepHouse()
  })
  await jobs.schedule(housekeepingJob, housekeepingCron)
  await jobs.work(noteUsageJob, { concurrency: 1 }, () => noteUsage(database))
  await jobs.schedule(noteUsageJob, noteUsageCron)
  // A new installation has usage data on its first day.
  await jobs.enqueue(database.kysely, noteUsageJob, {}, { key: 'start' })
  const mover = startMediaMover(services)
  const releases = startReleaseAnnouncer({ database, log })
  const health = config.workerPort === 0 ? null : await startHealthServer(services, config.workerPort)
  return {
    stop: async (graceMs) => {
      // All stop in parallel, shortly before the supervisor kills the process.
      const ownGraceMs = Math.max(0, graceMs - supervisorMarginMs)
      await Promise.all([
        health?.stop(ownGraceMs),
        mover.stop(ownGraceMs),
        releases.stop(),
        engine.stop({ graceMs: ownGraceMs }),
        jobs.stop({ graceMs: ownGraceMs }),
      ])
      await agent.close()
      await sources.release()
      await rm(files.workFolder, { recursive: true, force: true })
    },
  }
}
