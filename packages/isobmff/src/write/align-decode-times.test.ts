import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { ffmpeg, h264, testVideo } from '../../test-support/media.ts'
import { alignDecodeTimes } from './align-decode-times.ts'
import { readFragmentStream, type FragmentPiece } from '../read/read-fragment-stream.ts'
import { createSampleTable } from '../movie/sample-table.ts'
import { writeMediaSegment } from './write-media-segment.ts'

const fragmentsOf = async (bytes: Buffer): Promise<FragmentPiece[]> => {
  const pieces = await Array.fromAsync(readFragmentStream(Readable.from([bytes])))
  return pieces.filter((piece) => piece.type === 'fragment')
}

const presented = ({ samples }: FragmentPiece): number[] =>
  Array.from(samples.decodeTimes, (time, index) => time + samples.compositionOffsets[index]!)

const makeFragment = async (): Promise<{ head: Buffer; segment: Buffer }> => {
  const movie = await ffmpeg([
    ...[...testVideo('30', 1), ...h264(30), '-movflags', 'empty_moov+default_base_moof', '-f', 'mp4', '-'],
  ])
  const at = movie.indexOf('moof', 0, 'latin1') - 4
  return { head: movie.subarray(0, at), segment: movie.subarray(at) }
}

test('alignDecodeTimes moves the first decode time to its presentation time and keeps presentation times', async () => {
  const { head, segment } = await makeFragment()
  const [before] = await fragmentsOf(Buffer.concat([head, segment]))
  const aligned = Buffer.from(segment)
  alignDecodeTimes(aligned)
  const [after] = await fragmentsOf(Buffer.concat([head, aligned]))
  if (before === undefined || after === undefined) throw new Error('no fragment')
  expect(before.samples.compositionOffsets[0]).toBeGreaterThan(0)
  expect(after.samples.compositionOffsets[0]).toBe(0)
  expect(after.baseDecodeTime).toBe(before.baseDecodeTime + before.samples.compositionOffsets[0]!)
  expect(presented(after)).toEqual(presented(before))
  expect(aligned.length).toBe(segment.length)
  // A second call changes nothing.
  const again = Buffer.from(aligned)
  alignDecodeTimes(again)
  expect(again.equals(aligned)).toBe(true)
})

test('alignDecodeTimes leaves a segment without reordering unchanged', () => {
  const table = createSampleTable(2)
  table.sizes.fill(1)
  table.durations.fill(10)
  const segment = Buffer.concat(
    writeMediaSegment({
      sequenceNumber: 1,
      baseDecodeTime: 7,
      table,
      firstSample: 0,
      sampleCount: 2,
      data: [Buffer.from('ab')],
    }),
  )
  const aligned = Buffer.from(segment)
  alignDecodeTimes(aligned)
  expect(aligned.equals(segment)).toBe(true)
})
