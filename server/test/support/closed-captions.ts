import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { madeOnce } from './made-once.ts'

const run = promisify(execFile)

type Pair = readonly [number, number]

/** CTA-608-E 8.4: odd parity. */
const withParity = (byte: number): number => {
  const ones = byte.toString(2).replaceAll('0', '').length
  return ones % 2 === 0 ? byte | 0x80 : byte
}

const twice = (pair: Pair): Pair[] => [pair, pair]
const resumeLoading: Pair = [0x14, 0x20]
const lastRow: Pair = [0x14, 0x70]
const endOfCaption: Pair = [0x14, 0x2f]
const eraseDisplayed: Pair = [0x14, 0x2c]
const padding: Pair = [0, 0]

const popOn = (text: string): Pair[] => {
  const bytes = [...Buffer.from(text, 'latin1'), ...(text.length % 2 === 0 ? [] : [0])]
  const letters = bytes.flatMap((byte, at): Pair[] => (at % 2 === 0 ? [[byte, bytes[at + 1] ?? 0]] : []))
  return [...twice(resumeLoading), ...twice(lastRow), ...letters, ...twice(endOfCaption)]
}

/** ATSC A/53 part 4, 6.2.3, in an SEI message of H.264. */
const captionUnit = ([first, second]: Pair): Buffer => {
  const data = Buffer.concat([
    Buffer.from([0xb5, 0x00, 0x31]),
    Buffer.from('GA94'),
    Buffer.from([0x03, 0x41, 0xff, 0xfc, withParity(first), withParity(second), 0xff]),
  ])
  return Buffer.concat([Buffer.from([0, 0, 0, 1, 0x06, 0x04, data.length]), data, Buffer.from([0x80])])
}

const delimiter = Buffer.from([0, 0, 0, 1, 0x09])
const delimiterLength = delimiter.length + 1

export interface ShownText {
  readonly text: string
  /** Frame that carries the first byte. The text appears with its last byte. */
  readonly fromFrame: number
  readonly clearedAtFrame: number
}

/** Returns H.264 at 25 pictures a second, each with a pair of CTA-608 captions, many of them padding. */
export const makeClosedCaptions = async (texts: readonly ShownText[], seconds = 6): Promise<Buffer> => {
  const pairs = new Map<number, Pair>()
  const place = (frame: number, some: readonly Pair[]) =>
    some.forEach((pair, index) => pairs.set(frame + index, pair))
  for (const { text, fromFrame, clearedAtFrame } of texts) {
    place(fromFrame, popOn(text))
    place(clearedAtFrame, twice(eraseDisplayed))
  }
  const name = createHash('sha256')
    .update(JSON.stringify([texts, seconds]))
    .digest('hex')
    .slice(0, 32)
  const path = await madeOnce(`captions-${name}.mp4`, async (unfinished) => {
    const plain = `${unfinished}.h264`
    await run('ffmpeg', [
      ...['-nostdin', '-v', 'error', '-y', '-f', 'lavfi'],
      ...['-i', `testsrc2=size=320x180:rate=25:duration=${seconds}`],
      ...['-c:v', 'libx264', '-preset', 'superfast', '-pix_fmt', 'yuv420p', '-bf', '0', '-g', '50'],
      ...['-x264-params', 'aud=1', '-f', 'h264', plain],
    ])
    const bytes = await readFile(plain)
    const pieces: Buffer[] = []
    let frame = 0
    let end = 0
    for (let at = bytes.indexOf(delimiter); at !== -1; at = bytes.indexOf(delimiter, end), frame++) {
      pieces.push(bytes.subarray(end, at + delimiterLength), captionUnit(pairs.get(frame) ?? padding))
      end = at + delimiterLength
    }
    await writeFile(plain, Buffer.concat([...pieces, bytes.subarray(end)]))
    await run('ffmpeg', [
      ...['-nostdin', '-v', 'error', '-y', '-r', '25', '-f', 'h264', '-i', plain],
      ...['-c', 'copy', unfinished],
    ])
  })
  return readFile(path)
}
