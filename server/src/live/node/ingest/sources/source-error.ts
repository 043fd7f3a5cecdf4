import type { Message, MessageParams } from '@zoetrope/vocabulary'
import { newMessage } from '../../../../platform/base/message.ts'

/** Why a source yields no media. `sound`, `hevc` and `patience` ask for another reading. */
export type SourceErrorCode = 'failed' | 'ended' | 'sound' | 'hevc' | 'patience'

/** The message is for the owner of the stream and contains no secrets. */
export class SourceError extends Error {
  readonly code: SourceErrorCode
  /** Codec of the audio when the code is `sound`. */
  readonly codec: string

  readonly reason: string
  readonly params: MessageParams

  constructor(code: SourceErrorCode, { reason, params, text }: Message, codec = '') {
    super(text)
    this.name = 'SourceError'
    this.code = code
    this.reason = reason
    this.params = params
    this.codec = codec
  }
}

interface Explanation {
  readonly pattern: RegExp
  readonly explain: (match: RegExpExecArray) => SourceError
}

const failed = (message: Message) => (): SourceError => new SourceError('failed', message)

/** The first match wins: causes come before the consequences that ffmpeg also reports. */
const explanations: readonly Explanation[] = [
  {
    pattern: /Codec '([a-z0-9_]+)' \(\d+\) is not supported by the bitstream filter/,
    explain: ([, codec = '']) =>
      new SourceError('sound', newMessage('live_source_audio_codec', { codec }), codec),
  },
  {
    pattern: /Could not find tag for codec ([a-z0-9_]+) in stream/,
    explain: ([, codec = '']) =>
      new SourceError('failed', newMessage('live_source_codec_not_supported', { codec })),
  },
  {
    pattern: /Could not find codec parameters|dimensions not set|unspecified (size|sample rate|pixel)/,
    explain: () => new SourceError('patience', newMessage('live_source_without_key_frame')),
  },
  {
    pattern: /does not contain any stream|matches no streams/,
    explain: () => new SourceError('patience', newMessage('live_source_without_media')),
  },
  {
    pattern: /Connection (setup failure|was broken|rejected)|Connection timed out|Operation timed out/i,
    explain: failed(newMessage('live_source_refused')),
  },
  {
    pattern: /Invalid data found when processing input/,
    explain: failed(newMessage('live_source_format')),
  },
  { pattern: /Input\/output error/, explain: failed(newMessage('live_source_broke_off')) },
]

/** Explains the last lines of ffmpeg's log. They may contain addresses, so only codec names are repeated. */
export const explainSourceFailure = (stderrTail: string): SourceError => {
  for (const { pattern, explain } of explanations) {
    const match = pattern.exec(stderrTail)
    if (match !== null) return explain(match)
  }
  return new SourceError('failed', newMessage('live_source_unreadable'))
}
