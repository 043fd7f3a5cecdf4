import {
  canCopyAudio,
  canCopyVideo,
  planRenditions,
  type MediaPlan,
  type Probe,
  type RungOverride,
} from '@zoetrope/ffmpeg'
import { IsobmffError, readMovie, type Movie, type RandomAccessReader } from '@zoetrope/isobmff'
import { planInPlace, type InPlaceTrack } from '@zoetrope/packager'
import type { FileProperties } from '../files/file-record.ts'
import { inPlaceOptions } from '../files/media-blobs.ts'
import type { EncoderSettings } from '../projects/encoder-settings.ts'

export interface InPlaceTracks {
  readonly video: InPlaceTrack | null
  readonly audio: InPlaceTrack | null
}

/** Null when the file is no ISO base media file that can be read, whatever its name says. */
export const readMovieOrNull = (reader: RandomAccessReader): Promise<Movie | null> =>
  readMovie(reader).catch((error: unknown) => {
    if (error instanceof IsobmffError) return null
    throw error
  })

/** Which tracks of the movie can be served from where they lie. Pure. */
export const planTracksInPlace = (movie: Movie | null, probe: Probe): InPlaceTracks => {
  const plan = (track: 'video' | 'audio'): InPlaceTrack | null => {
    if (movie === null) return null
    const planned = planInPlace(movie, { track, ...inPlaceOptions })
    return planned.ok ? planned.track : null
  }
  const canPlayAudio = probe.audio[0] !== undefined && canCopyAudio(probe.audio[0]) && playsFirstAudio(probe)
  return {
    video: probe.video !== null && canCopyVideo(probe.video) ? plan('video') : null,
    audio: canPlayAudio ? plan('audio') : null,
  }
}

/** The track that viewers hear. */
const chosenAudio = ({ audio }: Probe): Probe['audio'][number] | undefined =>
  audio.find(({ isDefault }) => isDefault) ?? audio[0]

/** In place, the first audio track is played; where another one is the default, it is encoded instead. */
const playsFirstAudio = (probe: Probe): boolean => chosenAudio(probe) === probe.audio[0]

/** Whether a remux holds the track that viewers hear; what cannot be copied is encoded beside it, because MP4 does not take every codec. */
export const isAudioRemuxed = (probe: Probe): boolean => {
  const audio = chosenAudio(probe)
  return audio !== undefined && canCopyAudio(audio)
}

/** Whether a remux into MP4 may let tracks play without encoding that cannot be served from this container. */
export const isWorthRemuxing = (probe: Probe, inPlace: InPlaceTracks, movie: Movie | null): boolean => {
  if (movie !== null && !movie.isFragmented) return false
  const isVideoWaiting = probe.video !== null && inPlace.video === null && canCopyVideo(probe.video)
  const isAudioWaiting = probe.video === null && inPlace.audio === null && isAudioRemuxed(probe)
  return isVideoWaiting || isAudioWaiting
}

/**
 * The renditions to encode beside what plays in place. Without encoding, a source whose codecs do not play gets one rendition of its own
 * size instead of a ladder.
 */
export const planEncodes = (
  probe: Probe,
  inPlace: { readonly hasVideo: boolean; readonly hasAudio: boolean },
  options: { readonly useEncoding: boolean; readonly settings: Required<EncoderSettings> },
): MediaPlan => {
  const rungs = options.useEncoding ? overridesOf(options.settings) : ownSize(probe)
  const plan = planRenditions(probe, {
    isVideoCopied: inPlace.hasVideo,
    isAudioCopied: inPlace.hasAudio,
    rungs,
  })
  return options.useEncoding ? plan : { ...plan, ladder: [] }
}

const overridesOf = (settings: Required<EncoderSettings>): RungOverride[] =>
  settings.Renditions.map(({ Height, VideoBitRate }) => ({
    heightPixels: Height,
    ...(VideoBitRate === undefined ? {} : { maxBitsPerSecond: VideoBitRate }),
  }))

const ownSize = ({ video }: Probe): RungOverride[] =>
  video === null ? [] : [{ heightPixels: Math.min(video.displayWidthPixels, video.displayHeightPixels) }]

const rounded = (value: number | null, digits: number): number | null =>
  value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits

/** What the record tells of the source. */
export const propertiesOf = (
  probe: Probe,
  sizeBytes: number,
  decodedDurationSeconds: number | null,
): FileProperties => {
  const { video } = probe
  const audio = chosenAudio(probe)
  const frameRate = video === null ? null : video.frameRate.numerator / video.frameRate.denominator
  return {
    Length: rounded(decodedDurationSeconds ?? probe.durationSeconds, 3),
    Size: sizeBytes,
    VideoFormat: video?.codec ?? null,
    VideoBitRate: video?.bitsPerSecond ?? null,
    VideoWidth: video?.displayWidthPixels ?? null,
    VideoHeight: video?.displayHeightPixels ?? null,
    VideoFPS: rounded(frameRate, 3),
    AudioFormat: audio?.codec ?? null,
    AudioBitRate: audio?.bitsPerSecond ?? null,
    AudioSampleRate: audio?.sampleRateHz ?? null,
    AudioChannels: audio?.channels ?? null,
  }
}
