import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { createScriptedViewers, type ScriptedViewers } from './test-support/scripted-viewers.ts'

let server: TestServer
let viewers: ScriptedViewers

beforeAll(async () => {
  server = await startTestServer()
  viewers = createScriptedViewers(server)
})

afterAll(() => server.stop())

const totals = async (projectId: number) => ({
  views: (await viewers.read(`/analytics/views?projectId=${projectId}`)).Total,
  watchtime: (await viewers.read(`/analytics/watchtime?projectId=${projectId}`)).Total,
})

test('views through a signed URL count for the file', async () => {
  const file = await viewers.newFile({ project: { TokenSecurity: true } })
  const token = server.services.tokens.issueViewer(file.playoutId, new Date(Date.now() + 60_000))
  await viewers.watch({ ...file, path: `/s/${token}${file.path}` })
  await viewers
    .settle(() => viewers.read(`/projects/${file.projectId}/files/${file.id}/analytics`))
    .toMatchObject({ Views: 1, WatchSeconds: 30 })
})

test('views of a playlist count for its project, without a file, and those of one across projects do not count', async () => {
  const file = await viewers.newFile()
  const { projectId } = file
  const playlistPath = async (ProjectId: number | null): Promise<string> => {
    const body = { Name: 'Evening', ReleaseStatus: 'published', ProjectId, Elements: [{ FileId: file.id }] }
    const made = await server.call('POST', '/modules/playlists', { body })
    expect(made.status).toBe(201)
    return new URL(made.body.Playouts[0].HLS).pathname.replace(/\/[^/]*$/, '')
  }
  await viewers.watch({ ...file, path: await playlistPath(null) })
  await viewers.watch({ ...file, path: await playlistPath(projectId) })
  await viewers.settle(() => totals(projectId)).toEqual({ views: 1, watchtime: 30 })
  const list = await viewers.read(`/analytics/sessions?projectId=${projectId}`)
  expect(list.Views).toMatchObject([{ ProjectId: projectId, FileId: null, Stream: 'vod' }])
  expect(await viewers.read(`/projects/${projectId}/files/${file.id}/analytics`)).toMatchObject({ Views: 0 })
})
