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
import { planPassthrough, timelineStartSeconds, type PassthroughTrack } from '@zoetrope/packager'
import { newMessage } from '../../platform/base/message.ts'
import type { FileProperties } from '../../library/files/record/parts/file-properties.ts'
import { passthroughOptionsOf } from '../../library/files/media/media-blobs.ts'
import { rungOverrides } from '../../library/projects/settings/encoder-settings.ts'
import type { EncodeSettings } from './encode-settings.ts'

export interface PassthroughAudio {
  /** Stream index in the source, even if a remux of it is served. */
  readonly streamIndex: number
  readonly track: PassthroughTrack
}

export interface PassthroughTracks {
  readonly video: PassthroughTrack | null
  readonly audio: readonly PassthroughAudio[]
}

/** ffmpeg would decode from a key frame for each entry, which takes hours for a file of a few megabytes. */
const tooManyEdits = (): MediaError => new MediaError('too_large', newMessage('too_many_edits'))

/**
 * Reads the movie; null when the file is not a readable ISO base media file, whatever its name. Throws
 * MediaError `too_large` for too many edits.
 */
export const readMovieOrNull = (reader: RandomAccessReader): Promise<Movie | null> =>
  readMovie(reader).catch((error: unknown) => {
    if (error instanceof IsobmffError && error.code === 'too_many_edits') throw tooManyEdits()
    if (error instanceof IsobmffError) return null
    throw error
  })

export interface ServedPassthrough {
  readonly hasVideo: boolean
  /** Stream indices in the source. */
  readonly copiedAudio: readonly number[]
  /** Whether tracks are served from the source itself rather than from a remux. */
  readonly isSourceServed: boolean
  /** Segment starts of the video, from 0 of the timeline; empty without video. */
  readonly segmentStartSeconds?: readonly number[]
}

/** Settings that change all video or all audio, so that the source cannot be served unchanged. */
export interface SourceChanges {
  readonly isVideoChanged: boolean
  readonly isAudioChanged: boolean
}

/** An upload plays while it is in flight only when the settings change neither video nor audio. */
export const unchangedSource: SourceChanges = { isVideoChanged: false, isAudioChanged: false }

export const changesOf = ({ settings, watermark }: EncodeSettings): SourceChanges => ({
  isVideoChanged: watermark !== null,
  isAudioChanged: settings.NormalizeLoudness,
})

/**
 * HLS players begin with the first picture and skip the sound before it. An encoded rendition shows its first picture
 * from the start.
 */
const mostSkippedSeconds = 0.5

const isLatePicture = ({ segments: [first], timescale }: PassthroughTrack): boolean =>
  first !== undefined && first.startTicks / timescale - timelineStartSeconds > mostSkippedSeconds

/** Returns the tracks that can be served by passthrough. Pure. */
export const planPassthroughTracks = (
  movie: Movie | null,
  probe: Probe,
  changes: SourceChanges,
  /** Blob of the movie if it is not the source. */
  mediaBlob = '',
): PassthroughTracks => {
  const plan = (kind: 'video' | 'audio', trackId: number | null): PassthroughTrack | null => {
    if (movie === null) return null
    const place = { kind, track_id: trackId, media_blob: mediaBlob }
    const planned = planPassthrough(movie, passthroughOptionsOf(place))
    return planned.ok ? planned.track : null
  }
  const { video } = probe
  const picture =
    video !== null && !changes.isVideoChanged && canCopyVideo(video) ? plan('video', video.trackId) : null
  return {
    video: picture === null || isLatePicture(picture) ? null : picture,
    audio: (changes.isAudioChanged ? [] : copyableAudio(probe)).flatMap(({ index: streamIndex, trackId }) => {
      const track = plan('audio', trackId)
      return track === null ? [] : [{ streamIndex, track }]
    }),
  }
}

/**
 * Returns the audio tracks that a remux copies. The others are encoded separately, because MP4 does not
 * support every codec.
 */
export const copyableAudio = (probe: Probe): AudioTrack[] => playedAudio(probe).filter(canCopyAudio)

/** AVI has no presentation times, so a copy would show reordered frames in the order in which they are decoded. */
const hasFrameTimes = ({ formatNames, video }: Probe): boolean =>
  video?.hasBFrames !== true || !formatNames.includes('avi')

/** Whether a remux into MP4 may make tracks playable without encoding that this container prevents. */
export const isWorthRemuxing = (
  probe: Probe,
  passthrough: PassthroughTracks,
  movie: Movie | null,
  changes: SourceChanges,
): boolean => {
  if (movie !== null && !movie.isFragmented) return false
  const isVideoWaiting =
    probe.video !== null &&
    !changes.isVideoChanged &&
    passthrough.video === null &&
    canCopyVideo(probe.video) &&
    hasFrameTimes(probe)
  const isAudioWaiting =
    probe.video === null &&
    !changes.isAudioChanged &&
    passthrough.audio.length === 0 &&
    playedAudio(probe).slice(0, 1).some(canCopyAudio)
  return isVideoWaiting || isAudioWaiting
}

/**
 * Plans the renditions to encode in addition to passthrough. Without encoding, a source with unsupported
 * codecs gets one rendition of its own size instead of a ladder.
 */
export const planEncodes = (
  probe: Probe,
  passthrough: ServedPassthrough,
  options: EncodeSettings & { readonly useEncoding: boolean },
): MediaPlan => {
  const rungs = options.useEncoding ? rungOverrides(options.settings.Renditions) : ownSize(probe)
  const plan = planRenditions(probe, {
    isVideoCopied: passthrough.hasVideo,
    copiedAudio: passthrough.copiedAudio,
    isSourceServed: passthrough.isSourceServed,
    segmentStartSeconds: passthrough.segmentStartSeconds,
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
