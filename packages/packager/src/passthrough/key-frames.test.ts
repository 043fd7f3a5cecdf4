import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openFileReader, readMovie } from '@zoetrope/isobmff'
import {
  createMediaFolder,
  ffmpeg,
  h264,
  hashFrames,
  testVideo,
} from '../../../isobmff/test-support/media.ts'
import { keyFramesAt, planPassthrough, readPassthroughSegment } from '../index.ts'

const folder = await createMediaFolder()

test('keyFramesAt reads only the last key frame at or before each time, each once', async () => {
  const path = folder.path('source.mp4')
  // One key frame per second and segments of four seconds.
  await ffmpeg([...testVideo('25', 9), ...h264(25), path])
  await using reader = await openFileReader(path)
  const planned = planPassthrough(await readMovie(reader), {
    track: 'video',
    targetDurationSeconds: 4,
    maxDurationSeconds: 10,
  })
  if (!planned.ok) throw new Error(planned.reason)
  // The video begins at one second on the common timeline.
  const track = keyFramesAt(planned.track, [0, 1, 1.9, 3, 6.5, 6.9, 99])
  expect(track.segments.map(({ startTicks }) => startTicks / track.timescale)).toEqual([1, 3, 6, 9])
  const segments = await Promise.all(
    [...track.segments.keys()].map((index) => readPassthroughSegment(reader, track, index)),
  )
  const packaged = folder.path('key-frames.mp4')
  await writeFile(packaged, Buffer.concat([track.initSegment, ...segments.flat()]))
  const all = await hashFrames(path, 'v:0')
  expect(await hashFrames(packaged, 'v:0')).toEqual([0, 50, 125, 200].map((frame) => all[frame]))
})
