import { resolve } from 'node:path'
import { checkIndex } from './check-index.ts'
import { errorOfExit } from '../run/describe-exit.ts'
import { startGuarded } from '../run/guarded-process.ts'
import { identityOf, keepProbe, knownProbe } from './known-probes.ts'
import { looksLikeMedia } from './looks-like-media.ts'
import { explainFailure, MediaError, mediaMessage } from '../run/media-error.ts'
import { parseProbe } from './parse-probe.ts'
import type { Probe } from './probe.ts'
import { allocationArguments, fileArgument, safeInputArguments } from '../run/safe-arguments.ts'

/** A caller waits for the result, so the process runs at normal priority. A file with 500 tracks needs 370 MB. */
const probeLimits = { niceness: 0, wallSeconds: 60, cpuSeconds: 30, memoryBytes: 400 * 1024 * 1024 }

/** Limits the report of a file with thousands of tracks. */
const maxReportCharacters = 8 * 1024 * 1024

/** The first packets show whether the file has data and whether it is encrypted. */
const probeArguments = [
  '-hide_banner',
  '-loglevel',
  'level+error',
  ...allocationArguments,
  ...safeInputArguments,
  '-of',
  'json',
  '-show_format',
  '-show_streams',
  '-show_entries',
  'packet=stream_index:packet_side_data=side_data_type',
  '-read_intervals',
  '%+#8',
]

/** ffprobe treats every `.mp4` as MP4 and reports a missing index, so this checks the first bytes. */
const explainUnreadable = async (path: string, error: MediaError): Promise<MediaError> => {
  if (error.code !== 'corrupt' || (await looksLikeMedia(path))) return error
  return new MediaError('not_media', mediaMessage('file_not_media'), error.details)
}

export type ProbeOptions = { signal?: AbortSignal | undefined; ffprobePath?: string | undefined }

/**
 * Probes a file with ffprobe, in about 0.1 s. A file that has not changed since this process probed it is not
 * probed again. Rejects with a MediaError.
 */
export const probeFile = async (path: string, options: ProbeOptions = {}): Promise<Probe> => {
  const identity = await identityOf(path).catch(() => null)
  const known = identity === null ? null : knownProbe(identity)
  if (known !== null) return known
  const probe = await runProbe(path, options)
  if (identity !== null && identity === (await identityOf(path).catch(() => null))) keepProbe(identity, probe)
  return probe
}

const runProbe = async (path: string, options: ProbeOptions): Promise<Probe> => {
  await checkIndex(path)
  const child = startGuarded(
    options.ffprobePath ?? 'ffprobe',
    [...probeArguments, '-i', fileArgument(path)],
    {
      confinement: { readable: [resolve(path)], writable: [], network: false },
      signal: options.signal,
      limits: probeLimits,
    },
  )
  let report = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text: string) => {
    report += text
    if (report.length > maxReportCharacters)
      child.stop(new MediaError('corrupt', mediaMessage('file_has_too_many_tracks')))
  })
  const exit = await child.exited
  const error = errorOfExit('ffprobe', exit, probeLimits)
  if (error) throw await explainUnreadable(path, error)
  try {
    return parseProbe(JSON.parse(report))
  } catch (unfit) {
    // ffprobe omits the size of a track that exceeds the pixel limit.
    const explained = explainFailure('ffprobe', exit.stderrTail)
    throw explained.code === 'too_large' ? explained : unfit
  }
}
