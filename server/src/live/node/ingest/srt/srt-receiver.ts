import { acceptArguments, acceptStream, MediaError, runFfmpeg } from '@zoetrope/ffmpeg'
import { explainSourceFailure, type SourceError } from '../sources/source-error.ts'
import { ReplayableStream } from './replayable-stream.ts'

export interface SrtReceiver {
  readonly stream: ReplayableStream
  /** Returns why the connection failed, or null while it is open and after a regular end. */
  readonly failure: () => SourceError | null
  /** Resolves when the process has exited. */
  readonly ended: Promise<void>
}

/** Longer than the timeout of the stream's reader, which reports more precisely what is missing. */
const stallSeconds = 60

/** A receiver allocates little: it copies packets of about a kilobyte. */
const memoryBytes = 256 * 1024 * 1024

/**
 * Receives the payload of an SRT connection, decrypted and otherwise unchanged, until `signal` aborts or the
 * connection ends. This process has the network, so it parses no media and has no files: another one, without
 * network, demuxes.
 */
export const receiveSrt = (
  { options, url }: { readonly options: readonly string[]; readonly url: string },
  signal: AbortSignal,
): SrtReceiver => {
  const run = runFfmpeg(
    [
      ...['-probesize', '32', '-analyzeduration', '0'],
      ...acceptArguments({ protocols: ['srt'], formats: ['data'], decoders: [] }),
      ...['-f', 'data', ...options, '-i', url],
      ...['-map', '0', '-c', 'copy', '-flush_packets', '1', '-f', 'data', 'pipe:3'],
    ],
    { outputPipes: 1, signal, limits: { niceness: 0, stallSeconds, memoryBytes } },
  )
  const [pipe] = run.pipes as [(typeof run.pipes)[0]]
  let failure: SourceError | null = null
  const ended = run.done.then(
    () => {},
    (error: unknown) => {
      failure = explainSourceFailure(error instanceof MediaError ? error.details : '')
    },
  )
  return { stream: new ReplayableStream(pipe), failure: () => failure, ended }
}

/** Reads what `receiveSrt` yields, from standard input. */
export const transportStreamArguments = [...acceptStream('mpegts'), '-f', 'mpegts', '-i', 'pipe:0']
