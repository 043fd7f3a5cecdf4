import { readBoxes, requireBox } from './box.ts'
import { readFullBox } from './fields.ts'
import { movieHeader } from './track-boxes.ts'
import { ascii, u32, writeBox } from './write-box.ts'

/**
 * The init segment of fragments that come of several tracks, of one for each: their boxes as they are. Null where two of them have the same id, so
 * that nobody could tell their fragments apart.
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

/** Of the movie's own duration, which nothing is known of; each track has its own. */
const millisecond = 1_000
