import {
  canCopyAudio,
  canCopyVideo,
  MediaError,
  playedAudio,
  planRenditions,
  type AudioTrack,
  type MediaPlan,
  type Probe,
  type RungOverride,
} from '@zoetrope/ffmpeg'
import { IsobmffError, readMovie, type Movie, type RandomAccessReader } from '@zoetrope/isobmff'
import { planInPlace, type InPlaceTrack } from '@zoetrope/packager'
import type { FileProperties } from '../files/file-record.ts'
import { inPlaceOptionsOf } from '../files/media-blobs.ts'
import { rungOverrides } from '../projects/encoder-settings.ts'
import type { EncodeSettings } from './encode-settings.ts'

export interface InPlaceAudio {
  /** Of the source, also where a remux of it is served. */
  readonly streamIndex: number
  readonly track: InPlaceTrack
}

export interface InPlaceTracks {
  readonly video: InPlaceTrack | null
  readonly audio: readonly InPlaceAudio[]
}

/** ffmpeg would decode from a key frame for each of them: hours for a file of a few megabytes. */
const tooManyEdits = (): MediaError =>
  new MediaError('too_large', 'The file has more than 10,000 entries in its edit lists.')

/** Null when the file is no ISO base media file that can be read, whatever its name says. */
export const readMovieOrNull = (reader: RandomAccessReader): Promise<Movie | null> =>
  readMovie(reader).catch((error: unknown) => {
    if (error instanceof IsobmffError && error.code === 'too_many_edits') throw tooManyEdits()
    if (error instanceof IsobmffError) return null
    throw error
  })

export interface ServedInPlace {
  readonly hasVideo: boolean
  /** Stream indices of the source. */
  readonly copiedAudio: readonly number[]
  /** From the source itself, not from a remux of it. */
  readonly isSourceServed: boolean
  /** Of the video, from 0 of the timeline; empty without it. */
  readonly segmentStartSeconds?: readonly number[]
}

/** What the settings do to all pictures, or to all sound, so that the source cannot be served as it is. */
export interface SourceChanges {
  readonly isVideoChanged: boolean
  readonly isAudioChanged: boolean
}

export const changesOf = ({ settings, watermark }: EncodeSettings): SourceChanges => ({
  isVideoChanged: watermark !== null,
  isAudioChanged: settings.NormalizeLoudness,
})

/** Which tracks of the movie can be served from where they lie. Pure. */
export const planTracksInPlace = (
  movie: Movie | null,
  probe: Probe,
  changes: SourceChanges,
  /** Where the movie lies, if that is not the source. */
  mediaBlob = '',
): InPlaceTracks => {
  const plan = (kind: 'video' | 'audio', trackId: number | null): InPlaceTrack | null => {
    if (movie === null) return null
    const place = { kind, track_id: trackId, media_blob: mediaBlob }
    const planned = planInPlace(movie, inPlaceOptionsOf(place))
    return planned.ok ? planned.track : null
  }
  const { video } = probe
  return {
    video:
      video !== null && !changes.isVideoChanged && canCopyVideo(video) ? plan('video', video.trackId) : null,
    audio: (changes.isAudioChanged ? [] : copyableAudio(probe)).flatMap(({ index: streamIndex, trackId }) => {
      const track = plan('audio', trackId)
      return track === null ? [] : [{ streamIndex, track }]
    }),
  }
}

/** What a remux takes along; the other tracks are encoded beside it, because MP4 does not take every codec. */
export const copyableAudio = (probe: Probe): AudioTrack[] => playedAudio(probe).filter(canCopyAudio)

/** Whether a remux into MP4 may let tracks play without encoding that cannot be served from this container. */
export const isWorthRemuxing = (
  probe: Probe,
  inPlace: InPlaceTracks,
  movie: Movie | null,
  changes: SourceChanges,
): boolean => {
  if (movie !== null && !movie.isFragmented) return false
  const isVideoWaiting =
    probe.video !== null && !changes.isVideoChanged && inPlace.video === null && canCopyVideo(probe.video)
  const isAudioWaiting =
    probe.video === null &&
    !changes.isAudioChanged &&
    inPlace.audio.length === 0 &&
    playedAudio(probe).slice(0, 1).some(canCopyAudio)
  return isVideoWaiting || isAudioWaiting
}

/**
 * The renditions to encode beside what plays in place. Without encoding, a source whose codecs do not play gets one rendition of its own
 * size instead of a ladder.
 */
export const planEncodes = (
  probe: Probe,
  inPlace: ServedInPlace,
  options: EncodeSettings & { readonly useEncoding: boolean },
): MediaPlan => {
  const rungs = options.useEncoding ? rungOverrides(options.settings.Renditions) : ownSize(probe)
  const plan = planRenditions(probe, {
    isVideoCopied: inPlace.hasVideo,
    copiedAudio: inPlace.copiedAudio,
    isSourceServed: inPlace.isSourceServed,
    segmentStartSeconds: inPlace.segmentStartSeconds,
    rungs,
    codecs: options.settings.VideoCodecs,
    watermark: options.watermark,
  })
  return options.useEncoding ? plan : { ...plan, ladder: [], moreCodecs: [] }
}

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
  const [audio] = playedAudio(probe)
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
