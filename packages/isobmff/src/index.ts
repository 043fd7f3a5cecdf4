export { alignDecodeTimes } from './write/align-decode-times.ts'
export { countClaimedSamples } from './read/count-claimed-samples.ts'
export {
  findSequenceHeader,
  readAv1ConfigurationObus,
  writeAv1Configuration,
  writeObu,
} from './codecs/av1-configuration.ts'
export { IsobmffError } from './boxes/isobmff-error.ts'
export type { IsobmffErrorCode } from './boxes/isobmff-error.ts'
export { joinInitSegments } from './write/join-init-segments.ts'
export { openFileReader, readExactly } from './boxes/random-access-reader.ts'
export type { RandomAccessReader } from './boxes/random-access-reader.ts'
export { createSampleTable, joinSampleTables, sampleTableBytes } from './movie/sample-table.ts'
export type { SampleTable } from './movie/sample-table.ts'
export type { Movie, Track, TrackKind } from './movie/movie.ts'
export { topLevelBoxes } from './boxes/top-level-boxes.ts'
export { readPartialMovie } from './read/read-partial-movie.ts'
export { readFlatMovie, readMovie } from './read/read-movie.ts'
export { readFragmentedTracks, readFragmentStream } from './read/read-fragment-stream.ts'
export { captionHeader, readClosedCaptions } from './codecs/read-closed-captions.ts'
export type { CaptionPair } from './codecs/read-closed-captions.ts'
export { readDecoderConfiguration } from './codecs/read-decoder-configuration.ts'
export type { FragmentPiece, InitPiece } from './read/read-fragment-stream.ts'
export { obuTypes, readObus } from './codecs/read-obus.ts'
export type { Obu } from './codecs/read-obus.ts'
export { describeSampleEntry } from './read/read-sample-entry.ts'
export { readAvcEntry } from './codecs/read-avc-entry.ts'
export { readPictureSize } from './codecs/read-picture-size.ts'
export { writeAacSampleEntry, writeMpeg4AudioSampleEntry } from './codecs/write-aac-sample-entry.ts'
export { writeOpusSampleEntry, writeVisualSampleEntry } from './codecs/write-sample-entry.ts'
export { findMoofEnd, readMediaSegmentHead } from './read/read-media-segment.ts'
export {
  readRecording,
  recordingHeaderBytes,
  writeRecordingEnd,
  writeRecordingStart,
} from './write/recording.ts'
export { layOutFlatMovie } from './write/write-flat-movie.ts'
export type { FlatChunk, FlatMovie } from './write/write-flat-movie.ts'
export type { FlatTrack } from './write/write-movie-index.ts'
export { writeInitSegment } from './write/write-init-segment.ts'
export type { InitSegmentTrack } from './write/write-init-segment.ts'
export { measureMediaSegment, writeMediaSegment } from './write/write-media-segment.ts'
export type { MediaSegment, SampleRange } from './write/write-media-segment.ts'
