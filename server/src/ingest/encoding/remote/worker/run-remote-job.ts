import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MediaError } from '@zoetrope/ffmpeg'
import { StorageFullError } from '../../../../platform/blobs/blob-store.ts'
import { errorCodeOf } from '../../../../platform/blobs/durable-files.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { runChunk } from '../../chunks/run-chunk.ts'
import type { RemoteJob } from '../remote-task.ts'
import { lendSource } from './lend-source.ts'
import { isFaultOfMedia } from '../../encode/faults.ts'
import { RefusedByServer, type JobConnection } from './server-connection.ts'

interface JobRun {
  readonly connection: JobConnection
  readonly workFolder: string
  readonly slots: number
  readonly signal: AbortSignal
  readonly log: Log
}

/** The segments of this ffmpeg do not fit those of the server. */
class OtherEncoder extends Error {}

const otherEncoder =
  'Its ffmpeg produces other decoder settings than the ffmpeg of the server. Install the same version of ffmpeg.'

/** Several renewals fit into a lease, so that a lost one does no harm. */
const renewalsPerLease = 4

/** Encodes one chunk and delivers it. Reports a failure to the server instead of throwing it. */
export const runRemoteJob = async (
  job: RemoteJob,
  { connection, workFolder, slots, signal, log }: JobRun,
): Promise<void> => {
  const folder = join(workFolder, `job-${job.Claim}`)
  const lost = new AbortController()
  const current = AbortSignal.any([signal, lost.signal])
  const lease = keepLease(job, connection, current, () => lost.abort())
  const startedMs = performance.now()
  try {
    await mkdir(folder)
    await runChunk(
      job.Task,
      {
        withInput: lendSource(job, connection, { folder: workFolder, signal: current }),
        // The server has stored the init segments of its own encoder.
        putInit: async () => {},
        putSegment: (output, index, data) =>
          connection.putSegment(output, index, Buffer.concat(data), current),
        report: lease.report,
        checkTrack: (output, { initSegment }) => {
          const found = createHash('sha256').update(initSegment).digest('base64')
          if (job.InitHashes[output] !== found) throw new OtherEncoder(otherEncoder)
        },
      },
      { workFolder: folder, signal: current, encodersHere: slots },
    )
    await connection.done(current)
    log.info({ claim: job.Claim, durationMs: Math.round(performance.now() - startedMs) }, 'chunk delivered')
  } catch (error) {
    await giveBack(error, {
      connection,
      isLost: lost.signal.aborted,
      isStopping: signal.aborted,
      log,
      claim: job.Claim,
    })
  } finally {
    lease.stop()
    // A renewal can still be retrying.
    lost.abort()
    await rm(folder, { recursive: true, force: true })
  }
}

const giveBack = async (
  error: unknown,
  {
    connection,
    isLost,
    isStopping,
    log,
    claim,
  }: {
    readonly connection: JobConnection
    readonly isLost: boolean
    readonly isStopping: boolean
    readonly log: Log
    readonly claim: string
  },
): Promise<void> => {
  if (isLost) return log.warn({ claim }, 'the server has ended the job')
  if (isStopping) return connection.release().catch(() => {})
  log.warn({ claim, err: error }, 'chunk not encoded')
  await connection.failed(reasonOf(error), isSourceAtFault(error)).catch(() => {})
}

const isDiskFull = (error: unknown): boolean =>
  error instanceof StorageFullError ||
  (error instanceof MediaError && error.code === 'disk_full') ||
  errorCodeOf(error) === 'ENOSPC'

/** The operator reads it on the server, where "the disk" would be another one. */
export const reasonOf = (error: unknown): string =>
  isDiskFull(error)
    ? 'The disk with the work folder of the worker is full. Free some space there.'
    : (error as Error).message

/** bubblewrap fails before it starts ffmpeg, for example because the work folder is gone. */
const isSandboxAtFault = (error: unknown): boolean =>
  error instanceof MediaError && error.details.startsWith('bwrap: ')

/** Whether the source may be at fault. Other failures count against the worker, which the server then pauses. */
export const isSourceAtFault = (error: unknown): boolean =>
  // A second run with the whole source may produce other segments than the first one delivered.
  (isFaultOfMedia(error) && !isSandboxAtFault(error)) || error instanceof RefusedByServer

const keepLease = (
  { LeaseSeconds: leaseSeconds }: RemoteJob,
  connection: JobConnection,
  signal: AbortSignal,
  onLost: () => void,
): { readonly report: (doneSeconds: number) => void; readonly stop: () => void } => {
  let doneSeconds = 0
  let isRenewing = false
  const timer = setInterval(
    () => {
      if (isRenewing) return
      isRenewing = true
      connection
        .renew(doneSeconds, signal)
        .then((isHeld) => {
          if (!isHeld) onLost()
        })
        .catch((error: unknown) => {
          if (error instanceof RefusedByServer) onLost()
        })
        .finally(() => {
          isRenewing = false
        })
    },
    (leaseSeconds * 1_000) / renewalsPerLease,
  )
  return {
    report: (seconds) => {
      doneSeconds = Math.max(doneSeconds, seconds)
    },
    stop: () => clearInterval(timer),
  }
}
