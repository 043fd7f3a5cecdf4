import { parseMultivariantPlaylist } from '@zoetrope/hls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClosedCaptions } from '../../../../test/support/closed-captions.ts'
import { createHands } from '../../../../test/support/hands.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>
let projectId: number

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
  projectId = await hands.newProject()
})

afterAll(() => server.stop())

const multivariantOf = async (ids: { projectId: number; fileId: number }) => {
  const { Playouts } = await hands.get(ids)
  return parseMultivariantPlaylist(String((await request(Playouts[0].HLS, 'GET')).body))
}

test('HLS contains CLOSED-CAPTIONS=NONE for every variant of a source without captions in its video', async () => {
  const ids = await hands.upload(projectId, await hands.sample())
  await hands.finish(ids)
  const { variants } = await multivariantOf(ids)
  // The source, 360p and audio alone.
  expect(variants.map(({ hasNoClosedCaptions }) => hasNoClosedCaptions)).toEqual([true, true, true])
})

test('HLS omits CLOSED-CAPTIONS when captions start late in the video of the source', async () => {
  const source = await makeClosedCaptions([{ text: 'Late', fromFrame: 100, clearedAtFrame: 140 }])
  const ids = await hands.upload(projectId, source)
  await hands.finish(ids)
  const { variants } = await multivariantOf(ids)
  expect(variants.map(({ hasNoClosedCaptions }) => hasNoClosedCaptions)).toEqual([undefined])
})
