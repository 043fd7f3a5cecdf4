import { spawnSync } from 'node:child_process'
import type { MediaMessage } from '@zoetrope/rtmp'
import { expect, test } from 'vitest'
import { waitFor } from '../../../../../test/support/wait-for.ts'
import { floodSrt } from '../sources/test-support/srt-flood.ts'
import {
  audioFrames,
  hevcArguments,
  patientCaller,
  startFfmpeg,
  startSourceWorld,
  testMedia,
  videoFrames,
  type SourceStream,
} from '../sources/test-support/test-sources.ts'

const world = await startSourceWorld()

const uriOf = ({ playoutId, passphrase }: SourceStream, query = ''): string =>
  `srt://127.0.0.1:${world.sources.srtPort()}?${patientCaller}&streamid=${playoutId}&passphrase=${passphrase}${query}`

const call = (uri: string, seconds: number, ...sound: string[]) =>
  startFfmpeg(
    ...testMedia(seconds, '-re'),
    ...(sound.length > 0 ? sound : ['-c:a', 'aac']),
    '-f',
    'mpegts',
    uri,
  )

const takenOf = ({ projectId }: SourceStream) => world.taken.filter((one) => one.projectId === projectId)

const rising = (frames: readonly { readonly timestampMs: number }[]) =>
  frames.every(({ timestampMs }, index) => index === 0 || timestampMs > frames[index - 1]!.timestampMs)

/** An SRT induction from source port 0, which no ordinary socket can send. */
const fromPortZero = (port: number) => `
import socket, struct
packet = struct.pack('!IIII', 0x80000000, 0, 0, 0) + struct.pack('!IHHIIIIII', 4, 0, 2, 0, 1500, 8192, 1, 7, 0) + bytes(16)
raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP)
raw.sendto(struct.pack('!HHHH', 0, ${port}, 72, 0) + packet[:64], ('127.0.0.1', 0))`

test('a packet from port 0 is ignored', async (context) => {
  const sent = spawnSync('python3', ['-c', fromPortZero(world.sources.srtPort()!)])
  if (sent.status !== 0) return context.skip('needs python3 and the right to open raw sockets')
  const stream = await world.newStream('srt')
  await call(uriOf(stream), 2).exited
  await waitFor(
    async () => takenOf(stream),
    (all) => all.length === 1,
  )
})

test('a caller with the passphrase publishes, leaves and returns', async () => {
  const stream = await world.newStream('srt')
  await call(uriOf(stream, '&pbkeylen=32'), 3).exited
  const [first] = await waitFor(
    async () => takenOf(stream),
    (all) => all.length === 1,
  )
  expect(await first!.ended).toMatchObject({ code: 'left', message: 'The SRT caller has disconnected.' })
  expect(first!.publisher).toMatchObject({ protocol: 'srt', remoteAddress: '127.0.0.1' })
  expect(first!.messages.slice(0, 2)).toMatchObject([
    { type: 'video-configuration', codec: 'avc1' },
    { type: 'audio-configuration', codec: 'mp4a' },
  ])
  const video = videoFrames(first!.messages)
  expect(video.length).toBeGreaterThan(25)
  expect(video[0]).toMatchObject({ isKeyFrame: true })
  // 25 pictures a second in 90 kHz: exact in decode and presentation order.
  expect(
    video
      .slice(1)
      .every(({ timestampMs }, index) => Math.abs(timestampMs - video[index]!.timestampMs - 40) < 0.001),
  ).toBe(true)
  const shown = video.map(({ timestampMs, compositionTimeMs }) => timestampMs + compositionTimeMs)
  expect(new Set(shown.map(Math.round)).size).toBe(video.length)
  const audio = audioFrames(first!.messages)
  expect(rising(audio)).toBe(true)
  // The encoder has started both at the same instant; the priming of AAC precedes it.
  expect(Math.abs(audio[0]!.timestampMs - Math.min(...shown))).toBeLessThan(25)

  const again = call(uriOf(stream), 30)
  const [, second] = await waitFor(
    async () => takenOf(stream),
    (all) => all.length === 2,
  )
  second!.publisher.close('Cut by the test.')
  expect(await second!.ended).toEqual({ code: 'closed', message: 'Cut by the test.' })
  expect(await again.exited).not.toBe('')
})

test('rejects a wrong or missing passphrase and an unknown or missing id before any process starts', async () => {
  const stream = await world.newStream('srt')
  const wrong = { ...stream, passphrase: 'not-the-passphrase' }
  const bare = `srt://127.0.0.1:${world.sources.srtPort()}?${patientCaller}`
  const complaints = await Promise.all(
    [uriOf(wrong), `${bare}&streamid=${stream.playoutId}`, `${bare}&streamid=nobody`, bare].map(
      (uri) => call(uri, 5).exited,
    ),
  )
  for (const complaint of complaints) expect(complaint).not.toBe('')
  expect(takenOf(stream)).toEqual([])
  const lines = await waitFor(stream.logLines, (all) => all.length === 1)
  expect(lines).toMatchObject([
    { code: 'wrong_passphrase', message: expect.stringContaining('127.0.0.1 was refused') },
  ])
})

const soundOf = (messages: readonly MediaMessage[]) =>
  messages.find((message) => message.type === 'audio-configuration')?.codec

test('takes a caller beside a flood of handshakes of another address', async () => {
  const stream = await world.newStream('srt')
  const port = world.sources.srtPort()!
  const flood = await floodSrt(port, stream.playoutId)
  const caller = call(uriOf(stream), 60)
  await waitFor(
    async () => takenOf(stream).flatMap(({ messages }) => videoFrames(messages)),
    ({ length }) => length > 25,
  )
  expect(flood.stop()).toBeGreaterThan(5_000)
  expect(takenOf(stream)).toHaveLength(1)
  caller.kill()
})

test('reads each call according to its own codecs, from the first call on', async () => {
  const stream = await world.newStream('srt')
  const calls = [
    { sound: ['-c:a', 'mp2'], taken: 'mp4a' },
    { sound: ['-c:a', 'ac3'], taken: 'mp4a' },
    { sound: ['-c:a', 'libmp3lame'], taken: 'mp4a' },
    { sound: ['-c:a', 'libopus'], taken: 'Opus' },
    { sound: ['-c:a', 'aac'], taken: 'mp4a' },
  ]
  for (const [index, { sound, taken }] of calls.entries()) {
    await call(uriOf(stream), 3, ...sound).exited
    await expect.poll(() => takenOf(stream).length).toBe(index + 1)
    const { messages, ended } = takenOf(stream)[index]!
    await ended
    expect(soundOf(messages), sound[1]).toBe(taken)
    expect(audioFrames(messages).length, sound[1]).toBeGreaterThan(60)
    // A busy machine may be late for the first frames.
    expect(videoFrames(messages).length, sound[1]).toBeGreaterThan(25)
  }
  expect(await stream.logLines()).toEqual([])
})

test('accepts HEVC with the sample entry that players support', async () => {
  const stream = await world.newStream('srt')
  await startFfmpeg(
    ...testMedia(3, '-re'),
    ...hevcArguments,
    ...['-c:a', 'ac3', '-f', 'mpegts', uriOf(stream)],
  ).exited
  await expect.poll(() => takenOf(stream).length).toBe(1)
  const { messages, ended } = takenOf(stream)[0]!
  await ended
  expect(messages.find(({ type }) => type === 'video-configuration')).toMatchObject({ codec: 'hvc1' })
  expect(videoFrames(messages).length).toBeGreaterThan(40)
  expect(audioFrames(messages).length).toBeGreaterThan(60)
  expect(messages.filter(({ type }) => type === 'warning')).toEqual([])
})

test('warns of tracks that are received but not shown', async () => {
  const stream = await world.newStream('srt')
  await startFfmpeg(
    ...testMedia(3, '-re'),
    ...['-map', '0', '-map', '1', '-map', '1', '-c:v', 'mpeg2video', '-c:a', 'aac'],
    ...['-f', 'mpegts', uriOf(stream)],
  ).exited
  await expect.poll(() => takenOf(stream).length).toBe(1)
  const { messages, ended } = takenOf(stream)[0]!
  await ended
  expect(messages.filter(({ type }) => type === 'warning')).toEqual([
    {
      type: 'warning',
      code: 'track_ignored',
      message:
        'Some tracks of the source are not shown: video in mpeg2video, audio in aac. Send one video track in H.264, HEVC or AV1, and one audio track.',
    },
  ])
})
