import type { Database } from '../../../platform/db/database.ts'
import { createAllowedAddresses } from '../../../platform/outbound/allowed-addresses.ts'
import { createGuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { createGuardedDialler } from '../../../platform/outbound/guarded-dialler.ts'
import { createOutboundPolicy, type OutboundOptions } from '../../../platform/outbound/outbound-policy.ts'
import { createNameResolver } from '../../../platform/outbound/resolve-name.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'
import type { Admissions } from './admission/admit-publisher.ts'
import type { PullDoors, PullKind } from './pulls/open-pull.ts'
import { leasePulls, releasePull, releasePulls, type LeasedStream } from './pulls/pull-leases.ts'
import { runPull } from './pulls/run-pull.ts'
import { createLogToStream } from './sources/source-log.ts'
import type { SrtFront } from './srt/srt-front.ts'
import { openSrtIngest } from './srt/srt-ingest.ts'

export interface SourcesOptions {
  readonly database: Database
  readonly secrets: Secrets
  readonly nodeId: string
  readonly admissions: Pick<Admissions, 'toProject'>
  readonly outbound: OutboundOptions
  /** Null disables SRT. */
  readonly srt: {
    readonly host: string
    readonly port: number
    readonly connectionsPerAddress: number
  } | null
  /** Limit of the SRT callers, and of the pulls together with all other broadcasts. */
  readonly maxStreams: number
  /** 0 = no limit. */
  readonly maxStreamsPerAccount: number
  /** Projects with a broadcast on this node. */
  readonly liveProjectIds: () => readonly number[]
  /** Existing folder for processes. */
  readonly workFolder: string
  readonly log: Log
}

/** Sources of this node over protocols other than RTMP push. */
export interface Sources {
  /** UDP port of SRT; null when it is not open. */
  readonly srtPort: () => number | null
  /** Start of the wait for that port, in milliseconds since 1970; null when not waiting. */
  readonly waitingForSrtSinceMs: () => number | null
  /** Starts and stops pulls according to the rows. Must be called about once a second. */
  readonly sync: () => Promise<void>
  readonly stop: () => Promise<void>
}

interface RunningPull {
  readonly kind: PullKind
  readonly uri: string
  readonly abort: AbortController
  readonly done: Promise<void>
}

export const createSources = async (options: SourcesOptions): Promise<Sources> => {
  const { database, secrets, nodeId, log, maxStreams, maxStreamsPerAccount, liveProjectIds } = options
  const logToStream = createLogToStream(database, log)
  const agent = createGuardedAgent(options.outbound)
  const allowedAddresses = createAllowedAddresses(
    createOutboundPolicy(options.outbound),
    createNameResolver(),
  )
  const dial = createGuardedDialler(allowedAddresses)
  const doors: PullDoors = { agent, allowedAddresses, dial, workFolder: options.workFolder }
  const pulls = new Map<number, RunningPull>()
  let isStopped = false
  let syncing: Promise<void> = Promise.resolve()

  let srt: SrtFront | null = null
  let waitingForSrtSinceMs: number | null = null
  /** A port in use does not prevent the rest from working, and is tried again. */
  const openSrt = async (): Promise<void> => {
    if (srt !== null || options.srt === null) return
    try {
      srt = await openSrtIngest({ ...options, ...options.srt, logToStream })
      if (waitingForSrtSinceMs !== null) log.info({ port: srt.port }, 'SRT ingest is listening')
      waitingForSrtSinceMs = null
    } catch (error) {
      if (waitingForSrtSinceMs === null)
        log.warn({ err: error, port: options.srt.port }, 'cannot listen on the SRT port; retrying')
      waitingForSrtSinceMs ??= Date.now()
    }
  }
  await openSrt()

  const begin = (stream: LeasedStream, uri: string): void => {
    const abort = new AbortController()
    const onError = (error: unknown): void =>
      log.error({ err: error, projectId: stream.project_id }, 'cannot pull a stream')
    const kind = stream.current_kind as PullKind
    const release = () => releasePull(database, nodeId, stream.project_id)
    const pull = { ...options, stream, kind, uri, doors, logToStream, release, onError }
    const done = runPull(pull, abort.signal).catch(onError)
    pulls.set(stream.project_id, { kind, uri, abort, done })
  }

  const syncNow = async (): Promise<void> => {
    if (isStopped) return
    await openSrt()
    const wanted = new Map<number, { stream: LeasedStream; uri: string | null }>()
    const limits = { maxStreams, maxStreamsPerAccount, liveProjectIds: liveProjectIds() }
    for (const stream of await leasePulls(database, nodeId, limits))
      wanted.set(stream.project_id, {
        stream,
        uri:
          stream.sealed_source_uri === null
            ? null
            : secrets.liveNodes.open(stream.sealed_source_uri).toString(),
      })
    for (const [projectId, { kind, uri, abort, done }] of pulls) {
      const still = wanted.get(projectId)
      // The address in the row belongs to another type, which waits for the next broadcast.
      const keepsAddress = still !== undefined && still.stream.kind !== kind
      if (still?.stream.current_kind === kind && (keepsAddress || still.uri === uri)) continue
      abort.abort()
      await done
      pulls.delete(projectId)
    }
    if (isStopped) return
    for (const [projectId, { stream, uri }] of wanted)
      if (uri !== null && !pulls.has(projectId)) begin(stream, uri)
  }

  return {
    srtPort: () => srt?.port ?? null,
    waitingForSrtSinceMs: () => waitingForSrtSinceMs,
    sync: () => {
      syncing = syncing.catch(() => {}).then(syncNow)
      return syncing
    },
    stop: async () => {
      isStopped = true
      await syncing.catch(() => {})
      for (const { abort } of pulls.values()) abort.abort()
      await Promise.all([srt?.close(), ...[...pulls.values()].map(({ done }) => done)])
      await releasePulls(database, nodeId).catch((error: unknown) =>
        log.warn({ err: error }, 'cannot release the pulls of this node; other nodes must wait'),
      )
      await agent.close()
    },
  }
}
