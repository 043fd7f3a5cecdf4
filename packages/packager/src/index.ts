export { countReceivedSegments, segmentByteEnds } from './passthrough/received-segments.ts'
export { timelineStartSeconds } from './segments/packaged-track.ts'
export type { PackagedSegment, PackagedTrack, TrackDescription } from './segments/packaged-track.ts'
export { blackVideo, silence } from './segments/filler.ts'
export type { Filler } from './segments/filler.ts'
export { measureBitRates } from './segments/bit-rates.ts'
export { keyFramesAt, keyFrameSeconds } from './passthrough/key-frames.ts'
export { planPassthrough } from './passthrough/plan-passthrough.ts'
export type {
  PassthroughOptions,
  PassthroughPlan,
  PassthroughSegment,
  PassthroughTrack,
} from './passthrough/plan-passthrough.ts'
export { servedSamples } from './passthrough/served-samples.ts'
export { createSilentLead, toleratedGapSeconds } from './passthrough/silent-lead.ts'
export type { SilentLead } from './passthrough/silent-lead.ts'
export { readPassthroughSegment, segmentReadBytes } from './passthrough/read-passthrough-segment.ts'
export { packageStream } from './segments/package-stream.ts'
export type { PackageStreamOptions } from './segments/package-stream.ts'
export { joinTracks } from './segments/join-tracks.ts'
export type { TrackPiece } from './segments/join-tracks.ts'
export type { PrecedingSegments, SegmentCuts, StreamedSegment } from './segments/segment-joiner.ts'
export {
  cutFromFrame,
  cutToFrame,
  openSegment,
  reorderDepth,
  sampleShownAt,
  shownFrom,
} from './segments/cut-at-frame.ts'
export type { OpenSegment } from './segments/cut-at-frame.ts'
