import type { LivePublisher } from '../../channel/live-publisher.ts'
import { SourceError } from './source-error.ts'

/** How a source is read. The first reading suits nearly all sources. */
export interface Reading {
  /**
   * `aac` also strips the ADTS headers of AAC in a transport stream. Audio other than AAC and Opus is encoded
   * to AAC.
   */
  readonly sound: 'aac' | 'opus' | 'encode'
  /**
   * `hevc` sets the sample entry `hvc1`, which ffmpeg rejects for any other codec and which Apple's players
   * require.
   */
  readonly picture: 'any' | 'hevc'
  /** Duration that is probed before the first frame is passed on: all tracks must begin within it. */
  readonly probeMs: number
}

const firstReading: Reading = { sound: 'aac', picture: 'any', probeMs: 1_200 }

/** Covers groups of pictures of ten seconds, which a caller may enter anywhere. */
const patientProbeMs = 11_000

/** Returns the reading to try after a failure, or null when no other reading helps. */
const nextReading = (reading: Reading, { code, codec }: SourceError): Reading | null => {
  if (code === 'sound' && reading.sound === 'aac')
    return { ...reading, sound: codec === 'opus' ? 'opus' : 'encode' }
  if (code === 'hevc' && reading.picture === 'any') return { ...reading, picture: 'hevc' }
  if (code === 'patience' && reading.probeMs < patientProbeMs) return { ...reading, probeMs: patientProbeMs }
  return null
}

/** Opens a source, and reopens it with the reading that its media need. Throws SourceError. */
export const openByItsMedia = async (
  open: (reading: Reading) => Promise<LivePublisher>,
): Promise<LivePublisher> => {
  let reading = firstReading
  for (;;) {
    try {
      return await open(reading)
    } catch (error) {
      const next = error instanceof SourceError ? nextReading(reading, error) : null
      if (next === null) throw error
      reading = next
    }
  }
}

const soundArguments: Readonly<Record<Reading['sound'], readonly string[]>> = {
  aac: ['-c:a', 'copy', '-bsf:a', 'aac_adtstoasc'],
  opus: ['-c:a', 'copy'],
  encode: ['-c:a', 'aac', '-b:a', '160k', '-ac', '2', '-ar', '48000', '-af', 'aresample=async=1'],
}

const pictureArguments: Readonly<Record<Reading['picture'], readonly string[]>> = {
  any: ['-c:v', 'copy'],
  hevc: ['-c:v', 'copy', '-tag:v', 'hvc1'],
}

export const probeArguments = ({ probeMs }: Reading): string[] => [
  '-analyzeduration',
  String(probeMs * 1_000),
  '-probesize',
  '20000000',
]

/**
 * Writes fragmented MP4 with one frame per fragment to the first pipe. Edit lists in 90 kHz keep the offset
 * of the tracks exact. `frag_every_frame` would lose what the filter knows of AAC.
 */
export const remuxOutputArguments = ({ sound, picture }: Reading): string[] => [
  ...['-map', '0:V:0?', '-map', '0:a:0?', ...pictureArguments[picture], ...soundArguments[sound]],
  ...['-map_metadata', '-1', '-map_chapters', '-1'],
  // A silent track does not delay the other one.
  ...['-max_interleave_delta', '1', '-flush_packets', '1'],
  ...['-movflags', '+empty_moov+delay_moov+default_base_moof+skip_trailer', '-movie_timescale', '90000'],
  ...['-frag_duration', '1', '-f', 'mp4', 'pipe:3'],
]
