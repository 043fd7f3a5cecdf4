import { createReadStream } from 'node:fs'
import { expect, test } from 'vitest'
import { createMediaFolder, ffmpeg, h264, testSound, testVideo } from '../../test-support/media.ts'
import { readDecoderConfiguration, readFragmentedTracks, writeOpusSampleEntry } from '../index.ts'

test('readFragmentedTracks yields fragments of both tracks and their decoder configurations', async () => {
  const folder = await createMediaFolder()
  const path = folder.path('two.mp4')
  const movflags = ['-movflags', '+empty_moov+default_base_moof+skip_trailer', '-frag_duration', '1']
  await ffmpeg([...testVideo('25', 1), ...testSound(1), ...h264(25), '-c:a', 'aac', ...movflags, path])
  const counts = { video: 0, audio: 0, other: 0 }
  const configurations: string[] = []
  for await (const piece of readFragmentedTracks(createReadStream(path) as AsyncIterable<Buffer>)) {
    if (piece.type === 'fragment') counts[piece.track.kind] += piece.samples.count
    else
      for (const { fourCC, sampleEntry } of piece.tracks)
        configurations.push(
          `${fourCC} ${readDecoderConfiguration(fourCC, sampleEntry)!.toString('hex', 0, 2)}`,
        )
  }
  expect(counts).toMatchObject({ video: 25, audio: expect.any(Number) })
  expect(counts.audio).toBeGreaterThanOrEqual(47)
  // AVCDecoderConfigurationRecord version 1, High profile; AudioSpecificConfig of AAC-LC, 48 kHz, mono.
  expect(configurations).toEqual(['avc1 0164', 'mp4a 1188'])
})

test('an Opus header survives the round trip through its sample entry', () => {
  const header = Buffer.from(`${Buffer.from('OpusHead').toString('hex')}0102380180bb0000000000`, 'hex')
  expect(readDecoderConfiguration('Opus', writeOpusSampleEntry(header).sampleEntry)).toEqual(header)
})
