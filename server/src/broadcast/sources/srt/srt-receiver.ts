import { MediaError, runFfmpeg } from '@zoetrope/ffmpeg'
import { explainSourceFailure, type SourceError } from '../source-error.ts'
import { ReplayableStream } from './replayable-stream.ts'

/** The transport stream of one SRT connection, as it came. */
export interface SrtReceiver {
  readonly stream: ReplayableStream
  /** Why the connection failed; null while it stands, and where it ended in good order. */
  readonly failure: () => SourceError | null
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>
}

/** Longer than what reads the stream waits, which then says more exactly what is missing. */
const stallSeconds = 60

/** Takes what an SRT connection carries, decrypted and otherwise untouched, until `signal` aborts or the connection ends. */
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
