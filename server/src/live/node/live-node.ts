import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { diskNameOf } from '../../library/files/media/disk-name.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { sweepFolder } from '../../platform/blobs/durable-files.ts'
import type { Database } from '../../platform/db/database.ts'
import { newId } from '../../platform/base/ids.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import { logFailures } from '../../platform/log/log-failures.ts'
import type { OutboundOptions } from '../../platform/outbound/outbound-policy.ts'
import type { Secrets } from '../../platform/base/secrets.ts'
import { nodeTokenOf } from '../control/nodes/node-token.ts'
import { createLiveAccess } from '../../playback/live/live-access.ts'
import type { PlayoutTokens } from '../../playback/access/playout-token.ts'
import { createAdmissions } from './ingest/admission/admit-publisher.ts'
import { askNode } from './cluster/ask-node.ts'
import { createDatabaseClock } from './cluster/database-clock.ts'
import { createLease } from './cluster/lease.ts'
import { createBroadcastStore } from './cluster/broadcast-store.ts'
import { createControlHandlers } from './control-handlers.ts'
import { startControlServer } from './control-server.ts'
import { createLiveDelivery } from './delivery/live-delivery.ts'
import { createDatabaseJournals } from './outputs/dvr/database-journals.ts'
import { DvrDisk } from './outputs/dvr/dvr-disk.ts'
import { leastFreeBytes } from './outputs/free-bytes.ts'
import { createLadderSlots, usualLadderSlots } from './outputs/ladder/ladder-slots.ts'
import { createLiveMetrics } from './live-metrics.ts'
import { createBroadcasts } from './broadcast/broadcasts.ts'
import { heartbeatMs, removeNode, writeHeartbeat } from './cluster/node-row.ts'
import { openIngest, takenPort, type IngestPorts } from './ingest/open-ingest.ts'
import { createReconciliation } from './reconcile.ts'
import { createPosters } from './outputs/poster/create-posters.ts'
import { openRecordings } from './outputs/recording/recordings.ts'
import { createOwnershipGuard } from './cluster/ownership-guard.ts'
import { isProcessRunning, removeFoldersOfKilled, showProcess } from './cluster/process-sign.ts'
import { createRecovery } from './cluster/recover-broadcasts.ts'
import { createOutputFactory } from './output-factory.ts'
import { resetTargetStates } from './outputs/simulcast/target-states.ts'
import { createSources } from './ingest/create-sources.ts'

export interface LiveNodeOptions {
  readonly database: Database
  readonly secrets: Secrets
  readonly tokens: PlayoutTokens
  readonly blobs: BlobStore
  readonly jobs: Jobs
  readonly log: Log
  /** URL of the installation, used in records. */
  readonly publicUrl: string
  readonly dataFolder: string
  readonly ingest: IngestPorts & {
    /** 0 disables it. */
    readonly srtPort: number
  }
  readonly outbound: OutboundOptions
  /** CIDR networks of the proxies between this node and its viewers. */
  readonly trustedProxies: readonly string[]
  /** Null listens on a free loopback port. */
  readonly url: string | null
  /** URL at which viewers reach this node directly. */
  readonly ownPublicUrl: string | null
  readonly maxStreams: number
  /** 0 = no limit. */
  readonly maxStreamsPerAccount: number
  /** Null derives the limit from the number of cores. */
  readonly maxLadders: number | null
  readonly dvrBytes: number
  readonly dvrStorage: 'disk' | 'media'
  readonly recordingStorage: 'disk' | 'media'
  readonly recordingMaxHours: number
  /** Id of the process that started this one and sees it end; null without one. */
  readonly supervisorId: string | null
}

export interface LiveNode {
  readonly id: string
  readonly url: string
  readonly metrics: Registry
  readonly stop: (graceMs: number) => Promise<void>
}

const lookMs = 1_000
/** Viewers wait for the end of the lease of a lost node, and for this. */
const sweepMs = 250
/** Shorter than the time after which housekeeping deletes what ended broadcasts and recordings have left in the media storage. */
const mediaLeaseMs = 60_000
const dvrSweepMs = 60_000
/**
 * Longer than any broadcast is likely to last: a younger folder may belong to another node on the same disk.
 */
const abandonedMs = 7 * 86_400_000

const openWorkFolder = async (parent: string, name: string): Promise<string> => {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  await sweepFolder(parent, abandonedMs)
  await removeFoldersOfKilled(parent)
  const folder = join(parent, name)
  await mkdir(folder, { mode: 0o700 })
  return folder
}

/** Starts a node that accepts streams, packages them and serves them to viewers until it is stopped. */
export const startLiveNode = async (options: LiveNodeOptions): Promise<LiveNode> => {
  const { database, secrets, log, publicUrl, maxStreams, maxStreamsPerAccount } = options
  const nodeId = newId()
  const clock = createDatabaseClock()
  const { now } = clock
  const stored = { database, nodeId, publicUrl }
  const folder = join(options.dataFolder, 'live')
  const disk = await diskNameOf(options.dataFolder)
  const workFolder = await openWorkFolder(join(folder, 'work'), nodeId)
  const dvrDisk = new DvrDisk({
    folder: join(folder, 'dvr'),
    name: disk,
    maxBytes: options.dvrBytes,
    leastFreeBytes,
    // Compares it with times of files.
    now: Date.now,
    log,
  })
  await dvrDisk.sweep()
  const journals = createDatabaseJournals({ database, nodeId, log })
  const sign = await showProcess(join(folder, 'work'), nodeId, log)
  // A lease must not last longer because the clock of this machine is set back.
  let beatAtMs = performance.now()
  const mayWriteMedia = (): boolean => performance.now() - beatAtMs < mediaLeaseMs
  const recordings = await openRecordings({
    ...options,
    folder: join(folder, 'recordings'),
    nodeId,
    maxHours: options.recordingMaxHours,
    storage: options.recordingStorage,
    mayWrite: mayWriteMedia,
    isRunningHere: (otherId) => isProcessRunning(join(folder, 'work'), otherId),
  })
  const posters = createPosters({ database, workFolder, log, now })
  const slots = createLadderSlots(options.maxLadders ?? usualLadderSlots())
  const token = nodeTokenOf(secrets)
  const ownership = createOwnershipGuard(() => reconciliation.syncAll(), Date.now)
  const broadcasts = createBroadcasts({
    store: createBroadcastStore(stored),
    ...createOutputFactory({ ...options, now, dvrDisk, journals, mayWriteMedia, recordings, posters, slots }),
    checkOwnership: ownership.check,
    log,
    now,
  })
  let steadySinceMs = performance.now()
  const recovery = createRecovery({
    ...stored,
    disk,
    isThere: async (other) => (await askNode(other, token)).isThere,
    steadySinceMs: () => steadySinceMs,
    now: () => performance.now(),
    log,
  })
  const { isLost, others } = recovery
  const lease = createLease({ others, ask: (other) => askNode(other, token), now: () => performance.now() })
  const admissions = createAdmissions({
    ...stored,
    broadcasts,
    maxStreams,
    maxStreamsPerAccount,
    isLost,
    hasLease: lease.isCurrent,
    log,
    now,
  })
  const reconciliation = createReconciliation({ ...stored, broadcasts, admissions, log })
  const delivery = createLiveDelivery({
    channels: broadcasts,
    access: createLiveAccess(database, options.tokens),
    findPoster: posters.find,
    mayBeLost: lease.mayBeLost,
    nodeId,
    token,
    publicUrl,
    ownPublicUrl: options.ownPublicUrl,
    trustedProxies: options.trustedProxies,
    log,
    wallClock: now,
  })
  const control = await startControlServer({
    token,
    handlers: createControlHandlers({
      nodeId,
      hasLease: lease.isCurrent,
      broadcasts,
      reconciliation,
      delivery,
      recordings,
      now,
    }),
    onOther: delivery.handle,
    log,
    url: options.url,
    host: options.ingest.host,
  })
  const { ownPublicUrl, supervisorId } = options
  const node = { id: nodeId, url: control.url, publicUrl: ownPublicUrl, disk, supervisorId }

  /** What is live must not jump in time. */
  const setClock = (seenAt: Date, askedAtMs: number): void =>
    clock.set(seenAt.getTime(), askedAtMs, { mayJump: broadcasts.all().length === 0 })
  const askedAtMs = performance.now()
  setClock(await writeHeartbeat(database, node), askedAtMs)
  lease.renew(askedAtMs)
  await recovery.begin()
  await resetTargetStates(database)
  await reconciliation.syncAll()
  const { host, srtPort, connectionsPerAddress } = options.ingest
  const sources = await createSources({
    ...options,
    nodeId,
    admissions,
    liveProjectIds: () => broadcasts.all().map(({ stream }) => stream.project_id),
    srt: srtPort === 0 ? null : { host, port: srtPort, connectionsPerAddress },
    workFolder,
  })
  const ingest = await openIngest({ ...options.ingest, admissions, log })

  let isSteady = false
  const beat = async (): Promise<void> => {
    const srtPorts = takenPort('srt', srtPort, sources.waitingForSrtSinceMs())
    const beganAtMs = performance.now()
    setClock(await writeHeartbeat(database, node, [...ingest.takenPorts(), ...srtPorts]), beganAtMs)
    lease.renew(beganAtMs)
    isSteady = performance.now() - beatAtMs < 2.5 * heartbeatMs
    if (!isSteady) steadySinceMs = performance.now()
    beatAtMs = performance.now()
  }
  const takeOverLost = async (): Promise<void> => {
    // After an outage in which no node could write, missing heartbeats of other nodes prove nothing yet.
    if (!isSteady || performance.now() - beatAtMs > 2 * heartbeatMs) return
    if ((await recovery.sweep()) > 0) await reconciliation.syncAll()
  }
  const stopping = new AbortController()
  const every = async (ms: number, failure: string, work: () => Promise<unknown>): Promise<void> => {
    const run = logFailures(log, failure, work)
    for (;;) {
      await delay(ms, null, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      await run()
    }
  }
  const loops = [
    every(heartbeatMs, 'cannot send the heartbeat of the live node', beat),
    every(heartbeatMs, 'cannot ask the other live nodes', lease.check),
    every(sweepMs, 'cannot take over the streams of other live nodes', takeOverLost),
    every(lookMs, 'cannot compare live streams with their settings', reconciliation.syncAll),
    every(lookMs, 'cannot check the pulls of live streams', sources.sync),
    every(dvrSweepMs, 'cannot clean up DVR windows', () => dvrDisk.sweep()),
    // Runs apart from the other loops, which may wait for the database.
    every(lookMs, 'cannot check live streams', async () => {
      for (const broadcast of broadcasts.all()) {
        try {
          broadcast.tick()
        } catch (error) {
          log.error({ err: error, projectId: broadcast.stream.project_id }, 'cannot check a live stream')
        }
      }
    }),
  ]

  return {
    id: nodeId,
    url: control.url,
    metrics: createLiveMetrics({ broadcasts, delivery, slots, sentBytes: control.sentBytes }),
    stop: async (graceMs) => {
      stopping.abort()
      ownership.stop()
      ingest.stopListening()
      admissions.close()
      const isOver = broadcasts.shutdown(graceMs)
      await Promise.all([sources.stop(), ingest.close(), isOver, ...loops])
      await journals.stop()
      await recordings.stop()
      await posters.stop()
      await delivery.close()
      control.close()
      await removeNode(database, nodeId).catch((error: unknown) =>
        log.warn({ err: error }, 'cannot delete the row of the live node'),
      )
      sign.remove()
      await rm(workFolder, { recursive: true, force: true })
    },
  }
}
