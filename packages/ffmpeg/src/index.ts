export { acceptArguments, acceptStream, allDecoders } from './run/accepted-media.ts'
export { playedAudio, type AudioTrack } from './probe/audio-tracks.ts'
export { checkDecodable, type CheckOptions } from './encode/check-decodable.ts'
export { canCopyAudio, canCopyVideo } from './probe/copyable.ts'
export { clipArguments, clipFormat, type ClipOptions } from './copy/clip-arguments.ts'
export {
  closedCaptionArguments,
  mayCarryClosedCaptions,
  sccArguments,
} from './copy/closed-caption-arguments.ts'
export { bufferSecondsOf } from './encode/video-encoders.ts'
export { encodeArguments, type EncodeOptions } from './encode/encode-arguments.ts'
export { frameArguments, type FrameOptions } from './pictures/frame-arguments.ts'
export { framesPerSecond, type FrameRate } from './probe/frame-rate.ts'
export { defaultLadder, type Rung, type RungOverride, type VideoCodec } from './plan/ladder.ts'
export { segmentSeconds } from './plan/group-of-pictures.ts'
export { liveLadderArguments } from './encode/live-ladder-arguments.ts'
export { gainOf, measureLoudness } from './encode/measure-loudness.ts'
export { MediaError, mediaMessage, tooLong, type MediaErrorCode } from './run/media-error.ts'
export { mediaMessageTexts } from './run/media-message-texts.ts'
export { longestCredibleSeconds, parseProbe } from './probe/parse-probe.ts'
export {
  isEncoded,
  planRenditions,
  rungsBelow,
  type AudioPlan,
  type MediaPlan,
  type PlanOptions,
  type VideoRung,
} from './plan/plan-renditions.ts'
export { probePlainMovie } from './probe/plain-movie.ts'
export type { PicturePaths } from './pictures/picture-outputs.ts'
export { posterArguments, type PosterOptions } from './pictures/poster-arguments.ts'
export {
  canBeCut,
  planChunks,
  segmentStartFrame,
  type ChunkTarget,
  type EncodeChunk,
} from './plan/plan-chunks.ts'
export type { AudioStream, Probe, Ratio, VideoStream } from './probe/probe.ts'
export { probeFile, type ProbeOptions } from './probe/probe-file.ts'
export {
  pipedFormatOf,
  pipedRemuxArguments,
  remuxArguments,
  type RemuxOptions,
} from './copy/remux-arguments.ts'
export {
  runFfmpeg,
  type FfmpegRun,
  type RunLimits,
  type RunOptions,
  type RunProgress,
  type RunResult,
} from './run/run-ffmpeg.ts'
export { endOrphans } from './sandbox/orphans.ts'
export { sandboxLevel, sandboxLevels, setSandboxLevel, type SandboxLevel } from './sandbox/sandbox.ts'
export { sourceRanges } from './ranges/source-ranges.ts'
export type { SourceChunk, SourceRange } from './ranges/chunk-times.ts'
export { safeInputArguments, threadsOfEach } from './run/safe-arguments.ts'
export { logoArguments, logoFormat, logoSize } from './pictures/logo-arguments.ts'
export { stillArguments, type StillFormat, type StillOptions } from './pictures/still-arguments.ts'
export {
  maxStoryboardTiles,
  storyboardArguments,
  storyboardLayout,
  type StoryboardLayout,
  type StoryboardOptions,
} from './pictures/storyboard-arguments.ts'
export {
  planSubtitles,
  textTrackArguments,
  type TextTrack,
  type UnusedSubtitles,
} from './copy/text-tracks.ts'
export { watermarkFileName, type Watermark } from './filters/watermark.ts'
export { cutsOfRung } from './plan/segment-cuts.ts'
export {
  animationArguments,
  thumbnailArguments,
  thumbnailIntervalSeconds,
  thumbnailThreads,
  type ThumbnailBox,
  type ThumbnailFormat,
} from './pictures/thumbnail-arguments.ts'
export { setRunObserver } from './run/observe-runs.ts'
