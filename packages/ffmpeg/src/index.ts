export { playedAudio, type AudioTrack } from './audio-tracks.ts'
export { checkDecodable, type CheckOptions } from './check-decodable.ts'
export { canCopyAudio, canCopyVideo } from './copyable.ts'
export { clipArguments, clipFormat, type ClipOptions } from './clip-arguments.ts'
export { closedCaptionArguments, mayCarryClosedCaptions, sccArguments } from './closed-caption-arguments.ts'
export { encodeArguments, type EncodeOptions } from './encode-arguments.ts'
export { frameArguments, type FrameOptions } from './frame-arguments.ts'
export { framesPerSecond, type FrameRate } from './frame-rate.ts'
export { defaultLadder, type Rung, type RungOverride, type VideoCodec } from './ladder.ts'
export { liveLadderArguments } from './live-ladder-arguments.ts'
export { gainOf, measureLoudness } from './measure-loudness.ts'
export { MediaError, tooLong, type MediaErrorCode } from './media-error.ts'
export { longestCredibleSeconds, parseProbe } from './parse-probe.ts'
export {
  isEncoded,
  planRenditions,
  rungsBelow,
  type AudioPlan,
  type MediaPlan,
  type PlanOptions,
  type VideoRung,
} from './plan-renditions.ts'
export type { PicturePaths } from './picture-outputs.ts'
export { posterArguments, type PosterOptions } from './poster-arguments.ts'
export { canBeCut, planChunks, type ChunkTarget, type EncodeChunk } from './plan-chunks.ts'
export type { AudioStream, Probe, Ratio, VideoStream } from './probe.ts'
export { probeFile, type ProbeOptions } from './probe-file.ts'
export { pipedFormatOf, pipedRemuxArguments, remuxArguments, type RemuxOptions } from './remux-arguments.ts'
export {
  runFfmpeg,
  type FfmpegRun,
  type RunLimits,
  type RunOptions,
  type RunProgress,
  type RunResult,
} from './run-ffmpeg.ts'
export { safeInputArguments } from './safe-arguments.ts'
export { logoArguments, logoFormat, logoSize } from './logo-arguments.ts'
export { stillArguments, type StillFormat, type StillOptions } from './still-arguments.ts'
export {
  maxStoryboardTiles,
  storyboardArguments,
  storyboardLayout,
  type StoryboardLayout,
  type StoryboardOptions,
} from './storyboard-arguments.ts'
export { planSubtitles, textTrackArguments, type TextTrack, type UnusedSubtitles } from './text-tracks.ts'
export { watermarkFileName, type Watermark } from './watermark.ts'
export { cutsOfRung } from './segment-cuts.ts'
export {
  animationArguments,
  thumbnailArguments,
  thumbnailTimeSeconds,
  type ThumbnailBox,
  type ThumbnailFormat,
} from './thumbnail-arguments.ts'
