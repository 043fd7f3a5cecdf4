import { readFile } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { mutate, seededRandom } from '../test-support/mutations.ts'
import { createMediaFolder, ffmpeg, h264, testSound, testVideo } from '../test-support/media.ts'
import { readBoxes } from './boxes/box.ts'
import {
  countClaimedSamples,
  IsobmffError,
  readPartialMovie,
  readMovie,
  type Movie,
  type RandomAccessReader,
} from './index.ts'
import { u32, writeBox, writeFullBox } from './boxes/write-box.ts'

const folder = await createMediaFolder()
const media = [...testVideo('25', 2), ...testSound(2), ...h264(25), '-c:a', 'aac']

const makeFile = async (name: string, ...options: readonly string[]) => {
  await ffmpeg([...media, ...options, folder.path(name)])
  return readFile(folder.path(name))
}

const bufferReader = (bytes: Buffer): RandomAccessReader => ({
  sizeBytes: bytes.length,
  read: async (offset, length) => bytes.subarray(offset, offset + length),
})

const attempt = (bytes: Buffer): Promise<unknown> =>
  readMovie(bufferReader(bytes)).catch((error: unknown) => error)

const codeOf = async (bytes: Buffer) => {
  const result = await attempt(bytes)
  return result instanceof IsobmffError ? result.code : result
}

const expectSound = (result: unknown, sizeBytes: number) => {
  if (result instanceof IsobmffError) return
  expect(result).not.toBeInstanceOf(Error)
  for (const { samples } of (result as Movie).tracks) {
    const ends = samples.offsets.map((offset, index) => offset + samples.sizes[index]!)
    expect(ends.reduce((max, end) => Math.max(max, end), 0)).toBeLessThanOrEqual(sizeBytes)
  }
}

test.each([
  ['a moov after the media', []],
  ['a moov before the media', ['-movflags', '+faststart']],
  ['fragments', ['-movflags', '+frag_keyframe+empty_moov']],
])('readMovie returns an IsobmffError or a valid movie for changed bytes in %s', async (name, options) => {
  const bytes = await makeFile(`${name.replaceAll(' ', '-')}.mp4`, ...options)
  const random = seededRandom(7)
  const headers: number[] = []
  let at = 0
  for (const box of readBoxes(bytes)) {
    const headerBytes = box.type === 'mdat' ? 8 : box.bytes.length
    for (let index = 0; index < headerBytes; index++) headers.push(at + index)
    at += box.bytes.length
  }
  const interesting = [0, 1, 0x7f, 0x80, 0xff]
  let refused = 0
  for (let round = 0; round < 1500; round++) {
    const changed = Buffer.from(bytes)
    for (let change = 0; change <= round % 4; change++) {
      const value = interesting[random(8)] ?? random(256)
      changed[headers[random(headers.length)]!] = value
    }
    const result = await attempt(changed)
    expectSound(result, changed.length)
    if (result instanceof IsobmffError) refused++
  }
  expect(refused).toBeGreaterThan(50)
})

test('readMovie returns an IsobmffError or a valid movie within 2 s of processor time for files with any damage', async () => {
  const files = [
    await makeFile('whole.mp4'),
    await makeFile('whole-fast.mp4', '-movflags', '+faststart'),
    await makeFile('whole-fragments.mp4', '-movflags', '+frag_keyframe+empty_moov'),
  ] as const
  const random = seededRandom(11)
  for (let round = 0; round < 800; round++) {
    const { bytes, damage } = mutate(files[random(3)]!, files[random(3)]!, random)
    const before = process.threadCpuUsage()
    expectSound(await attempt(bytes), bytes.length)
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1_000, `round ${round}: ${damage.join(', ')}`).toBeLessThan(2_000)
  }
})

test.each([
  ['a moov after the media', []],
  ['a moov before the media', ['-movflags', '+faststart']],
])('a cut-off file with %s is truncated', async (name, options) => {
  const bytes = await makeFile(`cut-${name.replaceAll(' ', '-')}.mp4`, ...options)
  for (let length = 8; length < bytes.length - 16; length += 97) {
    expect(await codeOf(bytes.subarray(0, length))).toBe('truncated')
  }
})

test('a fragmented file that ends inside a fragment is truncated', async () => {
  const bytes = await makeFile('cut-fragments.mp4', '-movflags', '+frag_keyframe+empty_moov+skip_trailer')
  expect(await codeOf(bytes.subarray(0, bytes.length - 1))).toBe('truncated')
})

test('readMovie rejects other formats with not_isobmff', async () => {
  expect(await codeOf(Buffer.alloc(0))).toBe('not_isobmff')
  expect(await codeOf(Buffer.from('#EXTM3U\n#EXT-X-VERSION:7\n'))).toBe('not_isobmff')
  expect(await codeOf(Buffer.from('1a45dfa3a34286810142f7810142f2810442f381', 'hex'))).toBe('not_isobmff')
  expect(await codeOf(Buffer.alloc(1000))).toBe('not_isobmff')
})

const movieHeader = writeFullBox('mvhd', 0, 0, Buffer.alloc(8), u32(1000, 0), Buffer.alloc(80))

const videoTrack = (...sampleTable: readonly Buffer[]) =>
  writeBox(
    'trak',
    writeFullBox('tkhd', 0, 3, Buffer.alloc(80)),
    writeBox(
      'mdia',
      writeFullBox('mdhd', 0, 0, u32(0, 0, 1000, 0, 0)),
      writeFullBox('hdlr', 0, 0, u32(0), Buffer.from('vide'), Buffer.alloc(13)),
      writeBox(
        'minf',
        writeBox(
          'stbl',
          writeFullBox('stsd', 0, 0, u32(1), writeBox('avc1', Buffer.alloc(78))),
          ...sampleTable,
        ),
      ),
    ),
  )

const file = (...moov: readonly Buffer[]) =>
  Buffer.concat([writeBox('ftyp', Buffer.from('isom')), writeBox('moov', movieHeader, ...moov)])

const manySamples = 2 ** 31

test.each([
  ['sizes of their own', [writeFullBox('stsz', 0, 0, u32(0, manySamples))]],
  ['one size', [writeFullBox('stsz', 0, 0, u32(1, manySamples))]],
  ['compact sizes', [writeFullBox('stz2', 0, 0, u32(4, manySamples))]],
])(
  'readMovie rejects 2^31 samples with %s in a small file before it allocates memory',
  async (_name, boxes) => {
    const before = process.memoryUsage().arrayBuffers
    expect(await codeOf(file(videoTrack(...boxes, writeFullBox('stts', 0, 0, u32(1, manySamples, 2)))))).toBe(
      'malformed',
    )
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000)
  },
)

test.each([
  ['samples of one size', 'vide', [1, manySamples, 2], manySamples],
  ['raw pictures that last one tick', 'vide', [1, manySamples, 1], manySamples],
  // Readers index the chunks of raw audio.
  ['raw audio', 'soun', [1, manySamples, 1], 0],
])('countClaimedSamples counts %s without reading tables', async (_name, handler, times, claimed) => {
  const boxes = [writeFullBox('stts', 0, 0, u32(...times)), writeFullBox('stsz', 0, 0, u32(1, manySamples))]
  const bytes = file(videoTrack(...boxes))
  bytes.write(handler, bytes.indexOf('vide'), 'latin1')
  expect(await countClaimedSamples(bufferReader(bytes))).toBe(claimed)
})

test('countClaimedSamples trusts tables with an entry for each sample, and gives up on endless boxes', async () => {
  const table = writeFullBox('stsz', 0, 0, u32(0, 3, 1, 1, 1))
  expect(await countClaimedSamples(bufferReader(file(videoTrack(table))))).toBe(0)
  const boxes = Buffer.concat(Array.from({ length: 2 ** 15 + 1 }, () => writeBox('free')))
  expect(await countClaimedSamples(bufferReader(file(videoTrack(boxes))))).toBe(Infinity)
})

const fragmentOf = (flags: number, count: number, handler: 'vide' | 'soun' = 'vide') =>
  writeBox(
    'moof',
    writeBox(
      'traf',
      writeFullBox('tfhd', 0, 0, u32(handler === 'vide' ? 1 : 2)),
      writeFullBox('trun', 0, flags, u32(count)),
    ),
  )

const soundTrack = () => {
  const track = videoTrack()
  track.write('soun', track.indexOf('vide'), 'latin1')
  track.writeUInt32BE(2, track.indexOf('tkhd') + 16)
  return track
}

const malformed = Buffer.from([0, 0, 0, 4, 1, 1, 1, 1])

test.each<[string, Buffer[], number]>([
  ['runs without entries', [fragmentOf(0, 70), fragmentOf(0, 5)], 75],
  ['runs with fewer entries than they claim', [fragmentOf(0x200, manySamples)], manySamples],
  // Raw audio has a sample for each tick.
  [
    'the largest fragment of sound',
    [fragmentOf(0, 70), fragmentOf(0, 50, 'soun'), fragmentOf(0, 60, 'soun')],
    130,
  ],
  ['runs before a malformed box', [fragmentOf(0, 70), malformed], 70],
  [
    'a fragment of endless boxes',
    [writeBox('moof', ...Array<Buffer>(5_000).fill(writeBox('free')))],
    Infinity,
  ],
])('countClaimedSamples counts %s in fragments', async (_name, fragments, claimed) => {
  const bytes = Buffer.concat([file(videoTrack(), soundTrack()), ...fragments])
  expect(await countClaimedSamples(bufferReader(bytes))).toBe(claimed)
})

const compressedIndex = (index: Buffer, claimedBytes = index.length) =>
  writeBox(
    'cmov',
    writeBox('dcom', Buffer.from('zlib')),
    writeBox('cmvd', u32(claimedBytes), deflateSync(index)),
  )

const claiming = videoTrack(writeFullBox('stsz', 0, 0, u32(1, 70)))
const index = writeBox('moov', movieHeader, claiming)

test.each<[string, Buffer, number]>([
  ['the samples of a compressed index', compressedIndex(index), 70],
  ['a compressed index of 16 MB', compressedIndex(Buffer.alloc(2 ** 24)), Infinity],
  ['a compressed index that claims 16 MB', compressedIndex(index, 2 ** 24), Infinity],
  ['an index that is compressed twice', compressedIndex(writeBox('moov', compressedIndex(index))), Infinity],
  ['two compressed indexes', Buffer.concat([compressedIndex(index), compressedIndex(index)]), Infinity],
  [
    'two streams in a compressed index',
    writeBox('cmov', compressedIndex(index).subarray(8), compressedIndex(index).subarray(8)),
    Infinity,
  ],
  ['nothing in a damaged stream', writeBox('cmov', writeBox('cmvd', u32(900), Buffer.alloc(90))), 0],
])('countClaimedSamples counts %s', async (_name, compressed, claimed) => {
  expect(await countClaimedSamples(bufferReader(file(compressed)))).toBe(claimed)
})

const fragmentedHead = () => {
  const empty = ['stts', 'stsc', 'stco'].map((type) => writeFullBox(type, 0, 0, u32(0)))
  const track = videoTrack(writeFullBox('stsz', 0, 0, u32(0, 0)), ...empty)
  return file(track, writeBox('mvex', writeFullBox('trex', 0, 0, u32(0, 1, 0, 0, 0))))
}

test('readMovie rejects a run of 2^31 samples in a small fragment', async () => {
  const head = fragmentedHead()
  const run = writeFullBox('trun', 0, 0, u32(manySamples))
  const moof = writeBox('moof', writeBox('traf', writeFullBox('tfhd', 0, 0, u32(0)), run))
  expect(await codeOf(head)).toMatchObject({ isFragmented: true })
  expect(await codeOf(Buffer.concat([head, moof]))).toBe('malformed')
})

test('readMovie rejects a moov of more than 256 MiB without reading it', async () => {
  const header = Buffer.concat([
    writeBox('ftyp', Buffer.from('isom')),
    u32(2 ** 30),
    Buffer.from('moov'),
    u32(0, 0),
  ])
  const reader = { ...bufferReader(header), sizeBytes: 2 ** 31 }
  await expect(readMovie(reader)).rejects.toMatchObject({ code: 'too_large' })
})

test('readMovie rejects more samples than any real file has', async () => {
  const count = 2 ** 23 + 1
  const boxes = [writeFullBox('stsz', 0, 0, u32(2, count)), writeFullBox('stts', 0, 0, u32(1, count, 2))]
  const reader = { ...bufferReader(file(videoTrack(...boxes))), sizeBytes: 2 ** 40 }
  await expect(readMovie(reader)).rejects.toMatchObject({ code: 'too_large' })
})

test.each([
  ['a moov', (boxes: Buffer) => file(boxes)],
  ['a track', (boxes: Buffer) => file(videoTrack(boxes))],
  ['a fragment', (boxes: Buffer) => Buffer.concat([fragmentedHead(), writeBox('moof', boxes)])],
  [
    'a fragment of a track',
    (boxes: Buffer) => Buffer.concat([fragmentedHead(), writeBox('moof', writeBox('traf', boxes))]),
  ],
])('readMovie rejects more than 10,000 empty boxes in %s', async (_name, fileOf) => {
  const boxes = Buffer.concat(Array.from({ length: 10_001 }, () => writeBox('free')))
  expect(await codeOf(fileOf(boxes))).toBe('too_large')
})

test('readMovie rejects more than 10,000 edits before it reports other errors', async () => {
  const edits = writeBox('edts', writeFullBox('elst', 0, 0, u32(10_001), Buffer.alloc(12 * 10_001)))
  expect(await codeOf(file(videoTrack(), writeBox('trak', edits)))).toBe('too_many_edits')
})

test('readMovie rejects a fragment header of more than 8 MiB without reading it', async () => {
  const head = fragmentedHead()
  const bytes = Buffer.concat([head, u32(2 ** 23 + 16), Buffer.from('moof')])
  const reads: number[] = []
  const reader = {
    sizeBytes: 2 ** 31,
    read: async (offset: number, length: number) => {
      reads.push(length)
      return Buffer.concat([bytes, Buffer.alloc(64 * 1024)]).subarray(offset, offset + length)
    },
  }
  await expect(readMovie(reader)).rejects.toMatchObject({ code: 'too_large' })
  expect(Math.max(...reads)).toBeLessThanOrEqual(64 * 1024)
})

test('readPartialMovie accepts fewer samples than readMovie, because their bytes may not exist', async () => {
  const count = 2 ** 20 + 1
  const boxes = [
    writeFullBox('stsz', 0, 0, u32(2, count)),
    writeFullBox('stts', 0, 0, u32(1, count, 2)),
    writeFullBox('stsc', 0, 0, u32(1, 1, count, 1)),
    writeFullBox('stco', 0, 0, u32(1, 0)),
  ]
  const bytes = Buffer.concat([
    file(videoTrack(...boxes)),
    u32(2 ** 30),
    Buffer.from('mdat'),
    Buffer.alloc(16),
  ])
  expect(await readPartialMovie(bufferReader(bytes))).toEqual({ state: 'unfit' })
  const whole = { ...bufferReader(bytes), sizeBytes: 2 ** 31 }
  expect((await readMovie(whole)).tracks[0]?.samples.count).toBe(count)
})

test('readMovie rejects media in another file', async () => {
  const bytes = await makeFile('elsewhere.mp4')
  const flags = bytes.indexOf('url ') + 4
  bytes.writeUInt32BE(0, flags)
  expect(await codeOf(bytes)).toBe('malformed')
})

test('readMovie rejects overlapping samples, which would exceed the file size', async () => {
  const tables = [
    writeFullBox('stsz', 0, 0, u32(0, 4, 400, 400, 400, 400)),
    writeFullBox('stts', 0, 0, u32(1, 4, 40)),
    writeFullBox('stsc', 0, 0, u32(1, 1, 1, 1)),
    writeFullBox('stco', 0, 0, u32(4, 0, 0, 0, 0)),
  ]
  expect(await codeOf(file(videoTrack(...tables)))).toBe('malformed')
})
