import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { makePlayableFile, type PlayableFile } from '../test-support/playable-file.ts'

let server: TestServer
let file: PlayableFile
let apiPath: string

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

beforeEach(async () => {
  file = await makePlayableFile(server)
  apiPath = `/projects/${file.projectId}/files/${file.id}`
})

const get = (path: string, headers: Record<string, string> = {}) =>
  request(server.url + path, 'GET', { headers })

const add = async (body: object = {}): Promise<{ id: number; folder: string }> => {
  const Content = 'WEBVTT\n\n00:00:05.000 --> 00:00:07.000\nacross\n\n00:00:11.000 --> 00:00:11.500\nlast\n'
  const answer = await server.call('POST', `${apiPath}/captions`, {
    body: { Language: 'en', Content, ...body },
  })
  expect(answer.status).toBe(201)
  return { id: answer.body.Id, folder: new URL(answer.body.URI).pathname.replace(/\.vtt$/, '') }
}

test('manifests of a file without captions mention none', async () => {
  const hls = await get(`${file.path}/main.m3u8`)
  const dash = await get(`${file.path}/main.mpd`)
  expect(hls.body).not.toMatch(/SUBTITLES/)
  expect(dash.body).not.toMatch(/text/)
  const { id } = await add()
  expect((await get(`${file.path}/main.m3u8`)).body).not.toBe(hls.body)
  await server.call('DELETE', `${apiPath}/captions/${id}`)
  expect((await get(`${file.path}/main.m3u8`)).body).toBe(hls.body)
  expect((await get(`${file.path}/main.m3u8`)).headers.get('etag')).toBe(hls.headers.get('etag'))
  expect((await get(`${file.path}/main.mpd`)).body).toBe(dash.body)
})

test('chapters are served as text but not listed in manifests', async () => {
  const hls = await get(`${file.path}/main.m3u8`)
  const dash = await get(`${file.path}/main.mpd`)
  const { folder } = await add({ Kind: 'chapters' })
  expect((await get(`${file.path}/main.m3u8`)).body).toBe(hls.body)
  expect((await get(`${file.path}/main.mpd`)).body).toBe(dash.body)
  expect((await get(`${folder}.vtt`)).body).toContain('across')
})

describe('HLS captions', () => {
  test('are listed in one group that every variant references', async () => {
    const english = await add({ IsDefault: true })
    await add({ Language: 'de', Kind: 'captions', Label: 'Deutsch "laut"' })
    const { body } = await get(`${file.path}/main.m3u8`)
    const relative = english.folder.slice(file.path.length + 1)
    expect(body).toContain(
      `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="${relative}/playlist.m3u8"`,
    )
    expect(body).toMatch(/NAME="Deutsch ’laut’",LANGUAGE="de",DEFAULT=NO,.*CHARACTERISTICS="public\./)
    const variants = body.match(/#EXT-X-STREAM-INF:.*/g) as string[]
    expect(variants.length).toBeGreaterThan(0)
    for (const variant of variants) expect(variant).toMatch(/SUBTITLES="captions"/)
  })

  test('with the same label get distinct names', async () => {
    for (const [Language, Kind] of [
      ['en', 'subtitles'],
      ['en', 'captions'],
      ['en-US', 'captions'],
      ['en-GB', 'captions'],
    ])
      await add({ Language, Kind, Label: 'English' })
    const { status, body } = await get(`${file.path}/main.m3u8`)
    expect(status).toBe(200)
    const names = [...body.matchAll(/SUBTITLES,GROUP-ID="captions",NAME="([^"]*)"/g)].map(([, name]) => name)
    expect(names).toHaveLength(4)
    expect(new Set(names).size).toBe(4)
  })

  test('have segments for the whole duration of the video', async () => {
    const { folder } = await add()
    const { status, headers, body } = await get(`${folder}/playlist.m3u8`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/vnd.apple.mpegurl')
    expect(body).toBe(
      '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n' +
        '#EXTINF:6.000000,\n0.vtt\n#EXTINF:6.000000,\n1.vtt\n#EXT-X-ENDLIST\n',
    )
  })

  test('grow with a video that is still being encoded', async () => {
    const { folder } = await add()
    await server.services.database.kysely
      .deleteFrom('renditions')
      .where('id', '=', file.renditionId)
      .execute()
    const { body } = await get(`${folder}/playlist.m3u8`)
    // Two video segments of four seconds exist, so one caption segment of six seconds is complete.
    expect(body).toContain('#EXT-X-PLAYLIST-TYPE:EVENT')
    expect(body.match(/^\d+\.vtt$/gm)).toEqual(['0.vtt'])
    expect(body).not.toContain('ENDLIST')
  })

  test('have the cues of each segment on the timeline of the media', async () => {
    const { folder } = await add()
    const first = await get(`${folder}/0.vtt`)
    expect(first.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
    expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(first.headers.get('access-control-allow-origin')).toBe('*')
    expect(first.body).toBe(
      'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:90000,LOCAL:00:00:00.000\n\n00:00:05.000 --> 00:00:07.000\nacross\n',
    )
    const second = await get(`${folder}/1.vtt`)
    expect(second.body.match(/^\w+$/gm)).toEqual(['WEBVTT', 'across', 'last'])
    expect((await get(`${folder}/2.vtt`)).body).toBe(
      'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:90000,LOCAL:00:00:00.000\n',
    )
  })
})

test('a long text with much markup costs viewers little processor time', async () => {
  const { folder } = await add({
    Content: `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${'<b>'.repeat(1_700_000)}a\n`,
  })
  for (const path of [`${folder}.vtt`, `${folder}/0.vtt`]) {
    const before = process.threadCpuUsage()
    const { status, body } = await get(path)
    const { user, system } = process.threadCpuUsage(before)
    expect(status).toBe(200)
    expect(body.length).toBeGreaterThan(5_000_000)
    expect((user + system) / 1_000).toBeLessThan(300)
  }
})

test('DASH references the whole text of each caption track', async () => {
  const { folder } = await add({ Kind: 'captions' })
  const { body } = await get(`${file.path}/main.mpd`)
  expect(body).toContain('contentType="text" mimeType="text/vtt" lang="en"')
  expect(body).toContain(`<BaseURL>${folder.slice(file.path.length + 1)}.vtt</BaseURL>`)
  expect((await get(`${folder}.vtt`)).body).toMatch(/^WEBVTT\n\n/)
})

test.each([
  '/00.vtt',
  '/-1.vtt',
  '/1e0.vtt',
  '/9999999.vtt',
  '/x.vtt',
  '/.vtt',
  '/0.m4s',
  '/../main.m3u8x',
  '',
])('%s after a caption path answers 404', async (rest) => {
  const { folder } = await add()
  expectProblem(await get(`${folder}${rest}`), 'not_found')
})

test.each(['abc', '1', '00000000-0000-4000-8000-000000000000', '%00', '..%2f..', "'"])(
  'the unknown caption id %s answers 404',
  async (id) => {
    for (const rest of ['.vtt', '/playlist.m3u8', '/0.vtt'])
      expectProblem(await get(`${file.path}/captions/${id}${rest}`), 'not_found')
  },
)

test('captions are not found under the playout of another file', async () => {
  const { folder } = await add()
  const other = await makePlayableFile(server)
  for (const rest of ['.vtt', '/playlist.m3u8', '/0.vtt'])
    expectProblem(await get(folder.replace(file.playoutId, other.playoutId) + rest), 'not_found')
})

describe('release rules apply to every caption address of a file that is', () => {
  const rests = ['.vtt', '/playlist.m3u8', '/0.vtt']

  test.each([
    ['unpublished', { metadata: { ReleaseStatus: 'unpublished' } }, 'not_found'],
    ['before its window', { metadata: { IsPublicAt: '2100-01-01T00:00:00+00:00' } }, 'not_found'],
    ['not playable', { state: 'failed' }, 'not_found'],
    ['in a project that wants signed links', { project: { TokenSecurity: true } }, 'forbidden'],
  ] as const)('%s', async (_what, options, problem) => {
    file = await makePlayableFile(server, options)
    apiPath = `/projects/${file.projectId}/files/${file.id}`
    const { folder } = await add()
    for (const rest of rests) expectProblem(await get(folder + rest), problem)
    const { body } = await server.call('GET', `${apiPath}/playouts`)
    const preview = new URL(body.Playouts[0].Preview.Captions[0].URI).pathname.replace(/\.vtt$/, '')
    expect(preview).toMatch(/^\/s\//)
    for (const rest of rests) {
      if (problem === 'not_found' && 'state' in options) expectProblem(await get(preview + rest), 'not_found')
      else expect((await get(preview + rest)).status).toBe(200)
      expectProblem(await get(preview.replace('/s/k', '/s/x') + rest), 'forbidden')
    }
  })

  test('deleted', async () => {
    const { folder } = await add()
    await server.call('DELETE', apiPath)
    for (const rest of rests) expectProblem(await get(folder + rest), 'not_found')
  })
})

test('the playouts list has paging fields and an ETag', async () => {
  const { id } = await add()
  const { body, headers } = await server.call('GET', `${apiPath}/playouts`)
  expect(body).toMatchObject({
    Playouts: [{ Id: file.playoutId, Captions: [{ Id: id }], Preview: { Captions: [{ Id: id }] } }],
    TotalCount: 1,
    Limit: 50,
    Offset: 0,
    NextCursor: null,
  })
  expect((await server.call('GET', `${apiPath}/playouts?offset=1`)).body.Playouts).toEqual([])
  const again = await server.call('GET', `${apiPath}/playouts`, {
    headers: { 'If-None-Match': headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
})
