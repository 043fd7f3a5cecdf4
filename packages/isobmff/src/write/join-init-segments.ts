import { readBoxes, requireBox } from '../boxes/box.ts'
import { readFullBox } from '../boxes/fields.ts'
import { movieHeader } from '../movie/track-boxes.ts'
import { ascii, u32, writeBox } from '../boxes/write-box.ts'

/**
 * Merges single-track init segments into one for the fragments of all tracks. Returns null when two tracks
 * have the same id, because their fragments would be indistinguishable.
 */
export const joinInitSegments = (segments: readonly Buffer[]): Buffer | null => {
  const tracks = segments.map((segment) => {
    const moov = readBoxes(requireBox(readBoxes(segment), 'moov').body)
    const trex = requireBox(readBoxes(requireBox(moov, 'mvex').body), 'trex')
    return { trackId: readFullBox(trex.body).fields.u32(), trak: requireBox(moov, 'trak'), trex }
  })
  const ids = new Set(tracks.map(({ trackId }) => trackId))
  if (ids.size < tracks.length) return null
  return Buffer.concat([
    writeBox('ftyp', ascii('iso6'), u32(0), ascii('iso6mp41')),
    writeBox(
      'moov',
      movieHeader({ timescale: millisecond, durationTicks: 0, nextTrackId: Math.max(...ids) + 1 }),
      ...tracks.map(({ trak }) => trak.bytes),
      writeBox('mvex', ...tracks.map(({ trex }) => trex.bytes)),
    ),
  ])
}

/** Timescale of the movie header, whose duration is unknown. Each track has its own timescale. */
const millisecond = 1_000
