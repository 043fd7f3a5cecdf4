import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createHands } from '../../../test/support/hands.ts'
import { makeSample } from '../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { addUpReports } from '../store/add-up-reports.ts'
import { linesOf, sendLines } from '../test-support/simulated-viewer.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('retention and heat map have no plays of a source that was replaced', async () => {
  const hands = createHands(server)
  const projectId = await hands.newProject()
  const ids = await hands.upload(projectId, await makeSample({ seconds: 4, size: '284x160' }), {
    Metadata: { ReleaseStatus: 'published' },
  })
  await hands.finish(ids)
  const path = `/projects/${projectId}/files/${ids.fileId}`
  const read = async (rest: string) => (await server.call('GET', path + rest)).body
  const { Playouts } = await read('')
  const send = async (lines: readonly string[]): Promise<void> => {
    const { status } = await sendLines(`${server.url}/v/${Playouts[0].Id}/cmcd`, lines)
    expect(status).toBe(204)
  }
  const settle = (watchSeconds: number) =>
    expect
      .poll(async () => {
        await addUpReports(server.services.database, { held: 0 })
        return (await read('/analytics')).WatchSeconds
      })
      .toBe(watchSeconds)
  const figures = async () => {
    const { Views, Parts } = await read('/analytics/retention')
    const { Parts: Heat } = await read('/analytics/heatmap')
    const last = Parts.at(-1)
    return { Views, First: Parts[0].Share, Last: last.Share, End: last.End, Plays: Heat[0].Plays }
  }

  const long = linesOf({ startupMs: 100, playedSeconds: 4, rebuffers: 1, end: 'quit' })
  await send(linesOf({ startupMs: 100, playedSeconds: 4, end: 'quit' }))
  await send(long.slice(0, 3))
  await settle(6)
  expect(await figures()).toEqual({ Views: 2, First: 1, Last: 0.5, End: expect.closeTo(4), Plays: 2 })

  const replaced = await server.call('PUT', `${path}/replace`, { body: { FileName: 'new.mp4' } })
  const bytes = await makeSample({ seconds: 8, size: '284x160' })
  await request(replaced.body.Upload.URI, 'PUT', { body: bytes })
  await hands.finish(ids)
  // A viewer of the former source continues.
  await send(long.slice(3))
  await settle(8)
  expect(await figures()).toEqual({ Views: 0, First: null, Last: null, End: expect.closeTo(8), Plays: 0 })

  // Facts of a playout are kept for a minute.
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000)
  await send(linesOf({ startupMs: 100, playedSeconds: 8, end: 'quit' }))
  await settle(16)
  vi.restoreAllMocks()
  expect(await figures()).toEqual({ Views: 1, First: 1, Last: 1, End: expect.closeTo(8), Plays: 1 })
  expect((await read('/analytics')).Views).toBe(3)
})
