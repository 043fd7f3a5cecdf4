export { defaultPackaging, LivePackager } from './live-packager.ts'
export type { LivePackagerOptions, LiveSink } from './live-packager.ts'
export { LivePlaylists } from './live-playlists.ts'
export type { ReloadAnswer, ReloadRequest } from './answer-reload.ts'
export { uris } from './segment-lines.ts'
export { beginAt, restoreWindow, resumeAfter } from './restore-window.ts'
export type { PackagerResume, StoredSegment, StoredWindow } from './restore-window.ts'
export type { SegmentStore, TrackStretch } from './segment-store.ts'
export type { AudioUnit, LivePart, LiveSegment, VideoUnit } from './live-media.ts'
export type { LadderRendition } from './ladder-rendition.ts'
export type { LadderStretch } from './ladder-renditions.ts'
export { formatOfTrack, videoTimescale } from './track-format.ts'
export type {
  LadderTrack,
  LiveAudioCodec,
  LiveVideoCodec,
  TrackFormat,
  TrackKind,
  TrackName,
} from './track-format.ts'
