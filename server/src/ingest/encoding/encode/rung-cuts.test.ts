import { parseMediaPlaylist, parseMultivariantPlaylist } from '@zoetrope/hls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeMedia } from '../../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

const seconds = 66
const frameSeconds = 1 / 25

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
})

afterAll(() => server.stop())

/** Makes H.264 that plays without encoding, with key frames at irregular times up to nine seconds apart. */
const makeUnevenSource = (): Promise<Buffer> =>
  makeMedia([
    ...['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=25:duration=${seconds}`],
    ...['-c:v', 'libx264', '-preset', 'superfast', '-pix_fmt', 'yuv420p', '-g', '225', '-sc_threshold', '0'],
    ...['-force_key_frames', '3.32,5.4,13.08,14,20.6,31.2,38.04,50.72'],
  ])

const startsOf = async (url: string): Promise<number[]> => {
  const playlist = parseMediaPlaylist(await (await fetch(url)).text())
  for (const { durationSeconds } of playlist.segments)
    expect(Math.round(durationSeconds)).toBeLessThanOrEqual(playlist.targetDurationSeconds)
  let at = 0
  return playlist.segments.map(({ durationSeconds }) => (at += durationSeconds) - durationSeconds)
}

test.each([
  ['h264 in one run', { Renditions: [{ Height: 144 }, { Height: 90 }] }],
  ['hevc', { Renditions: [{ Height: 90 }], VideoCodecs: ['hevc'] }],
])('aligns the segments of encoded rungs with those of a passthrough source: %s', async (_name, settings) => {
  const project = await server.call('POST', '/projects', {
    body: {
      Name: 'Cuts',
      DefaultReleaseStatus: 'published',
      EncoderSettings: { LadderMode: 'eager', ...settings },
    },
  })
  const path = `/projects/${project.body.Id}/files`
  const created = await server.call('POST', path, { body: { FileName: 'uneven.mp4' } })
  await request(created.body.Upload.URI, 'PUT', { body: await makeUnevenSource() })
  const { body } = await waitFor(
    () => server.call('GET', `${path}/${created.body.Id}`),
    ({ body: file }) => file.IsFinished,
  )
  const url: string = body.Playouts[0].HLS
  const { variants } = parseMultivariantPlaylist(await (await fetch(url)).text())
  const all = await Promise.all(variants.map(({ uri }) => startsOf(url.replace('main.m3u8', uri))))
  expect(all.length).toBeGreaterThan(1)
  expect(all[0]!.length).toBeGreaterThan(8)
  for (const starts of all) {
    expect(starts.length).toBe(all[0]!.length)
    for (const [index, start] of starts.entries())
      expect(Math.abs(start - all[0]![index]!)).toBeLessThan(frameSeconds / 2)
  }
})
