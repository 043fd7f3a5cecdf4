import { isSparse, readFrameRate } from './frame-rate.ts'
import { MediaError, mediaMessage } from '../run/media-error.ts'
import type { AudioStream, Probe, Ratio, SubtitleStream, VideoStream } from './probe.ts'
import { maxPicturePixels } from '../run/safe-arguments.ts'

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const objectOf = (value: unknown): Json => (isObject(value) ? value : {})
const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** ffprobe writes some numbers as strings, and unknown ones as `N/A` or not at all. */
const numberOf = (value: unknown): number | null => {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN
  return Number.isFinite(number) ? number : null
}
const positiveOf = (value: unknown): number | null => {
  const number = numberOf(value)
  return number !== null && number > 0 ? number : null
}
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Removes control characters from text of the file, which manifests and the database reject. */
const nameOf = (value: unknown): string | null =>
  textOf(
    textOf(value)
      ?.replaceAll(/\p{C}+/gu, ' ')
      .trim(),
  )

const hasDisposition = (stream: Json, name: string): boolean => objectOf(stream['disposition'])[name] === 1

const isDefault = (stream: Json): boolean => hasDisposition(stream, 'default')

/** ffmpeg cannot downmix tracks with the layout `unknown`, which newer versions write as `10 channels`. */
const isPlaced = (stream: Json): boolean =>
  !/^(?:unknown|\d+ channels?.*|ambisonic .*)$/.test(textOf(stream['channel_layout']) ?? 'unknown')

const codecOf = (stream: Json): string | null => {
  const codec = textOf(stream['codec_name'])
  return codec === null || codec === 'unknown' || codec === 'none' ? null : codec
}

/** ffprobe writes the id in hexadecimal, as in `0x2`. */
const trackIdOf = (stream: Json): number | null => positiveOf(stream['id'])

const bitDepthOf = (pixelFormat: string, rawBits: unknown): number => {
  const digits = /(?:p0?|gray|f)(9|10|12|14|16|32)(?:le|be)$/.exec(pixelFormat)?.[1]
  return digits === undefined ? (positiveOf(rawBits) ?? 8) : Number(digits)
}

const chromaOf = (pixelFormat: string): VideoStream['chroma'] => {
  if (/420|nv12|nv21|p01[026]/.test(pixelFormat)) return '4:2:0'
  if (/422|nv16|uyvy|yuyv|p21[06]/.test(pixelFormat)) return '4:2:2'
  if (/444|gbr|rgb|bgr/.test(pixelFormat)) return '4:4:4'
  return pixelFormat.startsWith('gray') ? '4:0:0' : null
}

/** `0:1` means unknown; square pixels are assumed. */
const aspectOf = (value: unknown): Ratio => {
  const match = /^(\d+):(\d+)$/.exec(String(value))
  const [numerator, denominator] = [Number(match?.[1]), Number(match?.[2])]
  return numerator > 0 && denominator > 0 ? { numerator, denominator } : { numerator: 1, denominator: 1 }
}

/** ffprobe reports counterclockwise degrees; the older `rotate` tag is clockwise. */
const rotationOf = (stream: Json): number => {
  const matrix = objectsOf(stream['side_data_list']).find((data) => numberOf(data['rotation']) !== null)
  const tag = numberOf(objectOf(stream['tags'])['rotate']) ?? 0
  const degrees = matrix === undefined ? tag : -(numberOf(matrix['rotation']) ?? 0)
  return ((Math.round(degrees) % 360) + 360) % 360
}

/** ffprobe reports no rotation for a display matrix that only negates y, which ffmpeg applies too. */
const isFlipped = (stream: Json): boolean =>
  objectsOf(stream['side_data_list']).some(
    (data) =>
      numberOf(data['rotation']) === 0 && /^0+1:\s+-?\d+\s+-\d/m.test(textOf(data['displaymatrix']) ?? ''),
  )

const matrixOf = (value: unknown): string | null => {
  const matrix = textOf(value)
  return matrix === 'unknown' || matrix === 'unspecified' || matrix === 'reserved' ? null : matrix
}

const videoStreamOf = (stream: Json): VideoStream | null => {
  const codec = codecOf(stream)
  const widthPixels = positiveOf(stream['width'])
  const heightPixels = positiveOf(stream['height'])
  if (codec === null || widthPixels === null || heightPixels === null) return null
  const pixelFormat = textOf(stream['pix_fmt']) ?? 'unknown'
  const sampleAspectRatio = aspectOf(stream['sample_aspect_ratio'])
  const rotationDegrees = rotationOf(stream)
  const isOnSide = rotationDegrees === 90 || rotationDegrees === 270
  const { numerator, denominator } = sampleAspectRatio
  const squareWidthPixels = Math.max(1, Math.round((widthPixels * numerator) / denominator))
  const colorTransfer = textOf(stream['color_transfer'])
  const isInterlaced = ['tt', 'bb', 'tb', 'bt'].includes(String(stream['field_order']))
  const rate = readFrameRate(stream['avg_frame_rate'], stream['r_frame_rate'], isInterlaced)
  return {
    index: numberOf(stream['index']) ?? 0,
    startSeconds: numberOf(stream['start_time']) ?? 0,
    trackId: trackIdOf(stream),
    codec,
    profile: textOf(stream['profile']),
    codecTag: textOf(stream['codec_tag_string']) ?? '',
    pixelFormat,
    bitDepth: bitDepthOf(pixelFormat, stream['bits_per_raw_sample']),
    chroma: chromaOf(pixelFormat),
    widthPixels,
    heightPixels,
    displayWidthPixels: isOnSide ? heightPixels : squareWidthPixels,
    displayHeightPixels: isOnSide ? squareWidthPixels : heightPixels,
    rotationDegrees,
    ...(isFlipped(stream) ? { isFlipped: true } : {}),
    sampleAspectRatio,
    ...rate,
    isSparse: isSparse(stream['avg_frame_rate'], rate.frameRate),
    colorTransfer,
    colorMatrix: matrixOf(stream['color_space']),
    isHdr: colorTransfer === 'smpte2084' || colorTransfer === 'arib-std-b67',
    isInterlaced,
    hasBFrames: (numberOf(stream['has_b_frames']) ?? 0) > 0,
    bitsPerSecond: positiveOf(stream['bit_rate']),
  }
}

const languageOf = (tags: Json): string | null => {
  const language = nameOf(tags['language'])
  return language === 'und' ? null : language
}

/** Unknown codecs are included, so that the record of the file can name them. */
const subtitleStreamOf = (stream: Json): SubtitleStream => {
  const tags = objectOf(stream['tags'])
  return {
    index: numberOf(stream['index']) ?? 0,
    codec: codecOf(stream) ?? 'unknown',
    language: languageOf(tags),
    title: nameOf(tags['title']),
    isForced: hasDisposition(stream, 'forced'),
    isForDeaf: hasDisposition(stream, 'hearing_impaired') || hasDisposition(stream, 'captions'),
  }
}

/** Accepts sample rates from telephony to DSD. Resampling other rates costs ffmpeg gigabytes and minutes. */
const isSound = (sampleRateHz: number): boolean => sampleRateHz >= 1_000 && sampleRateHz <= 50_000_000

const audioStreamOf = (stream: Json): AudioStream | null => {
  const codec = codecOf(stream)
  const channels = positiveOf(stream['channels'])
  const sampleRateHz = positiveOf(stream['sample_rate'])
  if (codec === null || channels === null || sampleRateHz === null || !isSound(sampleRateHz)) return null
  const tags = objectOf(stream['tags'])
  return {
    index: numberOf(stream['index']) ?? 0,
    trackId: trackIdOf(stream),
    codec,
    profile: textOf(stream['profile']),
    channels,
    sampleRateHz,
    bitsPerSecond: positiveOf(stream['bit_rate']),
    language: languageOf(tags),
    title: nameOf(tags['title']),
    handlerName: nameOf(tags['handler_name']),
    isPlaced: isPlaced(stream),
    isDefault: isDefault(stream),
  }
}

/** ffprobe reports the codec inside `encv`, but each encrypted packet carries its key id. */
const isEncrypted = (stream: Json, packets: readonly Json[]): boolean =>
  ['encv', 'enca', 'drms', 'drmi'].includes(String(stream['codec_tag_string'])) ||
  packets.some(
    (packet) =>
      packet['stream_index'] === stream['index'] &&
      objectsOf(packet['side_data_list']).some((data) =>
        String(data['side_data_type']).startsWith('Encryption'),
      ),
  )

const refuseUnusable = (streams: readonly Json[], packets: readonly Json[]): void => {
  if (streams.length === 0) throw new MediaError('no_streams', mediaMessage('file_without_tracks'))
  if (streams.some((stream) => isEncrypted(stream, packets)))
    throw new MediaError('encrypted', mediaMessage('file_encrypted'))
  for (const stream of streams) {
    const pixels = (numberOf(stream['width']) ?? 0) * (numberOf(stream['height']) ?? 0)
    if (pixels > maxPicturePixels)
      throw new MediaError('too_large', mediaMessage('picture_exceeds_pixel_limit'))
  }
  if (streams.every((stream) => codecOf(stream) === null))
    throw new MediaError('unsupported_codec', mediaMessage('file_codec_not_supported'))
  if (packets.length === 0) throw new MediaError('corrupt', mediaMessage('file_without_data'))
}

const formatNamesOf = (format: Json): string[] => (textOf(format['format_name']) ?? '').split(',')

const isPresent = <T>(value: T | null): value is T => value !== null

/** A header that claims hours at a lower bit rate is false; short videos of one still image may be lower. */
const leastBitsPerSecond = 1_000
const doubtfulSeconds = 3_600

/**
 * Returns the longest duration in seconds that this many bytes can plausibly hold, whatever headers or
 * timestamps claim.
 */
export const longestCredibleSeconds = (sizeBytes: number): number =>
  Math.max(doubtfulSeconds, (8 * sizeBytes) / leastBitsPerSecond)

/** Matroska (RFC 9559) counts its duration from time 0, also when the first frame comes later. */
const containerDurationOf = (format: Json): number | null => {
  const seconds = positiveOf(format['duration'])
  if (seconds === null || !formatNamesOf(format).includes('matroska')) return seconds
  return Math.max(0, seconds - Math.max(0, numberOf(format['start_time']) ?? 0)) || null
}

/**
 * Track durations are more reliable than that of the container. Returns null when the value is implausible.
 */
const durationOf = (format: Json, streams: readonly Json[]): number | null => {
  const durations = streams.map((stream) => positiveOf(stream['duration'])).filter(isPresent)
  const seconds = durations.length > 0 ? Math.max(...durations) : containerDurationOf(format)
  const longestSeconds = longestCredibleSeconds(numberOf(format['size']) ?? Infinity)
  return seconds !== null && seconds <= longestSeconds ? seconds : null
}

/** A player has loaded a single frame at once, and would wait for the next one instead of playing the sound. */
const isSingleFrame = (stream: Json, longestSeconds: number): boolean =>
  numberOf(stream['nb_frames']) === 1 &&
  longestSeconds - (positiveOf(stream['duration']) ?? 0) > leastSoundSeconds

/** A single frame beside less sound is a very short video. */
const leastSoundSeconds = 1

/**
 * Parses the JSON of `ffprobe -show_format -show_streams` with the first few packets. Throws a MediaError
 * when the file is unusable.
 */
export const parseProbe = (json: unknown): Probe => {
  const root = objectOf(json)
  const format = objectOf(root['format'])
  const all = objectsOf(root['streams'])
  const pictures = all.filter((stream) => stream['codec_type'] === 'video')
  const audios = all.filter((stream) => stream['codec_type'] === 'audio')
  const soundSeconds = Math.max(0, ...audios.map((stream) => positiveOf(stream['duration']) ?? 0))
  const videos = pictures.filter(
    (stream) => !hasDisposition(stream, 'attached_pic') && !isSingleFrame(stream, soundSeconds),
  )
  refuseUnusable([...videos, ...audios], objectsOf(root['packets']))

  const chosen = videos.toSorted((a, b) => Number(isDefault(b)) - Number(isDefault(a)))
  const video = chosen.map(videoStreamOf).find(isPresent) ?? null
  const cover = video === null ? pictures.map(videoStreamOf).find(isPresent) : undefined
  const audio = audios.map(audioStreamOf).filter(isPresent)
  if (video === null && audio.length === 0)
    throw new MediaError('corrupt', mediaMessage('file_tracks_unreadable'))
  return {
    formatNames: formatNamesOf(format),
    startSeconds: numberOf(format['start_time']) ?? 0,
    durationSeconds: durationOf(format, [...videos, ...audios]),
    sizeBytes: numberOf(format['size']) ?? 0,
    bitsPerSecond: positiveOf(format['bit_rate']),
    video,
    ...(cover === undefined ? {} : { cover }),
    audio,
    subtitles: all.filter((stream) => stream['codec_type'] === 'subtitle').map(subtitleStreamOf),
  }
}
