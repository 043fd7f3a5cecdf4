/** Why a source yields no media. `sound`, `hevc` and `patience` ask for another reading. */
export type SourceErrorCode = 'failed' | 'ended' | 'sound' | 'hevc' | 'patience'

/** The message is for the owner of the stream and contains no secrets. */
export class SourceError extends Error {
  readonly code: SourceErrorCode
  /** Codec of the audio when the code is `sound`. */
  readonly codec: string

  constructor(code: SourceErrorCode, message: string, codec = '') {
    super(message)
    this.name = 'SourceError'
    this.code = code
    this.codec = codec
  }
}

interface Explanation {
  readonly pattern: RegExp
  readonly explain: (match: RegExpExecArray) => SourceError
}

const failed = (message: string) => (): SourceError => new SourceError('failed', message)

/** The first match wins: causes come before the consequences that ffmpeg also reports. */
const explanations: readonly Explanation[] = [
  {
    pattern: /Codec '([a-z0-9_]+)' \(\d+\) is not supported by the bitstream filter/,
    explain: ([, codec]) => new SourceError('sound', `The sound is in ${codec}.`, codec),
  },
  {
    pattern: /Could not find tag for codec ([a-z0-9_]+) in stream/,
    explain: ([, codec]) =>
      new SourceError(
        'failed',
        `The source sends ${codec}, which is not supported. It must send H.264 or HEVC.`,
      ),
  },
  {
    pattern: /Could not find codec parameters|dimensions not set|unspecified (size|sample rate|pixel)/,
    explain: () =>
      new SourceError(
        'patience',
        'The source started without a key frame, or announces audio that it does not send.',
      ),
  },
  {
    pattern: /does not contain any stream|matches no streams/,
    explain: () => new SourceError('patience', 'The source sends neither video nor audio.'),
  },
  {
    pattern: /Connection (setup failure|was broken|rejected)|Connection timed out|Operation timed out/i,
    explain: failed(
      'The server refused the connection. Check its address, the passphrase and the stream id.',
    ),
  },
  {
    pattern: /Invalid data found when processing input/,
    explain: failed('The source is not an MPEG transport stream or playlist.'),
  },
  { pattern: /Input\/output error/, explain: failed('The connection to the source failed.') },
]

/** Explains the last lines of ffmpeg's log. They may contain addresses, so only codec names are repeated. */
export const explainSourceFailure = (stderrTail: string): SourceError => {
  for (const { pattern, explain } of explanations) {
    const match = pattern.exec(stderrTail)
    if (match !== null) return explain(match)
  }
  return new SourceError('failed', 'The source could not be read.')
}
