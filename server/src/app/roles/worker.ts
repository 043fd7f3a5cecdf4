import { join } from 'node:path'
import { evaluateAlertsCron, evaluateAlertsJob } from '../../analytics/alerts/evaluate-alerts-job.ts'
import { evaluateAlerts } from '../../analytics/alerts/evaluate-alerts.ts'
import { countRemoteSlots } from '../../ingest/encoding/remote/remote-worker-store.ts'
import { askForLeftChunks } from '../../ingest/encoding/remote/ask-for-local.ts'
import { watchLeases } from '../../ingest/encoding/remote/release-expired-leases.ts'
import { startViewJobs } from '../../analytics/start-view-jobs.ts'
import { relabelFilesJob } from '../../library/catalog/catalog-jobs.ts'
import { chunkLengths } from '../../ingest/encoding/chunks/begin-chunks.ts'
import { createCutClipHandler } from '../../ingest/encoding/handlers/cut-clip-handler.ts'
import { createDrawLogoHandler } from '../../ingest/encoding/handlers/draw-logo-handler.ts'
import { createEncodeLadderHandler } from '../../ingest/encoding/handlers/encode-ladder-handler.ts'
import { createGiveUpFileHandler } from '../../ingest/encoding/handlers/give-up-file-handler.ts'
import { startLadderFill } from '../../ingest/encoding/on-demand/fill-ladders.ts'
import {
  createMakeChunksHandler,
  makeChunksConcurrency,
} from '../../ingest/encoding/on-demand/make-chunks-handler.ts'
import { releaseOrphanedChunks } from '../../ingest/encoding/on-demand/claims/chunk-claims.ts'
import { createMakePictureHandler } from '../../ingest/encoding/handlers/make-picture-handler.ts'
import { createMakeStoryboardHandler } from '../../ingest/encoding/handlers/make-storyboard-handler.ts'
import { createProcessFileHandler } from '../../ingest/encoding/handlers/process-file-handler.ts'
import { createRemuxInFlightUploadHandler } from '../../ingest/play-while-uploading/remux-in-flight-upload-handler.ts'
import { createShowInFlightUploadHandler } from '../../ingest/play-while-uploading/show-in-flight-upload-handler.ts'
import {
  cutClipJob,
  encodeLadderJob,
  makeChunksJob,
  giveUpFileJob,
  giveUpPullJob,
  makeStoryboardJob,
  processFileJob,
  pullFileJob,
  purgeFileJob,
  remuxInFlightUploadJob,
  showInFlightUploadJob,
} from '../../library/files/queue/file-jobs.ts'
import { startReleaseAnnouncer } from '../../library/files/jobs/announce-releases.ts'
import { createInFlightUploads } from '../../library/files/media/in-flight-uploads.ts'
import { createProjectFilesHandler } from '../../library/files/jobs/project-files-handler.ts'
import { createPurgeFilesHandler, purgesPerBatch } from '../../library/files/jobs/purge-file-handler.ts'
import { createRelabelFilesHandler } from '../../library/files/jobs/relabel-files-handler.ts'
import { createMovePlaylists } from '../../library/playlists/move-playlists.ts'
import { createTouchPlaylists } from '../../library/playlists/touch-playlists.ts'
import { projectFilesJob } from '../../library/projects/project-jobs.ts'
import { keepLocalFiles } from '../../platform/blobs/keep-local-files.ts'
import { startAuditForwarder } from '../../accounts/audit/syslog/forward-audit-log.ts'
import { createGuardedAgent } from '../../platform/outbound/guarded-agent.ts'
import { drawLogoJob } from '../../library/pictures/logo/logo-job.ts'
import { makePictureJob } from '../../library/pictures/picture-job.ts'
import { housekeepingCron, housekeepingJob, keepHouse } from '../../platform/jobs/housekeeping.ts'
import {
  createGiveUpPullHandler,
  createPullFileHandler,
  pullLimits,
} from '../../ingest/uploads/pull/pull-file-handler.ts'
import { recordUsage, recordUsageCron, recordUsageJob } from '../../library/usage/usage-days.ts'
import { startDeliveryEngine } from '../../notifications/webhooks/engine/delivery-engine.ts'
import { createReplayEventsHandler } from '../../notifications/webhooks/replay/replay-events-handler.ts'
import { replayEventsJob } from '../../notifications/webhooks/replay/replay-job.ts'
import { housekeepingTasks } from './housekeeping.ts'
import { startMediaMover } from './media-mover.ts'
import { limitSecrets } from './process-keys.ts'
import { sendMailJob } from '../../platform/mail/mail-queue.ts'
import { createSendMailHandler } from '../../platform/mail/send-mail-handler.ts'
import type { RunningRole } from './running-role.ts'
import { startHealthServer } from '../health/health-routes.ts'
import { createInstallationRegistry } from '../health/installation-registry.ts'
import { openUploadStagings, type Services } from './services.ts'
import { openWorkFolder } from './work-folder/open-work-folder.ts'

/** Several files can become playable while a ladder is encoded: users wait for the first rung. */
const firstStepConcurrency = 2
/** Users wait for pictures. */
const pictureConcurrency = 2
/** Pulls wait for the network, not for the machine: one slow server must not block the others. */
const pullConcurrency = 8
/** These jobs wait for senders and copy. A file without a free slot plays once its upload is complete. */
const tailConcurrency = 2
const supervisorMarginMs = 2_000

export const startWorker = async (services: Services): Promise<RunningRole> => {
  const { config, database, blobs, jobs, log } = services
  const { publicUrl, retentionDays } = config
  const { workers: secrets } = limitSecrets('worker', services.secrets)
  const stagings = await openUploadStagings(services)
  // The embedded database serves one tree with one worker, so jobs that started before this worker are
  // orphaned.
  if (config.embeddedConnection !== null) {
    await jobs.releaseOrphans()
    await releaseOrphanedChunks(database)
  }
  const workFolder = await openWorkFolder(join(config.dataFolder, 'work'), {
    isOnlyWorker: config.embeddedConnection !== null,
    log,
  })
  const files = { database, blobs, jobs, publicUrl, log, workFolder: workFolder.path }
  const agent = createGuardedAgent({
    allowCidrs: config.outboundAllowCidrs,
    isHttpAllowed: config.isOutboundHttpAllowed,
  })
  const sources = keepLocalFiles(blobs)
  const chunkSources = keepLocalFiles(blobs)
  const inFlightUploads = createInFlightUploads(database, stagings.disk.path)
  const engine = await startDeliveryEngine({
    database,
    mails: services.mails,
    secrets,
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
      inFlightUploads,
      maxDurationSeconds: config.maxDurationSeconds,
    }),
  )
  await jobs.work(
    encodeLadderJob,
    // The job also plans chunks and joins them.
    { concurrency: Math.max(1, config.encoderConcurrency) },
    createEncodeLadderHandler({
      ...files,
      blobs: sources.blobs,
      chunking: {
        ...chunkLengths,
        countEncoders: async (where) =>
          (await jobs.countWorkers(where)) * Math.max(1, config.encoderConcurrency),
        countRemoteEncoders: () => countRemoteSlots(database.kysely),
        isRemoteOnly: config.encoderConcurrency === 0,
      },
    }),
  )
  if (config.onDemandEncoders > 0)
    await jobs.work(
      makeChunksJob,
      { concurrency: makeChunksConcurrency(config.onDemandEncoders) },
      createMakeChunksHandler(
        { ...files, blobs: chunkSources.blobs },
        { encoderCount: config.onDemandEncoders, areSourcesHere: config.storage === 'disk' },
      ),
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
      stagings,
      jobs,
      agent,
      secrets,
      maxSizeBytes: config.uploadMaxBytes,
      limits: pullLimits,
    }),
  )
  await jobs.work(
    showInFlightUploadJob,
    { concurrency: 1 },
    createShowInFlightUploadHandler({
      database,
      jobs,
      publicUrl,
      inFlightUploads,
      maxDurationSeconds: config.maxDurationSeconds,
    }),
  )
  await jobs.work(
    remuxInFlightUploadJob,
    { concurrency: tailConcurrency },
    createRemuxInFlightUploadHandler({
      database,
      publicUrl,
      inFlightUploads,
      maxDurationSeconds: config.maxDurationSeconds,
      maxSizeBytes: config.uploadMaxBytes,
    }),
  )
  await jobs.work(
    giveUpPullJob,
    { concurrency: 1 },
    createGiveUpPullHandler({ database, publicUrl, stagings }),
  )
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
      movePlaylists: createMovePlaylists(publicUrl),
    }),
  )
  await jobs.workInBatches(
    purgeFileJob,
    { batchSize: purgesPerBatch },
    createPurgeFilesHandler({ database, blobs }),
  )
  await jobs.work(replayEventsJob, { concurrency: 2 }, createReplayEventsHandler({ database, jobs }))
  await jobs.work(relabelFilesJob, { concurrency: 1 }, createRelabelFilesHandler({ database, publicUrl }))
  const smtp =
    config.smtp === null
      ? null
      : (await import('../../platform/mail/smtp-client.ts')).createSmtpClient(config.smtp)
  await jobs.work(
    sendMailJob,
    { concurrency: 2 },
    createSendMailHandler({ database, sealer: secrets, log, smtp }),
  )
  await jobs.work(housekeepingJob, { concurrency: 1 }, () =>
    keepHouse(housekeepingTasks({ ...services, stagings })),
  )
  await jobs.schedule(housekeepingJob, housekeepingCron)
  const viewJobs = await startViewJobs(services)
  await jobs.work(evaluateAlertsJob, { concurrency: 1 }, async () => {
    if (config.isAnalyticsOn) await evaluateAlerts(database)
  })
  await jobs.schedule(evaluateAlertsJob, evaluateAlertsCron)
  await jobs.work(recordUsageJob, { concurrency: 1 }, () => recordUsage(database))
  await jobs.schedule(recordUsageJob, recordUsageCron)
  // Gives a new installation usage data on its first day.
  await jobs.enqueue(database.kysely, recordUsageJob, {}, { key: 'start' })
  const mover = startMediaMover(services)
  const filling =
    config.onDemandEncoders > 0 ? startLadderFill({ ...files, blobs: chunkSources.blobs }) : null
  const isRemoteOnly = config.encoderConcurrency === 0
  if (!isRemoteOnly) await askForLeftChunks(database, jobs)
  const leases = watchLeases({ database, jobs, log }, { isRemoteOnly })
  const releases = startReleaseAnnouncer({ database, log })
  const auditForwarder =
    config.auditSyslog === null
      ? null
      : startAuditForwarder({
          database,
          log,
          target: config.auditSyslog,
          caFile: config.auditSyslogCaFile,
          host: new URL(publicUrl).hostname,
        })
  const installation = createInstallationRegistry(services)
  const health =
    config.workerPort === 0
      ? null
      : await startHealthServer(services, config.workerPort, [installation.registry])
  return {
    stop: async (graceMs) => {
      // All stop in parallel, shortly before the supervisor kills the process.
      const ownGraceMs = Math.max(0, graceMs - supervisorMarginMs)
      health?.readiness.stop()
      await Promise.all([
        installation.release(),
        mover.stop(ownGraceMs),
        releases.stop(),
        leases.stop(),
        filling?.stop(),
        auditForwarder?.stop(),
        engine.stop({ graceMs: ownGraceMs }),
        jobs.stop({ graceMs: ownGraceMs }),
      ])
      await health?.stop()
      smtp?.close()
      await agent.close()
      await sources.release()
      await chunkSources.release()
      await viewJobs.close()
      await workFolder.remove()
    },
  }
}
