import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readPartialMovie, readMovie } from '@zoetrope/isobmff'
import { createMediaFolder, ffmpeg, h264, testSound, testVideo } from '../../../isobmff/test-support/media.ts'
import { countReceivedSegments, planPassthrough, readPassthroughSegment, segmentByteEnds } from '../index.ts'

const folder = await createMediaFolder()
const options = { targetDurationSeconds: 2, maxDurationSeconds: 10 }
const readerOf = (bytes: Buffer, sizeBytes = bytes.length) => ({
  sizeBytes,
  read: async (offset: number, length: number) =>
    bytes.subarray(0, sizeBytes).subarray(offset, offset + length),
})

const served = async (bytes: Buffer, sizeBytes: number, kind: 'video' | 'audio') => {
  const look = await readPartialMovie(readerOf(bytes, sizeBytes))
  if (look.state !== 'here') return []
  const planned = planPassthrough(look.movie, { track: kind, ...options })
  if (!planned.ok) return []
  const count = countReceivedSegments(segmentByteEnds(planned.track), sizeBytes, look.movie)
  const reader = readerOf(bytes, sizeBytes)
  return Promise.all(
    Array.from({ length: count }, async (_, index) =>
      Buffer.concat(await readPassthroughSegment(reader, planned.track, index)),
    ),
  )
}

test.each([
  ['fast-start', '+faststart', 0],
  ['fragmented', '+frag_keyframe+empty_moov+default_base_moof', 1],
])(
  'a partially received %s source serves a longer and longer prefix of the final segments',
  async (name, movflags, leftOutAtEnd) => {
    const path = folder.path(`${name}.mp4`)
    const source = [...testVideo('25', 14), ...testSound(14), ...h264(25)]
    await ffmpeg([...source, '-c:a', 'aac', '-movflags', movflags, path])
    const bytes = await readFile(path)
    for (const kind of ['video', 'audio'] as const) {
      const planned = planPassthrough(await readMovie(readerOf(bytes)), { track: kind, ...options })
      if (!planned.ok) throw new Error(planned.reason)
      const whole = await Promise.all(
        planned.track.segments.map(async (_, index) =>
          Buffer.concat(await readPassthroughSegment(readerOf(bytes), planned.track, index)),
        ),
      )
      let before = 0
      for (let part = 0; part <= 30; part++) {
        const now = await served(bytes, Math.floor((bytes.length * part) / 30), kind)
        expect(now.length).toBeGreaterThanOrEqual(before)
        expect(now.every((segment, index) => segment.equals(whole[index]!))).toBe(true)
        before = now.length
      }
      expect(before).toBe(whole.length - leftOutAtEnd)
    }
  },
)
