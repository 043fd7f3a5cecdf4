import { beforeAll, expect, test } from 'vitest'
import { nodeTokenOf } from '../../../control/nodes/node-token.ts'
import { waitFor } from '../../../../../test/support/wait-for.ts'
import { startLiveWorld, type LiveWorld, type TestStream } from '../../test-support/live-world.ts'
import { hevcArguments, patientCaller, startFfmpeg, testMedia } from '../sources/test-support/test-sources.ts'
import { findFreeUdpPort } from './srt-bridge.ts'

let world: LiveWorld
let srtPort: number

beforeAll(async () => {
  srtPort = await findFreeUdpPort()
  world = await startLiveWorld({ ZOETROPE_SRT_PORT: String(srtPort) })
})

const call = async (stream: TestStream, seconds: number, codecs: readonly string[]) => {
  const { sealed_srt_passphrase } = await stream.row()
  const passphrase = world.server.services.secrets.liveNodes.open(sealed_srt_passphrase).toString()
  const uri = `srt://127.0.0.1:${srtPort}?${patientCaller}&streamid=${stream.playoutId}&passphrase=${passphrase}`
  return startFfmpeg(...testMedia(seconds, '-re'), ...codecs, '-f', 'mpegts', uri)
}

const copied = ['-c:a', 'aac']

interface Status {
  readonly Video: { readonly Codec: string } | null
  readonly Audio: { readonly Codec: string } | null
  readonly Warnings: readonly { readonly Code: string; readonly Message: string }[]
}

const statusOf = async ({ projectId }: TestStream): Promise<Status> => {
  const response = await fetch(`${world.node().url}/control/status`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${nodeTokenOf(world.server.services.secrets)}` },
    body: JSON.stringify({ ProjectId: projectId }),
  })
  return (await response.json()) as Status
}

test('shows a caller in HEVC with two audio tracks, and warns of the second one', async () => {
  const stream = await world.newStream({ kind: 'srt' })
  const tracks = ['-map', '0', '-map', '1', '-map', '1', ...hevcArguments, '-c:a:0', 'ac3', '-c:a:1', 'aac']
  const encoder = await call(stream, 40, tracks)
  const names = await waitFor(
    async () => (await stream.events()).map(({ name }) => name),
    (all) => all.includes('live.started'),
  )
  expect(names).toContain('live.warning')
  const status = await statusOf(stream)
  expect(status).toMatchObject({
    Video: { Codec: expect.stringMatching(/^hvc1/) },
    Audio: { Codec: 'mp4a.40.2' },
  })
  expect(status.Warnings).toContainEqual(
    expect.objectContaining({ Code: 'track_ignored', Message: expect.stringContaining('audio in aac') }),
  )
  encoder.kill()
  await stream.until('live.disconnected')
  expect((await statusOf(stream)).Warnings).toEqual([])
})

test('an encoder that crashed takes its stream over at once', async () => {
  const stream = await world.newStream({ kind: 'srt' })
  const first = await call(stream, 40, copied)
  await stream.until('live.started')
  first.kill()
  await first.exited
  const second = await call(stream, 40, copied)
  const names = await stream.until('live.reconnected')
  expect(names).toEqual(['live.connected', 'live.started', 'live.disconnected', 'live.reconnected'])
  second.kill()
  await stream.until('live.disconnected')
})

test('an encoder that crashed before its first frame takes its stream over at once', async () => {
  const stream = await world.newStream({ kind: 'srt' })
  // The first probe lasts longer than this encoder runs.
  const first = await call(stream, 40, copied)
  await stream.until('live.connected')
  first.kill()
  await first.exited
  const second = await call(stream, 40, copied)
  await stream.until('live.started')
  second.kill()
  await stream.until('live.disconnected')
})

test('an encoder that sends is not replaced by a second one', async () => {
  const stream = await world.newStream({ kind: 'srt' })
  const first = await call(stream, 40, copied)
  await stream.until('live.started')
  const second = await call(stream, 40, copied)
  expect(await second.exited).not.toBe('')
  expect(await stream.until('live.publisher_refused')).toEqual([
    'live.connected',
    'live.started',
    'live.publisher_refused',
  ])
  expect((await stream.row()).state).toBe('online')
  first.kill()
  await stream.until('live.disconnected')
})
