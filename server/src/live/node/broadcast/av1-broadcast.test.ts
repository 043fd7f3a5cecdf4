import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MediaMessage } from '@zoetrope/rtmp'
import { expect, onTestFinished, test } from 'vitest'
import { countFrames } from '../../../../test/support/media.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { messagesOf } from '../outputs/ladder/test-support/ladder-bench.ts'
import { av1Frames, cannedStream } from '../outputs/recording/test-support/canned-stream.ts'
import { startLiveWorld, type TestStream } from '../test-support/live-world.ts'
import { publishMedia } from '../test-support/publish-media.ts'

const world = await startLiveWorld()

const publish = async ({ streamKey }: TestStream) => {
  const push = await publishMedia(world.rtmpPort, streamKey)
  onTestFinished(() => push.close())
  return push
}

const load = async (url: string) => {
  const response = await fetch(url)
  expect([url, response.status]).toEqual([url, 200])
  return Buffer.from(await response.arrayBuffer())
}

/** Loads a rendition as one file: its init segments and segments in playlist order. */
const loadRendition = async (url: string) => {
  const playlist = (await load(url)).toString()
  const names = [...playlist.matchAll(/#EXT-X-MAP:URI="([^"]+)"|^(\d+-\d+\.m4s)$/gm)]
  return Buffer.concat(
    await Promise.all(names.map(([, init, segment]) => load(new URL(init ?? segment!, url).href))),
  )
}

const framesIn = async (bytes: Buffer): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'av1-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'film.mp4'), bytes)
  return countFrames(join(folder, 'film.mp4'))
}

const temporalDelimiter = Buffer.of(0x12, 0)

test('delivers AV1 in HLS and DASH with a poster, and records every frame', async () => {
  const stream = await world.newStream({ is_auto_recorded: true })
  const [canned, video] = await Promise.all([cannedStream(), av1Frames(4)])
  const push = await publish(stream)
  expect(push.takes('av01')).toBe(true)
  const units = video.units.map((unit) => ({ ...unit, data: Buffer.concat([temporalDelimiter, unit.data]) }))
  const sent = messagesOf({ ...canned, video: { ...video, units } }, { codec: 'av01', untilMs: 4_000 })
  for (const message of sent) push.send(message)
  // `recording.started` may follow at once.
  await waitFor(stream.events, (all) => all.some(({ name }) => name === 'live.started'))

  const base = `${world.node().url}/l/${stream.playoutId}`
  const status = await world.server.call('GET', `/projects/${stream.projectId}/live/status`)
  expect(status.body).toMatchObject({
    Publisher: { Protocol: 'rtmp' },
    Video: { Codec: 'av01.0.00M.08', Width: 320, Height: 180, KeyFrameInterval: 1 },
  })
  for (const name of ['ll.m3u8', 'main.m3u8'])
    expect((await load(`${base}/${name}`)).toString()).toContain(
      'CODECS="av01.0.00M.08,mp4a.40.2",RESOLUTION=320x180',
    )
  expect((await load(`${base}/main.mpd`)).toString()).toContain('codecs="av01.0.00M.08"')
  expect((await load(`${base}/poster.jpg`)).subarray(0, 2)).toEqual(Buffer.of(0xff, 0xd8))
  const clip = await world.server.call('POST', `/projects/${stream.projectId}/live/clip`, {
    body: { Duration: 2 },
  })
  expect(clip.status).toBe(201)

  push.close()
  const { services } = world.server
  // The clip also sends `recording.finished`, sometimes before the recording is saved.
  const sourceBlob = await waitFor(
    async () => {
      const [kept] = await services.database.kysely
        .selectFrom('live_recordings')
        .innerJoin('media_files', 'media_files.id', 'live_recordings.file_id')
        .select('media_files.source_blob')
        .where('live_recordings.project_id', '=', stream.projectId)
        .where('live_recordings.kind', '=', 'recording')
        .execute()
      return kept?.source_blob ?? null
    },
    (blob) => blob !== null,
  )
  const film = await loadRendition(`${base}/video/standard.m3u8`)
  expect(film.includes(Buffer.concat([temporalDelimiter, video.units[0]!.data.subarray(0, 8)]))).toBe(false)
  expect(await framesIn(film)).toBe(video.units.length)
  expect(await framesIn(await loadRendition(`${base}/av/live.m3u8`))).toBe(video.units.length)
  await services.blobs.withLocalFile(sourceBlob!, async (path) =>
    expect(await countFrames(path)).toBe(video.units.length),
  )
})

const broken = (type: 'video-configuration' | 'video-frame', data: Buffer): MediaMessage =>
  type === 'video-configuration'
    ? { type, codec: 'av01', data }
    : { type, codec: 'av01', timestampMs: 0, compositionTimeMs: 0, isKeyFrame: true, data }

test.each([
  ['record', [broken('video-configuration', Buffer.from('no record'))], 'not an av1C'],
  [
    'frame',
    [
      broken('video-configuration', Buffer.from('81000c000a0b000000043d06d402f80040', 'hex')),
      broken('video-frame', Buffer.from('32ffff03', 'hex')),
    ],
    'An OBU claims 65535 bytes (remaining: 0)',
  ],
])('rejects an unreadable AV1 %s and logs the reason', async (_what, messages, words) => {
  const stream = await world.newStream()
  const push = await publish(stream)
  for (const message of messages) push.send(message)
  expect(await push.ended).toContain(words)
  await stream.until('live.failed')
  expect(await stream.logCodes()).toContain('unsupported')
  const { body } = await waitFor(
    () => world.server.call('GET', `/projects/${stream.projectId}/live/log`),
    (answer) => JSON.stringify(answer.body).includes(words),
  )
  expect(JSON.stringify(body)).toContain('The AV1 that the encoder sends cannot be read')
})
