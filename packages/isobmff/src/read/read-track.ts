import { findBox, readBoxes, requireBox, type Box } from '../boxes/box.ts'
import { readFullBox, type Fields } from '../boxes/fields.ts'
import { IsobmffError } from '../boxes/isobmff-error.ts'
import type { Track, TrackKind } from '../movie/movie.ts'
import { readEditList } from './read-edit-list.ts'
import { readSampleEntry } from './read-sample-entry.ts'
import { readSampleTable } from './read-sample-table.ts'
import { createSampleTable, type SampleBudget } from '../movie/sample-table.ts'

/** Reads a trak box (ISO/IEC 14496-12, 8.3.1). Edit durations use `movieTimescale` from the mvhd. */
export const readTrack = (trakBody: Buffer, movieTimescale: number, budget: SampleBudget): Track => {
  const trak = readBoxes(trakBody)
  const header = readTrackHeader(requireBox(trak, 'tkhd'))
  const mdia = readBoxes(requireBox(trak, 'mdia').body)
  const { timescale, ...media } = readMediaHeader(requireBox(mdia, 'mdhd'))
  const kind = readKind(requireBox(mdia, 'hdlr'))
  const minf = readBoxes(requireBox(mdia, 'minf').body)
  const stbl = readBoxes(requireBox(minf, 'stbl').body)
  const { dataReferenceIndex, ...entry } = readSampleEntry(requireBox(stbl, 'stsd').body, kind)
  if (kind !== 'other') checkSelfContained(minf, dataReferenceIndex)
  return {
    ...header,
    kind,
    timescale,
    ...media,
    hasMetadata: findBox(trak, 'udta') !== undefined || findBox(trak, 'meta') !== undefined,
    ...entry,
    ...readEditList(findBox(trak, 'edts'), timescale, movieTimescale),
    samples: kind === 'other' ? createSampleTable(0) : readSampleTable(stbl, budget),
  }
}

const unityFixed = 0x1_0000

/** Reads the track id, the matrix and the size for display (ISO/IEC 14496-12, 8.3.2). */
const readTrackHeader = (tkhd: Box) => {
  const { version, fields } = readFullBox(tkhd.body)
  fields.skip(version === 1 ? 16 : 8)
  const id = fields.u32()
  fields.skip(version === 1 ? 12 : 8)
  fields.skip(16)
  const matrix = readMatrix(fields)
  const [cosine = 0, sine = 0] = matrix
  const degrees = Math.round((Math.atan2(sine / unityFixed, cosine / unityFixed) * 180) / Math.PI)
  const rotationDegrees = degrees % 90 === 0 ? (degrees + 360) % 360 : 0
  // Some writers end the box after the matrix.
  const hasSize = fields.remainingBytes >= 8
  return {
    id,
    rotationDegrees,
    isUntransformed: isIdentity(matrix),
    displayWidthPixels: hasSize ? fields.u32() / unityFixed : 0,
    displayHeightPixels: hasSize ? fields.u32() / unityFixed : 0,
  }
}

/** Returns a, b, u, c, d, v, x, y and w. Values after b that are missing are 0. */
export const readMatrix = (fields: Fields): number[] => [
  fields.i32(),
  fields.i32(),
  ...Array.from({ length: 7 }, () => (fields.remainingBytes >= 4 ? fields.i32() : 0)),
]

/** Ignores the position (x and y). */
export const isIdentity = ([a, b, u, c, d, v, , , w]: readonly number[]): boolean =>
  a === unityFixed && d === unityFixed && w === 0x4000_0000 && [b, u, c, v].every((value) => value === 0)

/**
 * mdhd (ISO/IEC 14496-12, 8.4.2): the language is three letters of five bits. QuickTime language codes are
 * treated as unknown.
 */
const readMediaHeader = (mdhd: Box) => {
  const { version, fields } = readFullBox(mdhd.body)
  fields.skip(version === 1 ? 16 : 8)
  const timescale = fields.u32()
  if (timescale === 0) throw new IsobmffError('malformed', 'A track has a timescale of 0.')
  fields.skip(version === 1 ? 8 : 4)
  const packed = fields.u16()
  const letters = [packed >> 10, packed >> 5, packed].map((letter) => letter & 0x1f)
  const isLanguage = letters.every((letter) => letter >= 1 && letter <= 26)
  const language = isLanguage ? String.fromCharCode(...letters.map((letter) => letter + 0x60)) : 'und'
  return { timescale, language, isLanguageRead: isLanguage || packed === unspecified }
}

/** QuickTime File Format, "Language code values". */
const unspecified = 0x7fff

const readKind = (hdlr: Box): TrackKind => {
  const { fields } = readFullBox(hdlr.body)
  fields.skip(4)
  const handler = fields.fourCC()
  if (handler === 'vide') return 'video'
  return handler === 'soun' ? 'audio' : 'other'
}

/**
 * dref (ISO/IEC 14496-12, 8.7.2): media may be in another file, which is unavailable. A missing box means
 * this file.
 */
const checkSelfContained = (minf: readonly Box[], dataReferenceIndex: number): void => {
  const dinf = findBox(minf, 'dinf')
  const dref = dinf && findBox(readBoxes(dinf.body), 'dref')
  if (dref === undefined) return
  const { fields } = readFullBox(dref.body)
  fields.skip(4)
  const entry = readBoxes(fields.rest())[dataReferenceIndex - 1]
  if (entry === undefined || (readFullBox(entry.body).flags & 1) === 1) return
  throw new IsobmffError('malformed', 'The media of a track is in another file.')
}
