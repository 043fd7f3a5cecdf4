import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { makeMedia } from '../../../../test/support/media.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
})

afterAll(() => server.stop())

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=176x144:rate=25:duration=2']
const tone = ['-f', 'lavfi', '-i', 'sine=duration=2:sample_rate=44100']
const realMedia = [...picture, ...tone, '-c:v', 'rv20', '-c:a', 'ac3', '-f', 'rm']

test.each<[string, string, readonly string[], { codec: string; kinds: readonly string[] }]>([
  [
    'an IVF file',
    'clip.ivf',
    [...picture, '-c:v', 'libvpx-vp9', '-cpu-used', '8', '-deadline', 'realtime', '-f', 'ivf'],
    { codec: 'vp9', kinds: ['video'] },
  ],
  ['a RealMedia file', 'clip.rm', realMedia, { codec: 'rv20', kinds: ['video', 'audio'] }],
])('encodes %s', async (_what, FileName, args, { codec, kinds }) => {
  const ids = await hands.upload(await hands.newProject(), await makeMedia(args), { FileName })
  await hands.finish(ids)
  const file = await hands.get(ids)
  expect(file).toMatchObject({ Status: 'finished', ErrorMessage: null, Properties: { VideoFormat: codec } })
  expect(file.Renditions.map(({ Type }: { Type: string }) => Type).toSorted()).toEqual(kinds.toSorted())
  expect(file.Properties.Length).toBeCloseTo(2, 0)
})
