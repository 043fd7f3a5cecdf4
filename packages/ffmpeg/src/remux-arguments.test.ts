import { expect, test } from 'vitest'
import {
  ffprobeValues,
  h264,
  makeMedia,
  testPicture,
  testTone,
  useFolder,
} from '../test-support/sample-media.ts'
import { probeFile } from './probe-file.ts'
import { playedAudio } from './audio-tracks.ts'
import { canCopyAudio } from './copyable.ts'
import { remuxArguments } from './remux-arguments.ts'
import { runFfmpeg } from './run-ffmpeg.ts'

const inFolder = useFolder()

const remux = async (inputPath: string): Promise<string> => {
  const probe = await probeFile(inputPath)
  const copiedAudio = playedAudio(probe)
    .filter(canCopyAudio)
    .map(({ index }) => index)
  const outputPath = `${inputPath}.mp4`
  const args = remuxArguments({ inputPath, outputPath, probe, copiedAudio })
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
  const moved = await remux(source)
  expect(await codecsAndPacketCounts(moved)).toEqual((await codecsAndPacketCounts(source)).slice(0, 4))
  const probe = await probeFile(moved)
  expect(probe).toMatchObject({ video: { codec: 'h264', codecTag: 'avc1' }, audio: [{ codec: 'aac' }] })
})

test('audio that does not play everywhere stays behind, and the default track comes first', async () => {
  const source = await makeMedia(
    inFolder('tracks.mkv'),
    ...testPicture('320x180', 1),
    ...testTone(1),
    ...testTone(1),
    ...testTone(1),
    ...['-map', '0', '-map', '1', '-map', '2', '-map', '3', ...h264],
    ...[
      '-c:a',
      'aac',
      '-c:a:0',
      'libopus',
      '-ar:a:1',
      '44100',
      '-disposition:a:0',
      '0',
      '-disposition:a:2',
      'default',
    ],
  )
  const { video, audio } = await probeFile(await remux(source))
  expect(video).toMatchObject({ codec: 'h264' })
  expect(audio).toMatchObject([
    { codec: 'aac', sampleRateHz: 48_000 },
    { codec: 'aac', sampleRateHz: 44_100 },
  ])
})

test('audio alone moves alone', async () => {
  const source = await makeMedia(inFolder('tone.aac'), ...testTone(1), '-c:a', 'aac')
  expect(await probeFile(await remux(source))).toMatchObject({ video: null, audio: [{ codec: 'aac' }] })
})
