import { findBox, readBoxes, type Box } from '../boxes/box.ts'
import { readCodecFacts } from '../codecs/codec-string.ts'
import { Fields, readFullBox } from '../boxes/fields.ts'
import { IsobmffError } from '../boxes/isobmff-error.ts'
import { u32, writeBox } from '../boxes/write-box.ts'
import type { TrackKind } from '../movie/movie.ts'

export interface SampleEntryFacts {
  readonly sampleEntry: Buffer
  readonly sampleEntryCount: number
  readonly dataReferenceIndex: number
  readonly fourCC: string
  readonly codec: string
  readonly isEncrypted: boolean
  readonly widthPixels: number
  readonly heightPixels: number
  readonly pixelAspectRatio: readonly [horizontal: number, vertical: number]
  readonly channels: number
  readonly sampleRateHz: number
}

/** Reads the first sample entry of an stsd box (ISO/IEC 14496-12, 8.5.2). */
export const readSampleEntry = (stsdBody: Buffer, kind: TrackKind): SampleEntryFacts => {
  const { version, fields } = readFullBox(stsdBody)
  const sampleEntryCount = fields.entryCount(8)
  const entry = readBoxes(fields.rest())[0]
  if (entry === undefined) throw new IsobmffError('malformed', 'A track has no sample entry.')
  const head = new Fields(entry.body)
  head.skip(6)
  const base = {
    // Copied, because a subarray would keep the whole moov buffer in memory.
    sampleEntry: Buffer.from(entry.bytes),
    sampleEntryCount,
    dataReferenceIndex: head.u16(),
    fourCC: entry.type,
    codec: entry.type,
    isEncrypted: entry.type === 'encv' || entry.type === 'enca',
    widthPixels: 0,
    heightPixels: 0,
    pixelAspectRatio: [1, 1] as const,
    channels: 0,
    sampleRateHz: 0,
  }
  if (kind === 'video') return { ...base, ...readVisualEntry(entry) }
  if (kind === 'audio') return { ...base, ...readAudioEntry(entry, version) }
  return base
}

export const describeSampleEntry = (
  entry: Buffer,
  kind: TrackKind,
): Pick<SampleEntryFacts, 'codec' | 'channels' | 'sampleRateHz'> =>
  readSampleEntry(Buffer.concat([u32(0, 1), entry]), kind)

/**
 * Visual sample entry of ISO/IEC 14496-12, 12.1.3. Rewritten without the zero bytes that QuickTime appends
 * after the last child.
 */
const readVisualEntry = (entry: Box) => {
  const fields = new Fields(entry.body)
  fields.skip(24)
  const widthPixels = fields.u16()
  const heightPixels = fields.u16()
  fields.skip(50)
  const children = readBoxes(fields.rest())
  return {
    codec: readCodecFacts(entry.type, children).codec,
    widthPixels,
    heightPixels,
    pixelAspectRatio: readPixelAspectRatio(children),
    sampleEntry: writeEntry(entry.type, entry.body.subarray(0, 78), children),
  }
}

/** pasp box of ISO/IEC 14496-12, 12.1.4. Zero values are invalid and are treated as square pixels. */
const readPixelAspectRatio = (children: readonly Box[]): readonly [number, number] => {
  const pasp = findBox(children, 'pasp')
  if (pasp === undefined) return [1, 1]
  const fields = new Fields(pasp.body)
  const horizontal = fields.u32()
  const vertical = fields.u32()
  return horizontal > 0 && vertical > 0 ? [horizontal, vertical] : [1, 1]
}

/**
 * Audio sample entry of ISO/IEC 14496-12, 12.2.3. QuickTime uses longer entries (versions 1 and 2) with the
 * decoder configuration in a 'wave' box. Browsers do not read them, so they are converted to the standard
 * entry.
 */
const readAudioEntry = (entry: Box, stsdVersion: number) => {
  const fields = new Fields(entry.body)
  fields.skip(8)
  const version = fields.u16()
  fields.skip(6)
  let channels = fields.u16()
  fields.skip(6)
  let sampleRateHz = fields.u32() / 65_536
  const isQuickTime = stsdVersion === 0 && version > 0
  if (isQuickTime && version === 1) fields.skip(16)
  if (isQuickTime && version === 2) {
    fields.skip(4)
    sampleRateHz = fields.f64()
    channels = fields.u32()
    fields.skip(20)
  }
  let children = readBoxes(fields.rest())
  const wave = findBox(children, 'wave')
  if (wave !== undefined) children = readBoxes(wave.body).filter((box) => box.type === 'esds')
  const facts = { channels, sampleRateHz, ...readCodecFacts(entry.type, children) }
  const needsPlainEntry = isQuickTime || wave !== undefined
  const head = needsPlainEntry
    ? plainAudioHead(entry.body, facts.channels, facts.sampleRateHz)
    : entry.body.subarray(0, 28)
  return { ...facts, sampleEntry: writeEntry(entry.type, head, children) }
}

const plainAudioHead = (body: Buffer, channels: number, sampleRateHz: number): Buffer => {
  const head = Buffer.alloc(28)
  body.copy(head, 0, 0, 8)
  head.writeUInt16BE(channels & 0xffff, 16)
  head.writeUInt16BE(16, 18)
  // Larger rates do not fit the 16-bit field; the decoder configuration contains them.
  head.writeUInt16BE(sampleRateHz > 0 && sampleRateHz < 65_536 ? Math.floor(sampleRateHz) : 0, 24)
  return head
}

const writeEntry = (type: string, head: Buffer, children: readonly Box[]): Buffer =>
  writeBox(type, head, ...children.map((child) => child.bytes))
