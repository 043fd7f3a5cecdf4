import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { findFreePort } from '../../../test/support/free-port.ts'
import { request } from '../../../test/support/test-server.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { publishCanned } from '../../live/node/test-support/canned-encoder.ts'
import { startLiveWorld } from '../../live/node/test-support/live-world.ts'

const other = createSocket('udp4').bind(0, '127.0.0.1')
await once(other, 'listening')
const srtPort = other.address().port
const healthPort = await findFreePort()
const world = await startLiveWorld({
  ZOETROPE_LIVE_HEALTH_PORT: String(healthPort),
  ZOETROPE_SRT_PORT: String(srtPort),
})
const health = async (path: string) => request(`http://127.0.0.1:${healthPort}${path}`, 'GET')

test('a live node reports its health and metrics to operators', async () => {
  expect((await health('/healthz')).body).toMatchObject({ status: 'ok' })
  expect((await health('/readyz')).body).toEqual({ status: 'ready', Reads: 'ok', Writes: 'ok' })
  const figure = async (name: string) =>
    Number(new RegExp(`^zoetrope_live_${name} (.+)$`, 'm').exec((await health('/metrics')).body)?.[1])
  expect(await figure('received_bytes_total')).toBe(0)

  const stream = await world.newStream()
  const encoder = await publishCanned(world.rtmpPort, stream.streamKey)
  encoder.send(3)
  await stream.until('live.started')
  await fetch(`${world.node().url}/l/${stream.playoutId}/video/live.m3u8`).then((answer) => answer.text())
  const text = (await health('/metrics')).body
  for (const line of [
    'streams{state="online"} 1',
    'streams{state="reconnecting"} 0',
    'viewers 1',
    'blocked_requests 0',
    'ladders 0',
    'recordings 0',
    'dropped_frames_total 0',
  ])
    expect(text).toContain(`\nzoetrope_live_${line}\n`)
  expect(text).toContain('zoetrope_process_cpu_seconds_total')
  expect(text).not.toContain(stream.playoutId)
  expect(await figure('sent_bytes_total')).toBeGreaterThan(500)
  const receivedBytes = await figure('received_bytes_total')
  expect(receivedBytes).toBeGreaterThan(1_000)

  await stream.change({ is_enabled: false })
  await stream.until('live.ended')
  await waitFor(health.bind(null, '/metrics'), ({ body }) => body.includes('streams{state="online"} 0'))
  // Counters keep their values.
  expect(await figure('received_bytes_total')).toBe(receivedBytes)
})

test('an occupied port appears in the status until it is free', async () => {
  const stream = await world.newStream({ kind: 'srt' })
  const path = `/projects/${stream.projectId}/live/status`
  const { body } = await waitFor(
    () => world.server.call('GET', path),
    (answer) => answer.body.Warnings.length > 0,
  )
  expect(body.Warnings).toMatchObject([
    { Code: 'port_taken', Message: expect.stringContaining(`port ${srtPort} for SRT`) },
  ])
  const rtmp = await world.newStream()
  const status = await world.server.call('GET', `/projects/${rtmp.projectId}/live/status`)
  expect(status.body.Warnings).toEqual([])
  other.close()
  await waitFor(
    () => world.server.call('GET', path),
    (answer) => answer.body.Warnings.length === 0,
  )
})
