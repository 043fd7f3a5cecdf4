import { createMessages, type Message, type MessageParams } from '@zoetrope/vocabulary'
import { mediaMessageTexts } from './media-message-texts.ts'

export type MediaErrorCode =
  | 'not_media'
  | 'no_streams'
  | 'encrypted'
  | 'unsupported_codec'
  | 'corrupt'
  | 'too_large'
  | 'too_long'
  | 'too_complex'
  | 'aborted'
  | 'stalled'
  | 'disk_full'
  | 'program_unusable'
  | 'failed'

/** A message of this package; users of the package can give a MediaError messages of their own. */
export const mediaMessage = createMessages(mediaMessageTexts)

/**
 * The only error of this package: `message` is a sentence for users, `details` the output of ffmpeg for the
 * log.
 */
export class MediaError extends Error {
  readonly code: MediaErrorCode
  readonly reason: string
  readonly params: MessageParams
  readonly details: string

  constructor(code: MediaErrorCode, { reason, params, text }: Message, details = '') {
    super(text)
    this.name = 'MediaError'
    this.code = code
    this.reason = reason
    this.params = params
    this.details = details
  }
}

/** Returns the error for a source longer than the limit, detected from its index or while decoding. */
export const tooLong = (maxSeconds: number): MediaError =>
  new MediaError(
    'too_long',
    maxSeconds > 3600
      ? mediaMessage('file_longer_than_hours', { hours: Number((maxSeconds / 3600).toFixed(1)) })
      : mediaMessage('file_longer_than_seconds', { seconds: maxSeconds }),
  )

/** All runs limit their memory, so a refusal means that the limit is reached. The latter two are words of encoders. */
const memoryRefused = /Cannot allocate memory|std::bad_alloc|malloc of size \d+ failed/

export const isMemoryRefused = (line: string): boolean => memoryRefused.test(line)

type Explanation = { pattern: RegExp; code: MediaErrorCode; message: Message }

/** The first match wins: causes precede the consequences that ffmpeg also reports. */
const explanations: readonly Explanation[] = [
  {
    pattern: /exceeds specified max pixel count|Picture size \d+x\d+ is invalid/,
    code: 'too_large',
    message: mediaMessage('picture_exceeds_pixel_limit'),
  },
  {
    // Arguments do not depend on the file.
    pattern:
      /Error splitting the argument list|No such filter: |No option name near|Unknown encoder|Bitstream filter not found/,
    code: 'program_unusable',
    message: mediaMessage('program_unsuitable'),
  },
  { pattern: /No space left on device/, code: 'disk_full', message: mediaMessage('disk_space_used_up') },
  { pattern: /File too large/, code: 'too_large', message: mediaMessage('result_too_large') },
  {
    pattern: /Format not on whitelist/,
    code: 'not_media',
    message: mediaMessage('file_format_not_accepted'),
  },
  {
    pattern: /No such file or directory|Permission denied/,
    code: 'failed',
    message: mediaMessage('program_not_opened'),
  },
  {
    pattern:
      /Codec \(.*\) not on whitelist|Decoder \(codec .*\) not found|Unknown decoder|Unsupported codec|no decoder found for/i,
    code: 'unsupported_codec',
    message: mediaMessage('file_codec_not_supported'),
  },
  {
    // A damaged table claims more entries than ffmpeg allocates at once, regardless of free memory.
    pattern: /error reading header\n.*Cannot allocate memory/,
    code: 'corrupt',
    message: mediaMessage('file_index_unreadable'),
  },
  {
    pattern: memoryRefused,
    code: 'too_complex',
    message: mediaMessage('too_complex'),
  },
  {
    pattern: /moov atom not found/,
    code: 'corrupt',
    message: mediaMessage('file_index_missing'),
  },
  {
    pattern:
      /Invalid data found when processing input|Error while decoding|could not find codec parameters|End of file|CRC mismatch|Corrupt|Truncat/i,
    code: 'corrupt',
    message: mediaMessage('file_content_unreadable'),
  },
  {
    pattern: /Broken pipe/,
    code: 'failed',
    message: mediaMessage('output_not_written'),
  },
]

/** Missing, without its libraries, or refused by a machine without processes or memory. */
export const notStarted = (program: string, details: string): MediaError =>
  new MediaError('program_unusable', mediaMessage('program_not_started', { program }), details)

/** Maps the last lines of stderr of ffmpeg or ffprobe to a MediaError. */
export const explainFailure = (program: string, stderrTail: string): MediaError => {
  const known = explanations.find(({ pattern }) => pattern.test(stderrTail))
  if (known) return new MediaError(known.code, known.message, stderrTail)
  return new MediaError('failed', mediaMessage('file_not_read_to_end', { program }), stderrTail)
}
