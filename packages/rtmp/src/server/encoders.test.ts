import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:tls'
import { expect, test } from 'vitest'
import { createMediaFolder, ffmpeg, h264, testSound, testVideo } from '../../../isobmff/test-support/media.ts'
import { startTestServer } from '../../test-support/test-server.ts'
import type { AudioFrame, MediaMessage, VideoFrame } from '../index.ts'

const complaintsOf = async (program: string, args: readonly string[]): Promise<string> => {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const closed = once(child, 'close')
  const complaints = Buffer.concat(await Array.fromAsync(child.stderr as AsyncIterable<Buffer>))
  await closed
  return complaints.toString()
}

const inspector = 'gst-inspect-1.0'
const hasGStreamer = (element: string): boolean => spawnSync(inspector, ['--exists', element]).status === 0

const videoFrames = (messages: readonly MediaMessage[]) =>
  messages.filter((message): message is VideoFrame => message.type === 'video-frame')
const audioFrames = (messages: readonly MediaMessage[]) =>
  messages.filter((message): message is AudioFrame => message.type === 'audio-frame')

const expectRisingTimes = (frames: readonly { readonly timestampMs: number }[]) => {
  const times = frames.map(({ timestampMs }) => timestampMs)
  expect(times).toEqual(times.toSorted((left, right) => left - right))
}

const ffmpegArguments = (url: string, ...output: string[]) => [
  ...['-nostdin', '-v', 'error', ...testVideo('25', 2), ...testSound(2), ...h264(25)],
  ...['-c:a', 'aac', '-b:a', '64k', ...output, '-f', 'flv', url],
]

test.each([0, 0x100_0000])(
  'ffmpeg publishes H.264 and AAC on a clock that starts at %i ms',
  async (startMs) => {
    const server = await startTestServer()
    const url = `rtmp://127.0.0.1:${server.port}/live/right-key`
    const offset = startMs === 0 ? [] : ['-output_ts_offset', String(startMs / 1_000)]
    expect(await complaintsOf('ffmpeg', ffmpegArguments(url, ...offset))).toBe('')
    await server.nextEnd()

    const [{ session, messages }] = server.published as [(typeof server.published)[0]]
    expect(await session.ended).toMatchObject({ code: 'unpublished' })
    expect(session).toMatchObject({ app: 'live', encoder: expect.stringContaining('Lavf') })
    const { video, audio } = session.configurations()
    // AVCDecoderConfigurationRecord version 1, High profile; AudioSpecificConfig of AAC-LC, 48 kHz, mono.
    expect(video!.data.subarray(0, 2)).toEqual(Buffer.of(1, 100))
    expect(audio!.data.subarray(0, 2)).toEqual(Buffer.from('1188', 'hex'))
    expect(messages.find(({ type }) => type === 'metadata')).toMatchObject({
      values: { width: 320, height: 180 },
    })

    const frames = videoFrames(messages)
    expect(frames).toHaveLength(50)
    expect(frames.filter(({ isKeyFrame }) => isKeyFrame)).toHaveLength(2)
    expect(frames.some(({ compositionTimeMs }) => compositionTimeMs > 40)).toBe(true)
    // Pictures are reordered by two frames, so the first is decoded before its presentation time.
    expect(frames[0]!.timestampMs).toBeGreaterThanOrEqual(startMs - 80)
    expect(frames.at(-1)!.timestampMs - frames[0]!.timestampMs).toBe(49 * 40)
    expect(audioFrames(messages).length).toBeGreaterThanOrEqual(94)
    expectRisingTimes(frames)
    expectRisingTimes(audioFrames(messages))
  },
)

test('ffmpeg shows the refusal reason when the key is wrong', async () => {
  const server = await startTestServer()
  const complaints = await complaintsOf(
    'ffmpeg',
    ffmpegArguments(`rtmp://127.0.0.1:${server.port}/live/wrong-key`),
  )
  expect(complaints).toContain('No stream has this key.')
  expect(await server.nextEnd()).toMatchObject({ code: 'refused' })
  expect(server.published).toEqual([])
})

test('ffmpeg publishes over RTMPS on a TLS socket', async () => {
  const folder = await createMediaFolder()
  const [keyPath, certificatePath] = [folder.path('key.pem'), folder.path('certificate.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const files = ['-keyout', keyPath, '-out', certificatePath, '-subj', '/CN=localhost']
  await complaintsOf('openssl', ['req', '-x509', ...curve, ...files])
  const credentials = { key: readFileSync(keyPath), cert: readFileSync(certificatePath) }
  const server = await startTestServer({}, (onSocket) => createTlsServer(credentials, onSocket))
  expect(
    await complaintsOf('ffmpeg', ffmpegArguments(`rtmps://127.0.0.1:${server.port}/live/right-key`)),
  ).toBe('')
  const { messages, session } = server.published[0]!
  expect(await session.ended).toMatchObject({ code: 'unpublished' })
  expect(videoFrames(messages)).toHaveLength(50)
})

const needed = ['qtdemux', 'h264parse', 'flvmux']
const sinks = needed.every(hasGStreamer) ? ['rtmp2sink', 'rtmpsink'].filter(hasGStreamer) : []

test.skipIf(sinks.length === 0).each(sinks)('GStreamer publishes with %s', async (sink) => {
  const folder = await createMediaFolder()
  await ffmpeg([...testVideo('25', 2), ...testSound(2), ...h264(25), '-c:a', 'aac', folder.path('a.mp4')])
  const server = await startTestServer()
  const location = `rtmp://127.0.0.1:${server.port}/live/right-key`
  const pipeline = [
    ...['filesrc', `location=${folder.path('a.mp4')}`, '!', 'qtdemux', 'name=demux'],
    ...['demux.video_0', '!', 'queue', '!', 'h264parse', '!', 'mux.'],
    ...['demux.audio_0', '!', 'queue', '!', 'aacparse', '!', 'mux.'],
    ...['flvmux', 'name=mux', 'streamable=true', '!', sink, 'sync=false', `location=${location}`],
  ]
  expect(await complaintsOf('gst-launch-1.0', ['-q', ...pipeline])).toBe('')
  await server.nextEnd()
  const { messages, session } = server.published[0]!
  expect(session.configurations()).toMatchObject({ video: { codec: 'avc1' }, audio: { codec: 'mp4a' } })
  expect(videoFrames(messages)).toHaveLength(50)
  expectRisingTimes(videoFrames(messages))
  expectRisingTimes(audioFrames(messages))
})
