import { findBox, readBoxes, requireBox, type Box } from '../boxes/box.ts'
import { readFullBox } from '../boxes/fields.ts'
import { IsobmffError } from '../boxes/isobmff-error.ts'
import type { Track } from '../movie/movie.ts'
import type { SampleBudget } from '../movie/sample-table.ts'
import { isIdentity, readMatrix, readTrack } from './read-track.ts'

/** Defaults for fields that a fragment omits (trex, ISO/IEC 14496-12, 8.8.3). */
export interface SampleDefaults {
  readonly durationTicks: number
  readonly sizeBytes: number
  readonly flags: number
}

export interface MovieBox {
  readonly tracks: readonly Track[]
  readonly isFragmented: boolean
  readonly defaultsByTrackId: ReadonlyMap<number, SampleDefaults>
}

/** Well above real files: the moov of 12 h of video and audio takes about 60 MiB. */
export const maxMovieBoxBytes = 256 * 1024 * 1024
const maxTracks = 256
/** Decoders restart at a key frame for each edit. Manually edited films have hundreds. */
const maxEdits = 10_000

export const readMovieBox = (moovBody: Buffer, budget: SampleBudget): MovieBox => {
  const moov = readBoxes(moovBody)
  const { movieTimescale, isUntransformed } = readMovieHeader(requireBox(moov, 'mvhd'))
  const traks = moov.filter((box) => box.type === 'trak')
  checkEdits(traks)
  if (traks.length > maxTracks) throw new IsobmffError('too_large', `The file has ${traks.length} tracks.`)
  const mvex = findBox(moov, 'mvex')
  return {
    tracks: traks.map((trak) => {
      const track = readTrack(trak.body, movieTimescale, budget)
      return { ...track, isUntransformed: isUntransformed && track.isUntransformed }
    }),
    isFragmented: mvex !== undefined,
    defaultsByTrackId: new Map(mvex && readBoxes(mvex.body).filter(isTrackExtends).map(readDefaults)),
  }
}

/**
 * Checked before other errors, because a caller that cannot use our index may still pass the file to a
 * decoder.
 */
const checkEdits = (traks: readonly Box[]): void => {
  const edits = traks.reduce((sum, trak) => sum + countEdits(trak), 0)
  if (edits > maxEdits) throw new IsobmffError('too_many_edits', `The tracks have ${edits} edits.`)
}

const countEdits = (trak: Box): number => {
  const edts = findBox(readBoxes(trak.body), 'edts')
  const elst = edts && findBox(readBoxes(edts.body), 'elst')
  return elst === undefined ? 0 : readFullBox(elst.body).fields.u32()
}

/** mvhd (ISO/IEC 14496-12, 8.2.2). Some writers end the box after the duration. */
const readMovieHeader = (mvhd: Box): { movieTimescale: number; isUntransformed: boolean } => {
  const { version, fields } = readFullBox(mvhd.body)
  fields.skip(version === 1 ? 16 : 8)
  const movieTimescale = fields.u32()
  if (movieTimescale === 0) throw new IsobmffError('malformed', 'The movie has a timescale of 0.')
  const beforeMatrixBytes = (version === 1 ? 8 : 4) + 16
  if (fields.remainingBytes < beforeMatrixBytes + 36) return { movieTimescale, isUntransformed: false }
  fields.skip(beforeMatrixBytes)
  return { movieTimescale, isUntransformed: isIdentity(readMatrix(fields)) }
}

const isTrackExtends = (box: Box) => box.type === 'trex'

const readDefaults = (trex: Box): [trackId: number, defaults: SampleDefaults] => {
  const { fields } = readFullBox(trex.body)
  const trackId = fields.u32()
  fields.skip(4)
  return [trackId, { durationTicks: fields.u32(), sizeBytes: fields.u32(), flags: fields.u32() }]
}
