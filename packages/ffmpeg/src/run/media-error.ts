export type MediaErrorCode =
  | 'not_media'
  | 'no_streams'
  | 'encrypted'
  | 'unsupported_codec'
  | 'corrupt'
  | 'too_large'
  | 'too_long'
  | 'aborted'
  | 'stalled'
  | 'disk_full'
  | 'failed'

/**
 * The only error of this package: `message` is a sentence for users, `details` the output of ffmpeg for the
 * log.
 */
export class MediaError extends Error {
  readonly code: MediaErrorCode
  readonly details: string

  constructor(code: MediaErrorCode, message: string, details = '') {
    super(message)
    this.name = 'MediaError'
    this.code = code
    this.details = details
  }
}

/** Returns the error for a source longer than the limit, detected from its index or while decoding. */
export const tooLong = (maxSeconds: number): MediaError => {
  const limit =
    maxSeconds > 3600 ? `${Number((maxSeconds / 3600).toFixed(1))} hours` : `${maxSeconds} seconds`
  return new MediaError('too_long', `The file is longer than the ${limit} that are processed.`)
}

type Explanation = { pattern: RegExp; code: MediaErrorCode; message: string }

/** The first match wins: causes precede the consequences that ffmpeg also reports. */
const explanations: readonly Explanation[] = [
  {
    pattern: /exceeds specified max pixel count|Picture size \d+x\d+ is invalid/,
    code: 'too_large',
    message: 'The picture is larger than 50 megapixels.',
  },
  { pattern: /No space left on device/, code: 'disk_full', message: 'The disk is full.' },
  { pattern: /File too large/, code: 'too_large', message: 'The result is larger than allowed.' },
  {
    pattern: /Format not on whitelist/,
    code: 'not_media',
    message: 'The file is not of an accepted video or audio format, such as MP4, MOV, MKV, WebM or MP3.',
  },
  {
    pattern: /No such file or directory|Permission denied/,
    code: 'failed',
    message: 'A file or program could not be opened.',
  },
  {
    pattern: /Decoder \(codec .*\) not found|Unknown decoder|Unsupported codec|no decoder found for/i,
    code: 'unsupported_codec',
    message: 'The file uses a codec that is not supported.',
  },
  {
    // A table with billions of entries exceeds what ffmpeg allocates at once, regardless of free memory.
    pattern: /error reading header\n.*Cannot allocate memory/,
    code: 'corrupt',
    message: 'The file is damaged: its index cannot be read.',
  },
  {
    pattern: /Cannot allocate memory/,
    code: 'failed',
    message: 'The file needs more memory than the machine has free.',
  },
  {
    pattern: /moov atom not found/,
    code: 'corrupt',
    message: 'The file is incomplete: its index is missing; whatever wrote it did not come to its end.',
  },
  {
    pattern:
      /Invalid data found when processing input|Error while decoding|could not find codec parameters|End of file|CRC mismatch|Corrupt|Truncat/i,
    code: 'corrupt',
    message: 'The file is damaged: its content could not be decoded.',
  },
  {
    pattern: /Broken pipe/,
    code: 'failed',
    message: 'The encoded stream could not be written: its reader went away.',
  },
]

/** Maps the last lines of stderr of ffmpeg or ffprobe to a MediaError. */
export const explainFailure = (program: string, stderrTail: string): MediaError => {
  const known = explanations.find(({ pattern }) => pattern.test(stderrTail))
  if (known) return new MediaError(known.code, known.message, stderrTail)
  return new MediaError(
    'failed',
    `The file could not be read to its end by ${program}; it may be damaged.`,
    stderrTail,
  )
}
