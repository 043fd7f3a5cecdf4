import { readFile, rm, mkdtemp, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../../../../test/support/free-port.ts'
import { waitFor } from '../../../../../test/support/wait-for.ts'
import { findFreeUdpPort } from '../srt/srt-bridge.ts'
import {
  audioFrames,
  hevcArguments,
  startFfmpeg,
  startSourceWorld,
  testMedia,
  videoFrames,
  type SourceStream,
} from '../sources/test-support/test-sources.ts'

const world = await startSourceWorld()

const publisherOf = async ({ projectId }: SourceStream, index = 0) => {
  const found = await waitFor(
    async () => world.taken.filter((one) => one.projectId === projectId)[index],
    (one) => one !== undefined,
  )
  return found!
}

let folder: string
let site: string
const web = createServer((request, response) => {
  const name = (request.url ?? '').slice(1).replace(/\?.*$/, '')
  if (name === 'moved.m3u8') return void response.writeHead(302, { location: '/vod/main.m3u8?token=x' }).end()
  // The address of the key is its path on disk.
  readFile(join(folder, basename(name))).then(
    (bytes) => response.end(bytes),
    () => response.writeHead(404).end(),
  )
})
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hls-'))
  await startFfmpeg(
    ...testMedia(3),
    ...['-c:a', 'aac', '-f', 'hls', '-hls_time', '1', '-hls_playlist_type', 'vod'],
    ...['-hls_enc', '1', '-hls_enc_key', '30313233343536373839616263646566'],
    join(folder, 'main.m3u8'),
  ).exited
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')
  site = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
})
afterAll(async () => {
  web.close()
  web.closeAllConnections()
  await rm(folder, { recursive: true })
})

test('pulls an encrypted HLS source through the guarded agent to its end, following redirects', async () => {
  const stream = await world.newStream('hls-pull', `${site}/moved.m3u8`)
  await world.sources.sync()
  const { publisher, messages, ended } = await publisherOf(stream)
  expect(publisher.protocol).toBe('hls-pull')
  expect(await ended).toMatchObject({ code: 'unpublished', message: 'The playlist has ended.' })
  await stream.change({ is_enabled: false })
  await world.sources.sync()
  expect(videoFrames(messages)).toHaveLength(75)
  expect(audioFrames(messages).length).toBeGreaterThanOrEqual(139)
})

test('pulls an HLS source of byte ranges in HEVC and AC-3 with video and audio', async () => {
  await startFfmpeg(
    ...testMedia(3),
    ...hevcArguments,
    ...['-c:a', 'ac3', '-f', 'hls', '-hls_time', '1', '-hls_playlist_type', 'vod'],
    ...['-hls_flags', 'single_file', join(folder, 'hevc.m3u8')],
  ).exited
  const stream = await world.newStream('hls-pull', `${site}/hevc.m3u8`)
  await world.sources.sync()
  const { messages, ended } = await publisherOf(stream)
  await ended
  await stream.change({ is_enabled: false })
  await world.sources.sync()
  expect(messages.find(({ type }) => type === 'video-configuration')).toMatchObject({ codec: 'hvc1' })
  expect(videoFrames(messages)).toHaveLength(75)
  expect(audioFrames(messages).length).toBeGreaterThan(130)
})

test('gives a stream back that a full node refuses', async () => {
  const stream = await world.newStream('hls-pull', `${site}/main.m3u8`)
  world.refused.add(stream.projectId)
  await world.sources.sync()
  const leases = (): Promise<unknown[]> =>
    world.server.services.database.kysely
      .selectFrom('live_streams')
      .where('project_id', '=', stream.projectId)
      .where('pull_node_id', 'is not', null)
      .selectAll()
      .execute()
  expect(await leases()).toHaveLength(1)
  await waitFor(leases, (rows) => rows.length === 0)
  await stream.change({ is_enabled: false })
  await world.sources.sync()
})

test('pulls to the end of the broadcast when the type and the address change', async () => {
  await startFfmpeg(
    ...testMedia(12),
    ...['-c:a', 'aac', '-f', 'hls', '-hls_time', '1', '-hls_playlist_type', 'vod'],
    join(folder, 'long.m3u8'),
  ).exited
  const stream = await world.newStream('hls-pull', `${site}/long.m3u8`)
  const end = await stream.beginBroadcast()
  await world.sources.sync()
  const { messages, ended } = await publisherOf(stream)
  await stream.change({ kind: 'rtmp', sealed_source_uri: null })
  await world.sources.sync()
  const before = messages.length
  await waitFor(
    async () => messages.length,
    (count) => count > before + 50,
  )
  await end()
  await world.sources.sync()
  expect(await ended).not.toMatchObject({ code: 'unpublished' })
})

test('takes an HLS source that begins again for a publisher that has left, not for one that has stopped', async () => {
  await startFfmpeg(
    ...testMedia(3),
    ...['-c:a', 'aac', '-f', 'hls', '-hls_time', '1', '-hls_playlist_type', 'vod'],
    join(folder, 'again.m3u8'),
  ).exited
  const ended = await readFile(join(folder, 'again.m3u8'), 'utf8')
  const startingAt = (sequence: number): Promise<void> =>
    writeFile(
      join(folder, 'again.m3u8'),
      ended.replace('#EXT-X-ENDLIST', '').replace(/(MEDIA-SEQUENCE):0/, `$1:${sequence}`),
    )
  await startingAt(100)
  const stream = await world.newStream('hls-pull', `${site}/again.m3u8`)
  await world.sources.sync()
  const pull = await publisherOf(stream)
  await startingAt(0)
  expect(await pull.ended).toMatchObject({ code: 'left', reason: 'live_playlist_restarted' })
  await stream.change({ is_enabled: false })
  await world.sources.sync()
})

test('pulls an RTMP source, reconnects when its server returns, and applies a new address at once', async () => {
  const port = await findFreePort()
  const serve = (at: number) =>
    startFfmpeg(
      ...testMedia(30, '-re'),
      '-c:a',
      'aac',
      '-f',
      'flv',
      '-listen',
      '1',
      `rtmp://127.0.0.1:${at}/live/key`,
    )
  const server = serve(port)
  const stream = await world.newStream('rtmp-pull', `rtmp://127.0.0.1:${port}/live/key`)
  await world.sources.sync()
  const first = await publisherOf(stream)
  await waitFor(
    async () => videoFrames(first.messages).length,
    (count) => count > 5,
  )
  server.kill()
  expect(await first.ended).toMatchObject({ code: 'left' })
  const other = serve(port)
  const second = await publisherOf(stream, 1)

  const elsewhere = await findFreePort()
  const third = serve(elsewhere)
  const { secrets } = world.server.services
  await stream.change({
    sealed_source_uri: secrets.liveNodes.seal(Buffer.from(`rtmp://127.0.0.1:${elsewhere}/live/key`)),
  })
  await world.sources.sync()
  await second.ended
  await publisherOf(stream, 2)
  await stream.change({ is_enabled: false })
  await world.sources.sync()
  other.kill()
  third.kill()
})

test('pulls an SRT source with its passphrase, from one node only', async () => {
  const port = await findFreeUdpPort()
  const server = startFfmpeg(
    ...testMedia(30, '-re'),
    ...['-c:a', 'aac', '-f', 'mpegts', `srt://127.0.0.1:${port}?mode=listener&passphrase=a-secret-of-theirs`],
  )
  const stream = await world.newStream(
    'srt-pull',
    `srt://127.0.0.1:${port}?passphrase=a-secret-of-theirs&mode=listener`,
  )
  await world.sources.sync()
  const other = await world.startOther()
  await other.sync()
  const { messages } = await publisherOf(stream)
  await waitFor(
    async () => videoFrames(messages).length,
    (count) => count > 5,
  )
  expect(world.taken.filter(({ projectId }) => projectId === stream.projectId)).toHaveLength(1)
  await stream.change({ is_enabled: false })
  await world.sources.sync()
  server.kill()
})
