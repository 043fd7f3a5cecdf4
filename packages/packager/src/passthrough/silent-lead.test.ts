import { writeFile } from 'node:fs/promises'
import { openFileReader, readMovie } from '@zoetrope/isobmff'
import { expect, test } from 'vitest'
import { createMediaFolder, ffmpeg, run } from '../../../isobmff/test-support/media.ts'
import { planPassthrough, type PassthroughTrack } from './plan-passthrough.ts'
import { readPassthroughSegment } from './read-passthrough-segment.ts'
import { createSilentLead, type SilentLead } from './silent-lead.ts'

const { path } = await createMediaFolder()

const makeSource = async (name: string, lateSeconds: number, sound: readonly string[]): Promise<string> => {
  const file = path(name)
  await ffmpeg([
    ...['-f', 'lavfi', '-i', 'testsrc2=size=64x36:rate=25:duration=8', '-itsoffset', String(lateSeconds)],
    ...['-f', 'lavfi', '-i', 'sine=duration=2', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
    ...['-c:a', 'aac', ...sound, file],
  ])
  return file
}

const planSound = async (file: string): Promise<{ track: PassthroughTrack; lead: SilentLead | null }> => {
  await using reader = await openFileReader(file)
  const plan = planPassthrough(await readMovie(reader), {
    track: 'audio',
    targetDurationSeconds: 4,
    maxDurationSeconds: 10,
  })
  if (!plan.ok) throw new Error(plan.reason)
  return { track: plan.track, lead: createSilentLead(plan.track) }
}

test.each([
  ['mono at 44.1 kHz', ['-ac', '1', '-ar', '44100']],
  ['stereo at 48 kHz', ['-ac', '2', '-ar', '48000']],
])('createSilentLead fills the gap before %s without a hole and decodes to silence', async (name, sound) => {
  const file = await makeSource(`${name}.mp4`, 5.5, sound)
  const { track, lead } = await planSound(file)
  if (lead === null) throw new Error('no lead')
  const [first, second, ...others] = lead.segments
  if (first === undefined || second === undefined) throw new Error('no two segments')
  expect(others).toEqual([])
  // The first segment starts at most one frame before the timeline, like priming.
  expect(first.startTicks).toBeGreaterThan(track.timescale - 1024 - 1)
  expect(first.startTicks).toBeLessThanOrEqual(track.timescale)
  expect(second.startTicks).toBe(first.startTicks + first.durationTicks)
  expect(second.startTicks + second.durationTicks).toBe(track.segments[0]!.startTicks)

  await using reader = await openFileReader(file)
  const stream = path(`${name} stream.mp4`)
  const parts = await readPassthroughSegment(reader, track, 0)
  await writeFile(
    stream,
    Buffer.concat([track.initSegment, ...lead.segments.map((_, index) => lead.segment(index)), ...parts]),
  )
  const decoded = await run('ffmpeg', [
    ...['-nostdin', '-v', 'error', '-xerror', '-i', stream, '-t', '5.4', '-f', 's16le', '-'],
  ])
  expect(decoded.length).toBeGreaterThan(5 * track.sampleRateHz * 2)
  expect(decoded.every((byte) => byte === 0)).toBe(true)
})

test('createSilentLead returns null when audio and video start together', async () => {
  const file = await makeSource('in-time.mp4', 0, [])
  expect((await planSound(file)).lead).toBeNull()
})
