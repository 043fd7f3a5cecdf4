import { describe, expect, test, vi } from 'vitest'
import { ffmpeg, testSound, testVideo } from '../../../../../../packages/isobmff/test-support/media.ts'
import { request } from '../../../../../test/support/test-server.ts'
import { waitFor } from '../../../../../test/support/wait-for.ts'
import { expectProblem } from '../../../../platform/http/test-support/expect-problem.ts'
import { createLog } from '../../../../platform/log/log.ts'
import type { LiveChannel } from '../../channel/live-channel.ts'
import { publishCanned } from '../../test-support/canned-encoder.ts'
import { startLiveWorld, type TestStream } from '../../test-support/live-world.ts'
import { createPosters } from './create-posters.ts'

const world = await startLiveWorld()
const log = createLog({ level: 'silent' })

const loadPoster = (origin: string, { playoutId }: TestStream) => fetch(`${origin}/l/${playoutId}/poster.jpg`)
const isJpeg = (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.of(0xff, 0xd8, 0xff))

test('the poster is available during the broadcast, after it, and when no node runs', async () => {
  const stream = await world.newStream()
  expect((await loadPoster(world.server.url, stream)).status).toBe(404)
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a', 'aac']
  const address = `rtmp://127.0.0.1:${world.rtmpPort}/live/${stream.streamKey}`
  await ffmpeg([...testVideo('25', 3), ...testSound(3), ...video, '-f', 'flv', address])
  const first = await waitFor(
    () => loadPoster(world.node().url, stream),
    ({ status }) => status === 200,
  )
  expect(first.headers.get('content-type')).toBe('image/jpeg')
  expect(first.headers.get('cache-control')).toBe('public, max-age=1')
  const picture = Buffer.from(await first.arrayBuffer())
  expect(isJpeg(picture)).toBe(true)
  await stream.until('live.ended')
  await world.stopNode()
  const kept = await loadPoster(world.server.url, stream)
  expect(kept.headers.get('content-type')).toBe('image/jpeg')
  expect(kept.headers.get('access-control-allow-origin')).toBe('*')
  expect(picture.equals(Buffer.from(await kept.arrayBuffer()))).toBe(true)

  await stream.change({ is_enabled: false })
  await waitFor(
    () => loadPoster(world.server.url, stream),
    ({ status }) => status === 404,
  )
  const path = `/l/${stream.playoutId}/poster.jpg`
  expectProblem(await request(`${world.server.url}${path}`, 'POST'), 'not_found')
  await world.startNode()
})

test('media that cannot be decoded gets no poster, and the broadcast continues', async () => {
  const stream = await world.newStream()
  const encoder = await publishCanned(world.rtmpPort, stream.streamKey)
  encoder.send(3)
  await stream.until('live.started')
  expect((await loadPoster(world.server.url, stream)).status).toBe(404)
  expect((await stream.row()).state).toBe('online')
  encoder.breakOff()
})

describe('posters are taken', () => {
  const startPosters = async () => {
    const { kysely } = world.server.services.database
    const stream = await world.newStream()
    const { project_id: projectId, account_id: accountId, playout_id: playoutId } = await stream.row()
    const clock = { nowMs: Date.UTC(2026, 2, 1, 12) }
    const take = vi.fn(async (): Promise<Buffer | null> => Buffer.from(`picture ${take.mock.calls.length}`))
    const options = { database: { kysely }, workFolder: '/', log, now: () => clock.nowMs, take }
    const posters = createPosters(options)
    const newChannel = () => ({ accountId, projectId, playoutId, packager: {} }) as LiveChannel
    const find = async (channel?: LiveChannel) => String(await posters.find(playoutId, channel))
    return { posters, take, clock, newChannel, find }
  }

  test('at the start of a broadcast, then only on request, at most every 30 seconds', async () => {
    const { posters, take, clock, newChannel, find } = await startPosters()
    const channel = newChannel()
    const { sink } = posters.createOutput(channel)
    for (let count = 0; count < 3; count++) sink?.onSegment?.('video', {} as never)
    expect(await find(channel)).toBe('picture 1')
    clock.nowMs += 29_000
    expect(await find(channel)).toBe('picture 1')
    clock.nowMs += 60_000
    sink?.onSegment?.('video', {} as never)
    expect(take).toHaveBeenCalledTimes(1)
    // Requests do not wait for the next picture.
    expect(await Promise.all([find(channel), find(channel)])).toEqual(['picture 1', 'picture 1'])
    await waitFor(
      () => find(channel),
      (text) => text === 'picture 2',
    )
    expect(take).toHaveBeenCalledTimes(2)
  })

  test('one at a time, and not again right after a failure', async () => {
    const { posters, take, clock, newChannel, find } = await startPosters()
    let running = 0
    take.mockImplementation(async () => {
      expect(++running).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      throw new Error('nothing to decode')
    })
    const channels = [newChannel(), newChannel(), newChannel()]
    const findAll = () => Promise.all(channels.map((channel) => find(channel)))
    expect(await findAll()).toEqual(['null', 'null', 'null'])
    await findAll()
    expect(take).toHaveBeenCalledTimes(3)
    clock.nowMs += 30_000
    await findAll()
    expect(take).toHaveBeenCalledTimes(6)
    await posters.stop()
    clock.nowMs += 30_000
    await findAll()
    expect(take).toHaveBeenCalledTimes(6)
  })

  test('and the last one of a broadcast is kept; an older one does not replace it', async () => {
    const { posters, clock, newChannel, find } = await startPosters()
    const [elder, younger] = [newChannel(), newChannel()]
    const output = posters.createOutput(elder)
    await find(elder)
    clock.nowMs += 40_000
    await find(elder)
    await waitFor(
      () => find(elder),
      (text) => text === 'picture 2',
    )
    expect(await find()).toBe('picture 1')
    await output.stop('ended')
    expect(await find()).toBe('picture 2')
    clock.nowMs -= 20_000
    await find(younger)
    await posters.createOutput(younger).stop('ended')
    expect(await find()).toBe('picture 2')
  })
})
