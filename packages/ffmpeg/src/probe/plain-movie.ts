import {
  IsobmffError,
  readAvcEntry,
  readDecoderConfiguration,
  type Movie,
  type SampleTable,
  type Track,
} from '@zoetrope/isobmff'
import { maxPicturePixels } from '../run/safe-arguments.ts'
import { checkIndex } from './check-index.ts'
import { readFrameRate, isSparse } from './frame-rate.ts'
import type { AudioStream, Probe, VideoStream } from './probe.ts'

/** Like `describePlainMovie`. Rejects with `too_complex`, as `probeFile` does, before anything plays. */
export const probePlainMovie = async (
  path: string,
  movie: Movie,
  sizeBytes: number,
): Promise<Probe | null> => {
  const probe = describePlainMovie(movie, sizeBytes)
  if (probe !== null) await checkIndex(path)
  return probe
}

/**
 * Describes a plain movie from its index alone, as ffprobe does: at most one H.264 track and one AAC track, with
 * nothing that needs a look at frames. Returns null for all others, and whenever ffprobe could see more than the index
 * states. Fields on which playback does not depend may differ from those of ffprobe.
 */
const describePlainMovie = (movie: Movie, sizeBytes: number): Probe | null => {
  const videos = movie.tracks.filter(({ kind }) => kind === 'video')
  const sounds = movie.tracks.filter(({ kind }) => kind === 'audio')
  if (movie.isFragmented || videos.length > 1 || sounds.length > 1) return null
  // It may be a cover.
  if (sounds.length > 0 && videos.some(({ samples }) => samples.count === 1)) return null
  const index = (track: Track): number => movie.tracks.indexOf(track)
  const video = videos.map((track) => plainVideo(track, index(track)))
  const audio = sounds.map((track) => plainAudio(track, index(track)))
  if (video.length + audio.length === 0 || !video.every(isPresent) || !audio.every(isPresent)) return null
  return {
    formatNames: ['mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2'],
    startSeconds: 0,
    durationSeconds: movie.durationSeconds > 0 ? movie.durationSeconds : null,
    sizeBytes,
    bitsPerSecond: null,
    video: video[0] ?? null,
    audio,
    subtitles: [],
  }
}

const isPresent = <T>(value: T | null): value is T => value !== null

const profileNames: ReadonlyMap<number, string> = new Map([
  [66, 'Baseline'],
  [77, 'Main'],
  [100, 'High'],
])

/** PQ and HLG of ISO/IEC 23091-2. */
const hdrTransfers = [16, 18]

const plainVideo = (track: Track, index: number): VideoStream | null => {
  const entry = readEntryOrNull(track)
  if (entry === null || !isPlainPicture(track)) return null
  const { parameters, transfer, fields, unknownBoxes } = entry
  const profile = profileNames.get(parameters.profile)
  const isPlain =
    parameters.setCount === 1 &&
    parameters.chromaFormat === 1 &&
    parameters.bitDepth === 8 &&
    parameters.isFrameCoded &&
    parameters.hasSquarePixels &&
    parameters.widthPixels === track.widthPixels &&
    parameters.heightPixels === track.heightPixels &&
    ![transfer, parameters.transfer].some((one) => one !== null && hdrTransfers.includes(one)) &&
    (fields ?? 1) === 1 &&
    unknownBoxes.length === 0
  if (profile === undefined || !isPlain) return null
  const { widthPixels, heightPixels } = track
  return {
    ...{ index, trackId: track.id, codec: 'h264', codecTag: track.fourCC, profile },
    ...{ pixelFormat: 'yuv420p', bitDepth: 8, chroma: '4:2:0' },
    ...{ widthPixels, heightPixels, displayWidthPixels: widthPixels, displayHeightPixels: heightPixels },
    ...{ rotationDegrees: 0, sampleAspectRatio: { numerator: 1, denominator: 1 } },
    ...frameRateOf(track),
    ...{ colorTransfer: null, colorMatrix: null, isHdr: false, isInterlaced: false, hasBFrames: false },
    startSeconds: 0,
    bitsPerSecond: bitsPerSecondOf(track),
  }
}

const readEntryOrNull = (track: Track) => {
  if (track.fourCC !== 'avc1' || !isPlainTrack(track)) return null
  try {
    return readAvcEntry(track.sampleEntry)
  } catch (error) {
    if (error instanceof IsobmffError) return null
    throw error
  }
}

const isPlainTrack = ({ isEncrypted, sampleEntryCount, hasComplexEdits, samples }: Track): boolean =>
  !isEncrypted && sampleEntryCount === 1 && !hasComplexEdits && samples.count > 0

const isPlainPicture = (track: Track): boolean =>
  track.isUntransformed &&
  track.pixelAspectRatio[0] === track.pixelAspectRatio[1] &&
  track.displayWidthPixels === track.widthPixels &&
  track.displayHeightPixels === track.heightPixels &&
  track.widthPixels * track.heightPixels <= maxPicturePixels &&
  track.widthPixels % 2 === 0 &&
  track.heightPixels % 2 === 0

/** ffprobe decodes the first frames of tracks at lower rates, to see whether spectral band replication doubles them. */
const plainRatesHz = [32_000, 44_100, 48_000]

const plainAudio = (track: Track, index: number): AudioStream | null => {
  const { channels, sampleRateHz, language } = track
  const isPlain =
    isPlainTrack(track) &&
    track.codec === 'mp4a.40.2' &&
    channelsOf(track) === channels &&
    plainRatesHz.includes(sampleRateHz) &&
    track.isLanguageRead &&
    !track.hasMetadata
  if (!isPlain) return null
  return {
    ...{ index, trackId: track.id, codec: 'aac', profile: 'LC', channels, sampleRateHz },
    ...{ isPlaced: true, isDefault: true, title: null, handlerName: null },
    language: language === 'und' ? null : language,
    bitsPerSecond: bitsPerSecondOf(track),
  }
}

/** Mono or stereo as an AudioSpecificConfig states it (ISO/IEC 14496-3, 1.6.2.1); null for all others. */
const channelsOf = ({ fourCC, sampleEntry }: Track): number | null => {
  const configuration = readDecoderConfiguration(fourCC, sampleEntry)
  const channels = ((configuration?.[1] ?? 0) >> 3) & 0xf
  return channels === 1 || channels === 2 ? channels : null
}

const sumOf = (values: Uint32Array): number => {
  let sum = 0
  for (let index = 0; index < values.length; index++) sum += values[index]!
  return sum
}

/** Decode times of a movie without fragments begin at 0 and have no gaps. */
const ticksOf = ({ count, decodeTimes, durations }: SampleTable): number =>
  count === 0 ? 0 : decodeTimes[count - 1]! + durations[count - 1]!

const bitsPerSecondOf = ({ samples, timescale }: Track): number | null => {
  const ticks = ticksOf(samples)
  return ticks === 0 ? null : Math.floor((sumOf(samples.sizes) * 8 * timescale) / ticks)
}

const frameRateOf = ({ samples, timescale }: Track) => {
  const average = `${timescale * samples.count}/${ticksOf(samples)}`
  const rate = readFrameRate(average, `${timescale}/${mostCommon(samples.durations)}`, false)
  return { ...rate, isSparse: isSparse(average, rate.frameRate) }
}

const mostCommon = (values: Uint32Array): number => {
  const counts = new Map<number, number>()
  // Most values repeat the one before.
  for (let index = 0, end = 0; index < values.length; index = end) {
    const value = values[index]!
    while (end < values.length && values[end] === value) end++
    counts.set(value, (counts.get(value) ?? 0) + end - index)
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0]
}
