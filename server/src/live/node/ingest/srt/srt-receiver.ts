import { MediaError, runFfmpeg } from '@zoetrope/ffmpeg'
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

/**
 * Receives the payload of an SRT connection, decrypted and otherwise unchanged, until `signal` aborts or the
 * connection ends.
 */
export const receiveSrt = (
  inputArguments: readonly string[],
  { workFolder, signal }: { readonly workFolder: string; readonly signal: AbortSignal },
): SrtReceiver => {
  const run = runFfmpeg(
    [
      ...['-probesize', '32', '-analyzeduration', '0', ...inputArguments],
      ...['-map', '0', '-c', 'copy', '-flush_packets', '1', '-f', 'data', 'pipe:3'],
    ],
    { outputPipes: 1, workFolder, signal, limits: { niceness: 0, stallSeconds } },
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
