import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createEncodeLadderHandler } from '../encoding/encode-ladder-handler.ts'
import { createGiveUpFileHandler } from '../encoding/give-up-file-handler.ts'
import { createProcessFileHandler } from '../encoding/process-file-handler.ts'
import { encodeLadderJob, giveUpFileJob, processFileJob, purgeFileJob } from '../files/file-jobs.ts'
import { createPurgeFileHandler } from '../files/purge-file-handler.ts'
import { createGuardedAgent } from '../kernel/outbound/guarded-agent.ts'
import { createHousekeepingHandler, housekeepingCron, housekeepingJob } from '../uploads/housekeeping.ts'
import { startDeliveryEngine } from '../webhooks/delivery-engine.ts'
import type { RunningRole } from './running-role.ts'
import { startHealthServer } from './health-routes.ts'
import type { Services } from './services.ts'

/** A folder of this process for temporary files; those of processes that are gone are removed. */
const openWorkFolder = async (parent: string): Promise<string> => {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  for (const name of await readdir(parent))
    if (!isRunning(Number(name))) await rm(join(parent, name), { recursive: true, force: true })
  const folder = join(parent, String(process.pid))
  await mkdir(folder, { recursive: true })
  return folder
}

const isRunning = (pid: number): boolean => {
  if (pid === process.pid || !Number.isInteger(pid)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Several files may be made playable at once while a ladder is encoded: what somebody waits for goes first. */
const firstStepConcurrency = 2
const supervisorMarginMs = 2_000

/** Takes jobs and delivers webhooks until it is stopped. */
export const startWorker = async (services: Services): Promise<RunningRole> => {
  const { config, database, blobs, jobs, log } = services
  const { publicUrl, retentionDays } = config
  // The embedded database serves one tree with one worker: what was under way before this one started is nobody's any more.
  if (config.embeddedConnection !== null) await jobs.releaseOrphans()
  const files = {
    database,
    blobs,
    publicUrl,
    log,
    workFolder: await openWorkFolder(join(config.dataFolder, 'work')),
  }
  const agent = createGuardedAgent({
    allowCidrs: config.outboundAllowCidrs,
    isHttpAllowed: config.isOutboundHttpAllowed,
  })
  const engine = await startDeliveryEngine({ database, secrets: services.secrets, agent, log })
  await jobs.work(
    processFileJob,
    { concurrency: firstStepConcurrency },
    createProcessFileHandler({ ...files, jobs, maxDurationSeconds: config.maxDurationSeconds }),
  )
  await jobs.work(
    encodeLadderJob,
    { concurrency: config.encoderConcurrency },
    createEncodeLadderHandler(files),
  )
  await jobs.work(giveUpFileJob, { concurrency: 1 }, createGiveUpFileHandler(files))
  await jobs.work(purgeFileJob, { concurrency: 1 }, createPurgeFileHandler({ database, blobs }))
  await jobs.work(
    housekeepingJob,
    { concurrency: 1 },
    createHousekeepingHandler({
      ...files,
      staging: services.staging,
      jobs,
      retentionDays,
      eventRetentionDays: config.eventRetentionDays,
    }),
  )
  await jobs.schedule(housekeepingJob, housekeepingCron)
  const health = config.workerPort === 0 ? null : await startHealthServer(services, config.workerPort)
  return {
    stop: async (graceMs) => {
      // Together, and a little before the supervisor loses its patience.
      const ownGraceMs = Math.max(0, graceMs - supervisorMarginMs)
      await Promise.all([
        health?.stop(ownGraceMs),
        engine.stop({ graceMs: ownGraceMs }),
        jobs.stop({ graceMs: ownGraceMs }),
      ])
      await agent.close()
      await rm(files.workFolder, { recursive: true, force: true })
    },
  }
}
