import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import {
  request,
  startTestServer,
  type Answer,
  type TestServer,
} from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { makeLiveStream } from '../../../playback/test-support/live-stream.ts'
import { makePlayableFile } from '../../../playback/test-support/playable-file.ts'
import { purgeProjects } from '../../projects/purge-projects.ts'
import { readPicture } from '../read/read-picture.ts'
import { hostilePictures, makePicture } from '../test-support/sample-pictures.ts'

let server: TestServer
let projectId: number
let png: Buffer

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  projectId = await createHands(server).newProject()
  png = await makePicture({ extension: 'png', size: '1280x320' })
})

afterAll(() => server.stop())

const call = (method: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> =>
  server.call(method, `/projects/${projectId}/logo`, { ...(body === undefined ? {} : { body }), headers })
const logoOf = async (id = projectId) => (await server.call('GET', `/projects/${id}`)).body.PlayerTheme.Logo
const load = (uri: string): Promise<Response> => fetch(uri)

test('re-encodes a logo, accepts partial updates, changes the URL with the bytes, and deletes the logo', async () => {
  const path = `/projects/${projectId}`
  expectProblem(await call('DELETE'), 'not_found')
  expectProblem(await call('PUT', { Link: 'https://www.example.com' }), 'invalid')
  expect(await logoOf()).toBe(null)
  const { status, body: first } = await call('PUT', png, { 'Content-Type': 'image/png' })
  expect(status).toBe(200)
  const { Logo } = first.PlayerTheme
  expect(Logo).toMatchObject({ Width: 640, Height: 160, Position: 'top-right', Link: null })
  expect(Logo.URI).toMatch(/\/p\/logos\/[0-9a-f]{32}\.png$/)
  const served = await load(Logo.URI)
  expect(served.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(served.headers.get('content-type')).toBe('image/png')
  expect(served.headers.get('x-content-type-options')).toBe('nosniff')
  const drawn = readPicture(Buffer.from(await served.arrayBuffer()))
  expect(drawn).toMatchObject({ format: 'png', widthPixels: 640, heightPixels: 160 })

  const moved = await call('PUT', { Position: 'bottom-left', Link: 'https://www.example.com' })
  expect(moved.body.PlayerTheme.Logo).toEqual({
    ...Logo,
    Position: 'bottom-left',
    Link: 'https://www.example.com/',
  })
  // Neither the same picture nor an unchanged project is a change.
  const again = await call('PUT', { Picture: `data:image/png;base64,${png.toString('base64')}` })
  expect(again.body.LastUpdateAt).toBe(moved.body.LastUpdateAt)
  expect((await server.call('PUT', path, { body: again.body })).body).toEqual(again.body)
  expect((await server.call('PUT', path, { body: { PlayerTheme: null } })).body.PlayerTheme.Logo).not.toBe(
    null,
  )
  expectProblem(await call('PUT', { Position: null }, { 'If-Match': '"old"' }), 'stale')

  const jpeg = await makePicture({ extension: 'jpg', size: '64x32' })
  const other = await call('PUT', jpeg, { 'Content-Type': 'image/jpeg' })
  expect(other.body.PlayerTheme.Logo).toMatchObject({ Width: 64, Height: 32, Position: 'bottom-left' })
  const { URI } = other.body.PlayerTheme.Logo
  expect(URI).toMatch(/\.jpg$/)
  expect((await load(Logo.URI)).status).toBe(404)
  expect((await load(URI)).headers.get('content-type')).toBe('image/jpeg')

  expect(await call('DELETE')).toMatchObject({ status: 200, body: { Id: projectId, IsEnabled: false } })
  expect([await logoOf(), (await load(URI)).status]).toEqual([null, 404])
  const { body } = await server.call('GET', `/events?types=project.updated&after=0&projectId=${projectId}`)
  const widths = body.Events.map(({ Project }: Answer['body']) => Project.PlayerTheme.Logo?.Width ?? null)
  expect(widths.slice(-4)).toEqual([640, 640, 64, null])
})

test('rejects a logo that is not a valid picture', async () => {
  for (const [name, bytes] of await hostilePictures()) {
    const { status } = await call('PUT', bytes, { 'Content-Type': 'image/png' })
    expect([name, status]).toEqual([name, bytes.length > 512 * 1024 ? 413 : 400])
  }
  // A complete file that the worker fails to decode.
  const broken = Buffer.from(png)
  broken.fill(0x55, 200, 400)
  expectProblem(await call('PUT', broken, { 'Content-Type': 'image/png' }), 'invalid')
  const notBase64 = await call('PUT', { Picture: '***' })
  expect(notBase64.body.error.message).toContain('Picture must be a text such as data:image/png;base64,')
  expect(await logoOf()).toBe(null)
})

test.each([
  ['a script', 'javascript:alert(1)'],
  ['no scheme', '//example.com'],
  ['no host', 'https://'],
  ['a password', 'https://user:secret@example.com/'],
  ['a space', 'https://exa mple.com/'],
  ['backslashes', 'https:\\\\example.com'],
  ['a NUL in its host', 'https://exam\u0000ple.com/'],
  ['too many characters', `https://example.com/${'a'.repeat(2_000)}`],
  ['too many once it is encoded', `https://example.com/${'ü'.repeat(1_000)}`],
  ['nothing', ''],
])('rejects a link with %s', async (_what, Link) => {
  const answer = await call('PUT', { Link })
  expectProblem(answer, 'invalid')
  expect(answer.body.error.message).toContain('Link')
})

test('shows the logo on the pages of files, playlists and live streams, and purges it with its project', async () => {
  const file = await makePlayableFile(server)
  const stream = await makeLiveStream(server)
  const playlist = await server.call('POST', '/modules/playlists', {
    body: {
      ...{ Name: 'All', ProjectId: file.projectId, ReleaseStatus: 'published' },
      Elements: [{ FileId: file.id }],
    },
  })
  const small = await makePicture({ extension: 'webp', size: '32x32' })
  const link = 'https://www.example.com/?a=1&b="2"'
  for (const id of [file.projectId, stream.projectId])
    await server.call('PUT', `/projects/${id}/logo`, {
      body: { Picture: small.toString('base64'), Link: link, Position: 'top-left' },
    })
  const page = async (playoutId: string) =>
    (await request(`${server.url}/embed/${playoutId}`, 'GET')).body as string
  for (const playoutId of [file.playoutId, stream.playoutId, playlist.body.Playouts[0].Id]) {
    const html = await page(playoutId)
    expect(html).toContain(
      '<a class="logo" data-position="top-left" href="https://www.example.com/?a=1&#38;b=%222%22" target="_blank" rel="noopener"><img src="/p/logos/',
    )
    expect(html).toContain('.png" width="32" height="32" alt="www.example.com"></a>')
  }
  await server.call('PUT', `/projects/${file.projectId}/logo`, { body: { Link: null } })
  expect(await page(file.playoutId)).toContain('<span class="logo" data-position="top-left"><img ')

  const { URI } = await logoOf(file.projectId)
  await server.call('PUT', `/projects/${file.projectId}`, { body: { TokenSecurity: true } })
  expect((await load(URI)).status).toBe(200)
  await server.call('DELETE', `/projects/${stream.projectId}`)
  const { database } = server.services
  const stored = async () =>
    database.kysely
      .selectFrom('player_logos')
      .select('project_id')
      .where('project_id', '=', stream.projectId)
      .execute()
  expect((await stored()).length).toBe(1)
  await database.sql`update projects set purge_at = now() where id = ${stream.projectId}`
  await purgeProjects({ database, retentionDays: 7 })
  expect(await stored()).toEqual([])
})
