import { findBox, readBoxes, requireBox, type Box } from '../boxes/box.ts'
import { readFullBox } from '../boxes/fields.ts'
import type { FragmentSamples } from '../movie/fragment-samples.ts'
import { IsobmffError } from '../boxes/isobmff-error.ts'
import type { SampleDefaults } from './read-movie-box.ts'

/** Enough for half a million samples with four fields each. */
export const maxFragmentBoxBytes = 8 * 1024 * 1024

export interface FragmentedTrack {
  readonly defaults: SampleDefaults | undefined
  readonly samples: FragmentSamples
}

/**
 * Appends the samples of a moof box (ISO/IEC 14496-12, 8.8.4) to their tracks and skips tracks that are not
 * in the map.
 *
 * `moofOffset` is the box position that data offsets are relative to. `mediaBytes` limits the total size of
 * the samples.
 */
export const readMovieFragment = (
  moofBody: Buffer,
  moofOffset: number,
  mediaBytes: number,
  tracks: ReadonlyMap<number, FragmentedTrack>,
): void => {
  for (const traf of readBoxes(moofBody)) {
    if (traf.type !== 'traf') continue
    const boxes = readBoxes(traf.body)
    const header = readFragmentHeader(requireBox(boxes, 'tfhd'))
    const track = tracks.get(header.trackId)
    if (track === undefined) continue
    const tfdt = findBox(boxes, 'tfdt')
    if (tfdt !== undefined) track.samples.startAt(readBaseDecodeTime(tfdt))
    const defaults = {
      durationTicks: header.durationTicks ?? track.defaults?.durationTicks ?? 0,
      sizeBytes: header.sizeBytes ?? track.defaults?.sizeBytes ?? 0,
      flags: header.flags ?? track.defaults?.flags ?? 0,
    }
    const baseOffset = header.baseOffset ?? moofOffset
    let offset = baseOffset
    for (const trun of boxes) {
      if (trun.type === 'trun')
        offset = readRun(trun, baseOffset, offset, defaults, mediaBytes, track.samples)
    }
  }
}

/** tfhd (ISO/IEC 14496-12, 8.8.7): a flag signals the presence of each field. */
const readFragmentHeader = (tfhd: Box) => {
  const { flags: present, fields } = readFullBox(tfhd.body)
  const trackId = fields.u32()
  const baseOffset = (present & 0x01) !== 0 ? fields.u64() : undefined
  if ((present & 0x02) !== 0) fields.skip(4)
  const durationTicks = (present & 0x08) !== 0 ? fields.u32() : undefined
  const sizeBytes = (present & 0x10) !== 0 ? fields.u32() : undefined
  const flags = (present & 0x20) !== 0 ? fields.u32() : undefined
  return { trackId, baseOffset, durationTicks, sizeBytes, flags }
}

const readBaseDecodeTime = (tfdt: Box): number => {
  const { version, fields } = readFullBox(tfdt.body)
  return version === 1 ? fields.u64() : fields.u32()
}

const isNonSyncFlag = 0x1_0000

/**
 * Reads a trun (ISO/IEC 14496-12, 8.8.8). Returns the end offset of its last sample, where a run without a
 * data offset continues.
 */
const readRun = (
  trun: Box,
  baseOffset: number,
  nextOffset: number,
  defaults: SampleDefaults,
  mediaBytes: number,
  samples: FragmentSamples,
): number => {
  const { flags: present, fields } = readFullBox(trun.body)
  const count = fields.u32()
  let offset = (present & 0x01) !== 0 ? baseOffset + fields.i32() : nextOffset
  const firstFlags = (present & 0x04) !== 0 ? fields.u32() : undefined
  const hasDuration = (present & 0x100) !== 0
  const hasSize = (present & 0x200) !== 0
  const hasFlags = (present & 0x400) !== 0
  const hasComposition = (present & 0x800) !== 0
  const entryBytes = 4 * [hasDuration, hasSize, hasFlags, hasComposition].filter(Boolean).length
  const tooMany = hasSize
    ? count * entryBytes > fields.remainingBytes
    : count * entryBytes > fields.remainingBytes || count * Math.max(1, defaults.sizeBytes) > mediaBytes
  if (tooMany || offset < 0) {
    throw new IsobmffError('malformed', `A run claims ${count} samples, more than the file can hold.`)
  }
  samples.reserve(count)
  for (let index = 0; index < count; index++) {
    const duration = hasDuration ? fields.u32() : defaults.durationTicks
    const size = hasSize ? fields.u32() : defaults.sizeBytes
    const ownFlags = hasFlags ? fields.u32() : defaults.flags
    const flags = index === 0 && firstFlags !== undefined ? firstFlags : ownFlags
    const composition = hasComposition ? fields.i32() : 0
    samples.push(offset, size, duration, composition, (flags & isNonSyncFlag) === 0)
    offset += size
  }
  return offset
}
