export { ManifestError } from './manifest-error.ts'
export { writeManifest } from './write-manifest.ts'
export type { AdaptationSet, Manifest, Representation, TextTrack, TimelineSegment } from './manifest.ts'
