import type { SourceError } from './source-error.ts'

/** How a source is read: what is tried first suits nearly all of them. */
export interface Reading {
  /** `aac` also strips the headers that AAC has in a transport stream; what is in neither AAC nor Opus is encoded anew. */
  readonly sound: 'aac' | 'opus' | 'encode'
  /** How much is looked at before the first frame is handed on: all tracks must have begun by then. */
  readonly probeMs: number
}

export const firstReading: Reading = { sound: 'aac', probeMs: 1_200 }

/** Of groups of pictures of ten seconds, which a caller may enter anywhere. */
const patientProbeMs = 11_000

/** How to read a source that was just read in vain; null where another way would not help. */
export const nextReading = (reading: Reading, { code, codec }: SourceError): Reading | null => {
  if (code === 'sound' && reading.sound === 'aac')
    return { ...reading, sound: codec === 'opus' ? 'opus' : 'encode' }
  if (code === 'patience' && reading.probeMs < patientProbeMs) return { ...reading, probeMs: patientProbeMs }
  return null
}

const soundArguments: Readonly<Record<Reading['sound'], readonly string[]>> = {
  aac: ['-c:a', 'copy', '-bsf:a', 'aac_adtstoasc'],
  opus: ['-c:a', 'copy'],
  encode: ['-c:a', 'aac', '-b:a', '160k', '-ac', '2', '-ar', '48000', '-af', 'aresample=async=1'],
}

export const probeArguments = ({ probeMs }: Reading): string[] => [
  '-analyzeduration',
  String(probeMs * 1_000),
  '-probesize',
  '20000000',
]

/**
 * Fragmented MP4 of one frame each on the first pipe. Edit lists in 90 kHz keep the distance of the tracks exact; `frag_every_frame` would
 * lose what the filter knows of AAC.
 */
export const remuxOutputArguments = ({ sound }: Reading): string[] => [
  ...['-map', '0:V:0?', '-map', '0:a:0?', '-c:v', 'copy', ...soundArguments[sound]],
  ...['-map_metadata', '-1', '-map_chapters', '-1'],
  // A track that falls silent does not hold the other one up.
  ...['-max_interleave_delta', '1', '-flush_packets', '1'],
  ...['-movflags', '+empty_moov+delay_moov+default_base_moof+skip_trailer', '-movie_timescale', '90000'],
  ...['-frag_duration', '1', '-f', 'mp4', 'pipe:3'],
]
