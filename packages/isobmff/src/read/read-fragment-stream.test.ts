import { expect, test } from 'vitest'
import {
  createMediaFolder,
  ffmpeg,
  h264,
  probePackets,
  testSound,
  testVideo,
} from '../../test-support/media.ts'
import { writeFile } from 'node:fs/promises'
import { readFragmentStream, type FragmentPiece, type InitPiece } from '../index.ts'

const folder = await createMediaFolder()
const toPipe = ['-movflags', '+empty_moov+default_base_moof+frag_keyframe+skip_trailer', '-use_editlist', '0']
const stream = await ffmpeg([...testVideo('25', 3), ...h264(25), ...toPipe, '-f', 'mp4', 'pipe:1'])
await writeFile(folder.path('stream.mp4'), stream)

async function* inPieces(bytes: Buffer, pieceBytes: number) {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

const collect = (bytes: Buffer, pieceBytes = 65_536) =>
  Array.fromAsync(readFragmentStream(inPieces(bytes, pieceBytes)))

test('readFragmentStream yields the init piece and then fragments that start with a key frame', async () => {
  const [init, ...fragments] = (await collect(stream)) as [InitPiece, ...FragmentPiece[]]
  expect(init).toMatchObject({ type: 'init', track: { kind: 'video', widthPixels: 320 } })
  expect(init.bytes.equals(stream.subarray(0, init.bytes.length))).toBe(true)
  expect(fragments.map(({ samples }) => samples.isSync[0])).toEqual([1, 1, 1])
  expect(fragments.map(({ samples }) => samples.count)).toEqual([25, 25, 25])
  const packets = await probePackets(folder.path('stream.mp4'), 'v:0')
  const times = fragments.flatMap(({ samples }) => [...samples.decodeTimes])
  expect(times).toEqual(packets.map((packet) => packet.dts))
  expect(fragments.map((fragment) => fragment.baseDecodeTime)).toEqual(
    [0, 25, 50].map((index) => times[index]),
  )
})

test('readFragmentStream yields fragments whose data contains the sample bytes', async () => {
  const [, ...fragments] = (await collect(stream)) as [InitPiece, ...FragmentPiece[]]
  const packets = await probePackets(folder.path('stream.mp4'), 'v:0')
  const samples = fragments.flatMap(({ samples: table, data }) =>
    Array.from(table.offsets, (offset, index) => data.subarray(offset, offset + table.sizes[index]!)),
  )
  const bytesOfPackets = packets.map(({ position, sizeBytes }) =>
    stream.subarray(position, position + sizeBytes),
  )
  expect(Buffer.concat(samples).equals(Buffer.concat(bytesOfPackets))).toBe(true)
})

test.each([1, 7, 1000, 1_000_000])(
  'readFragmentStream yields the same pieces from input of %i bytes at a time',
  async (pieceBytes) => {
    expect(await collect(stream, pieceBytes)).toEqual(await collect(stream))
  },
)

test('readFragmentStream yields a fragment as soon as it is complete', async () => {
  let givenBytes = 0
  async function* counted() {
    for await (const piece of inPieces(stream, 1000)) {
      givenBytes += piece.length
      yield piece
    }
  }
  for await (const piece of readFragmentStream(counted())) {
    if (piece.type === 'fragment') break
  }
  expect(givenBytes).toBeLessThan(stream.length / 2)
})

test('a stream that ends inside a fragment is truncated', async () => {
  for (const length of [0, 5, 100, 900, stream.length / 2, stream.length - 1]) {
    await expect(collect(stream.subarray(0, length))).rejects.toMatchObject({ code: 'truncated' })
  }
})

test('readFragmentStream rejects a stream of two tracks', async () => {
  const args = [...testVideo('25', 1), ...testSound(1), ...h264(25), '-c:a', 'aac', ...toPipe]
  const two = await ffmpeg([...args, '-f', 'mp4', 'pipe:1'])
  await expect(collect(two)).rejects.toMatchObject({ code: 'malformed' })
})
