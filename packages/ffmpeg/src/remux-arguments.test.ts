import { expect, test } from 'vitest'
import {
  ffprobeValues,
  h264,
  makeMedia,
  testPicture,
  testTone,
  useFolder,
} from '../test-support/sample-media.ts'
import { planRenditions } from './plan-renditions.ts'
import { probeFile } from './probe-file.ts'
import { remuxArguments } from './remux-arguments.ts'
import { runFfmpeg } from './run-ffmpeg.ts'

const inFolder = useFolder()

const remux = async (inputPath: string, isAudioCopied: boolean): Promise<string> => {
  const probe = await probeFile(inputPath)
  const { audio } = planRenditions(probe, { isVideoCopied: true, isAudioCopied })
  const outputPath = `${inputPath}.mp4`
  const args = remuxArguments({ inputPath, outputPath, probe, audio })
  await runFfmpeg(args, { outputPipes: 0, workFolder: inFolder('.') }).done
  return outputPath
}

/** Of two tracks; ffprobe lists those of a transport stream again by program. */
const codecsAndPacketCounts = (path: string): Promise<string[]> =>
  ffprobeValues(path, 'stream=codec_name,nb_read_packets', '-count_packets')

test.each(['mkv', 'ts', 'flv'])('H.264 and AAC in %s move into MP4 unchanged', async (extension) => {
  const source = await makeMedia(
    inFolder(`source.${extension}`),
    ...testPicture('320x180', 1),
    ...testTone(1),
    ...h264,
    '-c:a',
    'aac',
    '-ar',
    '44100',
  )
  const moved = await remux(source, true)
  expect(await codecsAndPacketCounts(moved)).toEqual((await codecsAndPacketCounts(source)).slice(0, 4))
  const probe = await probeFile(moved)
  expect(probe).toMatchObject({ video: { codec: 'h264', codecTag: 'avc1' }, audio: [{ codec: 'aac' }] })
})

test('audio that does not play everywhere is encoded on the way', async () => {
  const source = await makeMedia(
    inFolder('opus.mkv'),
    ...testPicture('320x180', 1),
    ...testTone(1),
    ...h264,
    '-c:a',
    'libopus',
  )
  const moved = await probeFile(await remux(source, false))
  expect(moved).toMatchObject({
    video: { codec: 'h264' },
    audio: [{ codec: 'aac', profile: 'LC', sampleRateHz: 48_000 }],
  })
})

test('audio alone moves alone', async () => {
  const source = await makeMedia(inFolder('tone.aac'), ...testTone(1), '-c:a', 'aac')
  expect(await probeFile(await remux(source, true))).toMatchObject({ video: null, audio: [{ codec: 'aac' }] })
})
