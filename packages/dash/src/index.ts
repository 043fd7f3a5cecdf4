export { ManifestError } from './manifest-error.ts'
export { writeManifest } from './write-manifest.ts'
export { writeLiveManifest } from './write-live-manifest.ts'
export type {
  LiveManifest,
  LivePeriod,
  AdaptationSet,
  Manifest,
  Representation,
  TextTrack,
  TimelineSegment,
} from './manifest.ts'
