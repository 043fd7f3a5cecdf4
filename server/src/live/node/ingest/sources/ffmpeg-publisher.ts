import { messageOf } from '@zoetrope/vocabulary'
import { MediaError, runFfmpeg } from '@zoetrope/ffmpeg'
import { IsobmffError } from '@zoetrope/isobmff'
import type { MediaMessage } from '@zoetrope/rtmp'
import { liveReason, type LiveReason } from '../../../control/api/live-reason.ts'
import { newMessage } from '../../../../platform/base/message.ts'
import type { LivePublisher, PublishProtocol } from '../../channel/live-publisher.ts'
import { readFfmpegMedia } from './read-ffmpeg-media.ts'
import { probeArguments, remuxOutputArguments, type Reading } from './reading.ts'
import { explainSourceFailure, SourceError } from './source-error.ts'
import { createSourceTracks } from './source-tracks.ts'

export interface FfmpegSource {
  readonly protocol: PublishProtocol
  readonly remoteAddress: string
  readonly reading: Reading
  /** All arguments before the output, including `-i`. */
  readonly inputArguments: readonly string[]
  readonly input?: AsyncIterable<Buffer>
  /** Each program of the source is the same media at another bit rate. */
  readonly hasVariants?: boolean
  /** End of the publish when ffmpeg ends by itself. */
  readonly atEnd: () => LiveReason
  /** Folder that the process may read. */
  readonly inputFolder?: string
  /** Limit from the start to the first frame. */
  readonly openMs: number
  readonly signal: AbortSignal
}

/** Seconds without new data after which a source counts as dead. */
const stallSeconds = 15
const exitMs = 2_000

/**
 * Reads a source with an ffmpeg that only remuxes. Resolves with the first frame, when the source becomes a
 * publisher. Throws SourceError when no frame arrives. The process ends with the publisher, and with ours.
 */
export const openFfmpegPublisher = async (source: FfmpegSource): Promise<LivePublisher> => {
  const abort = new AbortController()
  const onAbort = (): void => abort.abort()
  if (source.signal.aborted) onAbort()
  source.signal.addEventListener('abort', onAbort, { once: true })
  let receivedBytes = 0
  let closedBecause: string | null = null
  const tracks = createSourceTracks({ hasVariants: source.hasVariants === true })

  const run = runFfmpeg(
    [...probeArguments(source.reading), ...source.inputArguments, ...remuxOutputArguments(source.reading)],
    {
      outputPipes: 1,
      input: source.input,
      onInfoLine: tracks.readLine,
      inputFolder: source.inputFolder,
      signal: abort.signal,
      limits: { niceness: 0, stallSeconds },
    },
  )
  const [pipe] = run.pipes as [(typeof run.pipes)[0]]
  pipe.on('data', (bytes: Buffer) => {
    receivedBytes += bytes.length
  })
  pipe.pause()
  const failure = run.done.then(
    () => null,
    (error: unknown) => error,
  )
  void failure.then(() => source.signal.removeEventListener('abort', onAbort))

  const iterator = readFfmpegMedia(pipe as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  /** A process whose output has ended still reports why, and exits soon. */
  const awaitExit = (): void => void setTimeout(onAbort, exitMs).unref()
  const timer = setTimeout(onAbort, source.openMs)
  const first = await iterator.next().catch((error: unknown) => {
    if (!(error instanceof SourceError)) return null
    onAbort()
    return error
  })
  clearTimeout(timer)
  if (first instanceof SourceError) throw await failure.then(() => first)
  if (first === null || first.done === true) {
    awaitExit()
    throw await openError(failure, source.signal)
  }

  const ended = failure.then((error): LiveReason => {
    if (closedBecause !== null) return { code: 'closed', message: closedBecause }
    if (error === null) return source.atEnd()
    if (error instanceof MediaError && error.code === 'stalled')
      return liveReason('timed_out', newMessage('live_media_late', { seconds: stallSeconds }))
    return liveReason('lost', messageOf(explainSourceFailure(detailsOf(error))))
  })
  return {
    protocol: source.protocol,
    remoteAddress: source.remoteAddress,
    encoder: '',
    messages: takeAll([tracks.warning(), first.value], iterator, { onEnd: awaitExit, onLeft: onAbort }),
    receivedBytes: () => receivedBytes,
    ended,
    close: (reason) => {
      closedBecause ??= reason
      onAbort()
    },
  }
}

const openError = async (failure: Promise<unknown>, signal: AbortSignal): Promise<SourceError> => {
  const error = await failure
  if (signal.aborted) return new SourceError('ended', newMessage('live_source_stopped'))
  if (error instanceof MediaError && error.code === 'aborted')
    return new SourceError('failed', newMessage('live_source_late'))
  return explainSourceFailure(detailsOf(error))
}

const detailsOf = (error: unknown): string => (error instanceof MediaError ? error.details : '')

/** A broken pipe ends the messages; `ended` holds the reason. */
async function* takeAll(
  first: readonly (MediaMessage | null)[],
  rest: AsyncIterator<MediaMessage>,
  { onEnd, onLeft }: { readonly onEnd: () => void; readonly onLeft: () => void },
): AsyncGenerator<MediaMessage, void> {
  let leave = onLeft
  try {
    for (const message of first) if (message !== null) yield message
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
    leave = onEnd
  } catch (error) {
    if (!(error instanceof IsobmffError) && !(error instanceof MediaError) && !isBrokenPipe(error))
      throw error
  } finally {
    leave()
    await rest.return?.().catch(() => {})
  }
}

const isBrokenPipe = (error: unknown): boolean =>
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'ABORT_ERR'].includes((error as { code?: string }).code ?? '')
