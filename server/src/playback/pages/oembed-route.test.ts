import { afterAll, beforeAll, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { fitInto, readEmbedUrl } from './oembed-route.ts'
import { makeLiveStream } from '../test-support/live-stream.ts'
import { makePlayableFile } from '../test-support/playable-file.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

const ask = (query: Record<string, string>) =>
  request(`${server.url}/oembed?${new URLSearchParams(query).toString()}`, 'GET')

const embedUrl = (playoutId: string): string => `${server.url}/embed/${playoutId}`

test('oEmbed returns the embed code of a published file in the requested size', async () => {
  const { playoutId } = await makePlayableFile(server, { metadata: { Title: '"Quoted" <b>' } })
  const { status, headers, body } = await ask({ url: embedUrl(playoutId), maxwidth: '320' })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(body).toMatchObject({
    version: '1.0',
    type: 'video',
    title: '"Quoted" <b>',
    width: 320,
    height: 180,
  })
  expect(body.html).toContain(
    `<iframe src="${embedUrl(playoutId)}" title="&#34;Quoted&#34; &#60;b&#62;" width="320"`,
  )
})

test('oEmbed covers playlists and live streams', async () => {
  const file = await makePlayableFile(server)
  const playlist = await server.call('POST', '/modules/playlists', {
    body: { Name: 'Both', ReleaseStatus: 'published', Elements: [{ FileId: file.id }] },
  })
  const ofPlaylist = await ask({ url: playlist.body.Playouts[0].EmbedURI })
  expect(ofPlaylist.body).toMatchObject({ type: 'video', title: 'Both' })
  const stream = await makeLiveStream(server)
  expect((await ask({ url: embedUrl(stream.playoutId) })).body).toMatchObject({
    type: 'video',
    title: 'Town hall',
  })
})

test('oEmbed answers missing, restricted and invalid URLs with the codes of oembed.com', async () => {
  const draft = await makePlayableFile(server, { metadata: { ReleaseStatus: 'draft' } })
  const closed = await makePlayableFile(server, { project: { TokenSecurity: true } })
  expectProblem(await ask({ url: embedUrl(draft.playoutId) }), 'not_found')
  expectProblem(await ask({ url: `https://elsewhere.example/embed/${draft.playoutId}` }), 'not_found')
  expectProblem(await ask({ url: 'nothing\0' }), 'not_found')
  expectProblem(await ask({ url: embedUrl(closed.playoutId) }), 'unauthorized')
  const token = server.services.tokens.issueViewer(closed.playoutId, new Date(Date.now() + 60_000))
  expectProblem(await ask({ url: `${server.url}/s/${token}/embed/${closed.playoutId}` }), 'unauthorized')
  expectProblem(await ask({}), 'invalid')
  expectProblem(await ask({ url: embedUrl(closed.playoutId), maxwidth: '-1' }), 'invalid')
  expect((await ask({ url: embedUrl(closed.playoutId), format: 'xml' })).status).toBe(501)
})

test.each([
  [{ width: 640, height: 360 }, Infinity, Infinity, { width: 640, height: 360 }],
  [{ width: 640, height: 360 }, 320, Infinity, { width: 320, height: 180 }],
  [{ width: 360, height: 640 }, 400, 320, { width: 180, height: 320 }],
  [{ width: 640, height: 3 }, 1, 1, { width: 1, height: 1 }],
])('fitInto scales %o into %d × %d', (size, maxWidth, maxHeight, fitted) => {
  expect(fitInto(size, maxWidth, maxHeight)).toEqual(fitted)
})

const id = '0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10'

test.each([
  [`https://video.example/embed/${id}`, { playoutId: id }],
  [`http://video.example/embed/${id}/?color=fff#t`, { playoutId: id }],
  [`https://video.example/s/kv1.a.b/embed/${id}`, { playoutId: id, token: 'kv1.a.b' }],
  [`https://video.example:444/embed/${id}`, null],
  [`javascript://video.example/embed/${id}`, null],
  [`https://video.example/embed/${id}/more`, null],
  ['', null],
])('readEmbedUrl parses %s as %o', (url, params) => {
  expect(readEmbedUrl(url, 'https://video.example')).toEqual(params)
})
