import { createReadStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  ffprobeValues,
  h264,
  makeMedia,
  testPicture,
  testTone,
  useFolder,
} from '../../test-support/sample-media.ts'
import { probeFile } from '../probe/probe-file.ts'
import { playedAudio } from '../probe/audio-tracks.ts'
import { canCopyAudio } from '../probe/copyable.ts'
import { pipedFormatOf, pipedRemuxArguments, remuxArguments } from './remux-arguments.ts'
import { runFfmpeg } from '../run/run-ffmpeg.ts'

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

const codecsAndPacketCounts = (path: string): Promise<string[]> =>
  ffprobeValues(path, 'stream=codec_name,nb_read_packets', '-count_packets')

test.each(['mkv', 'ts', 'flv'])('remuxes H.264 and AAC from %s into MP4 unchanged', async (extension) => {
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

test('remuxes a transport stream that announces a second audio track without data', async () => {
  const nothing = inFolder('nothing.raw')
  await writeFile(nothing, '')
  const tracks = [...testPicture('320x180', 1), ...testTone(1), '-f', 's16le', '-i', nothing]
  const maps = ['0', '1', '2'].flatMap((input) => ['-map', input])
  const source = await makeMedia(inFolder('announced.ts'), ...tracks, ...maps, ...h264, '-c:a', 'aac')
  expect(await ffprobeValues(source, 'format=nb_streams')).toEqual(['3'])
  expect((await probeFile(await remux(source))).audio).toHaveLength(1)
})

const packetsOf = async (path: string): Promise<number[][]> => {
  const values = (await ffprobeValues(path, 'packet=stream_index,pts_time,size')).map(Number)
  const packets = values.flatMap((_, index) => (index % 3 === 0 ? [values.slice(index, index + 3)] : []))
  return packets.toSorted(([one = 0], [other = 0]) => one - other)
}

test.each(['mkv', 'ts'])('remuxes H.264 and AAC in %s from a pipe into the same MP4', async (extension) => {
  const tracks = [...testPicture('320x180', 1), ...testTone(1), ...h264, '-c:a', 'aac', '-ar', '44100']
  const source = await makeMedia(inFolder(`piped.${extension}`), ...tracks)
  const probe = await probeFile(source)
  const outputPath = inFolder(`piped-${extension}.mp4`)
  const options = { outputPath, probe, copiedAudio: playedAudio(probe).map(({ index }) => index) }
  const args = pipedRemuxArguments({ ...options, format: pipedFormatOf(probe) ?? '' })
  await runFfmpeg(args, { outputPipes: 0, workFolder: inFolder('.'), input: createReadStream(source) }).done
  const [piped, plain] = await Promise.all([outputPath, await remux(source)].map(packetsOf))
  expect(piped?.map(([stream, , bytes]) => [stream, bytes])).toEqual(
    plain?.map(([stream, , bytes]) => [stream, bytes]),
  )
  // The clock of a transport stream is coarser than that of its audio and is smoothed differently.
  for (const [index, [, seconds]] of piped?.entries() ?? [])
    expect(Math.abs((seconds ?? 0) - (plain?.[index]?.[1] ?? 0))).toBeLessThan(0.001)
})

test('cancels the run when the input breaks off', async () => {
  const source = await makeMedia(inFolder('broken.mkv'), ...testPicture('320x180', 1), ...h264)
  const probe = await probeFile(source)
  const args = pipedRemuxArguments({
    outputPath: inFolder('broken.mp4'),
    probe,
    copiedAudio: [],
    format: 'matroska',
  })
  async function* input() {
    yield await readFile(source).then((bytes) => bytes.subarray(0, 1000))
    throw new Error('no more')
  }
  const run = runFfmpeg(args, { outputPipes: 0, workFolder: inFolder('.'), input: input() })
  await expect(run.done).rejects.toMatchObject({ code: 'aborted' })
})

test('drops audio that does not play everywhere and puts the default track first', async () => {
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

test('remuxes audio alone', async () => {
  const source = await makeMedia(inFolder('tone.aac'), ...testTone(1), '-c:a', 'aac')
  expect(await probeFile(await remux(source))).toMatchObject({ video: null, audio: [{ codec: 'aac' }] })
})
