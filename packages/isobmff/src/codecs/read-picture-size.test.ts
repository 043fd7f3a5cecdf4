import { expect, test } from 'vitest'
import { ffmpeg } from '../../test-support/media.ts'
import { IsobmffError, readFragmentStream, readPictureSize, writeOpusSampleEntry } from '../index.ts'
import { describeSampleEntry } from '../read/read-sample-entry.ts'
import { writeVisualSampleEntry } from './write-sample-entry.ts'

const encode = async (args: readonly string[]) => {
  const output = ['-movflags', '+empty_moov+default_base_moof+frag_keyframe', '-f', 'mp4', 'pipe:1']
  const bytes = await ffmpeg([...args, ...output])
  async function* input() {
    yield await Promise.resolve(bytes)
  }
  for await (const piece of readFragmentStream(input())) {
    if (piece.type === 'init') return piece.track
  }
  throw new Error('no track')
}

test.each([
  ['avc1', 'libx264', '318x182', 'yuv420p'],
  ['avc1', 'libx264', '320x180', 'yuv444p'],
  ['hvc1', 'libx265', '328x184', 'yuv420p'],
] as const)(
  'readPictureSize reads the %s configuration of %s as %s',
  async (fourCC, encoder, size, format) => {
    const quiet = encoder === 'libx265' ? ['-x265-params', 'log-level=none', '-tag:v', 'hvc1'] : []
    const source = ['-f', 'lavfi', '-i', `testsrc2=s=${size}:d=0.04`, '-pix_fmt', format]
    const track = await encode([...source, '-c:v', encoder, '-preset', 'ultrafast', ...quiet])
    const box = fourCC === 'avc1' ? 'avcC' : 'hvcC'
    const at = track.sampleEntry.indexOf(box) - 4
    const configuration = track.sampleEntry.subarray(at + 8, at + track.sampleEntry.readUInt32BE(at))
    const [widthPixels, heightPixels] = size.split('x').map(Number) as [number, number]
    expect(readPictureSize(fourCC, configuration)).toEqual({ widthPixels, heightPixels })
    const entry = writeVisualSampleEntry(fourCC, configuration, { widthPixels, heightPixels })
    expect(describeSampleEntry(entry, 'video').codec).toBe(track.codec)
  },
)

test.each(['', '01', '0142c00cff00', '0142c00cffe1ffff67', '0142c00cffe10001670100'])(
  'readPictureSize rejects the configuration %j',
  (hex) => {
    expect(() => readPictureSize('avc1', Buffer.from(hex, 'hex'))).toThrow(IsobmffError)
  },
)

test('writeOpusSampleEntry converts an Opus header to the other byte order', () => {
  const header = Buffer.from('4f707573486561640102380180bb0000000000', 'hex')
  const { sampleEntry, channels } = writeOpusSampleEntry(header)
  expect(channels).toBe(2)
  expect(sampleEntry.toString('hex')).toContain(
    Buffer.from('dOps').toString('hex') + '000201380000bb80000000',
  )
  expect(() => writeOpusSampleEntry(header.subarray(1))).toThrow(IsobmffError)
})
