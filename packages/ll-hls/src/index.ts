export { defaultPackaging, LivePackager } from './renditions/live-packager.ts'
export type { LivePackagerOptions, LiveSink } from './renditions/live-packager.ts'
export { LivePlaylists } from './playlists/live-playlists.ts'
export type { ReloadAnswer, ReloadRequest } from './playlists/answer-reload.ts'
export { uris } from './playlists/segment-lines.ts'
export { beginAt, restoreWindow, resumeAfter } from './renditions/restore-window.ts'
export type { PackagerResume, StoredSegment, StoredWindow } from './renditions/restore-window.ts'
export type { SegmentStore, TrackPeriod } from './renditions/segment-store.ts'
export type { AudioUnit, LivePart, LiveSegment, VideoUnit } from './media/live-media.ts'
export type { LadderRendition } from './renditions/ladder-rendition.ts'
export type { LadderPeriod } from './renditions/ladder-renditions.ts'
export { formatOfTrack, videoTimescale } from './media/track-format.ts'
export type {
  LadderTrack,
  LiveAudioCodec,
  LiveVideoCodec,
  TrackFormat,
  TrackKind,
  TrackName,
} from './media/track-format.ts'
