import { parseMediaPlaylist, parseMultivariantPlaylist } from '@zoetrope/hls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request, startTestServer, type Answer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { makePlayableFile, type PlayableFile } from '../test-support/playable-file.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

interface MadePlaylist {
  readonly id: number
  readonly playoutId: string
}

const makePlaylist = async (files: readonly PlayableFile[], body: object = {}): Promise<MadePlaylist> => {
  const made = await server.call('POST', '/modules/playlists', {
    body: {
      Name: 'Playlist',
      ReleaseStatus: 'published',
      Elements: files.map(({ id }) => ({ FileId: id })),
      ...body,
    },
  })
  expect(made.status).toBe(201)
  return { id: made.body.Id, playoutId: made.body.Playouts[0].Id }
}

const hours = (count: number): Date => new Date(Date.now() + count * 3_600_000)
const previewOf = ({ playoutId }: Pick<MadePlaylist, 'playoutId'>): string =>
  `/s/${server.services.tokens.issuePreview(playoutId, hours(1))}`

const addressesOf = ({ playoutId }: MadePlaylist, prefix = ''): string[] =>
  ['v/?/main.m3u8', 'v/?/feed.json', 'v/?/feed.xml', 'embed/?'].map(
    (path) => `${prefix}/${path.replace('?', playoutId)}`,
  )

const at = (address: string, headers: Record<string, string> = {}): Promise<Answer> =>
  request(new URL(address, server.url).href, 'GET', { headers })

const hlsOf = ({ playoutId }: MadePlaylist, prefix = ''): string => `${prefix}/v/${playoutId}/main.m3u8`

const mediaOf = async (playlist: MadePlaylist, prefix = '') => {
  const main = new URL(hlsOf(playlist, prefix), server.url).href
  const multivariant = await at(main)
  expect(multivariant.status).toBe(200)
  const uri = new URL(parseMultivariantPlaylist(multivariant.body).variants[0]?.uri ?? '', main).href
  return { uri, media: parseMediaPlaylist((await at(uri)).body) }
}

const filesIn = async (
  playlist: MadePlaylist,
  files: readonly PlayableFile[],
  prefix = '',
): Promise<number[]> => {
  const { media } = await mediaOf(playlist, prefix)
  return media.segments
    .filter(({ discontinuity }, index) => index === 0 || discontinuity === true)
    .map(({ uri }) => files.findIndex(({ playoutId }) => uri.includes(playoutId)))
}

const setStatus = (file: PlayableFile, ReleaseStatus: string) =>
  server.call('PUT', `/projects/${file.projectId}/files/${file.id}`, {
    body: { Metadata: { ReleaseStatus } },
  })

describe('addresses of a playlist', () => {
  let file: PlayableFile
  beforeAll(async () => {
    file = await makePlayableFile(server)
  })

  test.each(['draft', 'unpublished'])(
    'that is %s answer 404, and 200 in a preview',
    async (ReleaseStatus) => {
      const playlist = await makePlaylist([file], { ReleaseStatus })
      for (const address of addressesOf(playlist)) expectProblem(await at(address), 'not_found')
      for (const address of addressesOf(playlist, previewOf(playlist)))
        expect(`${address} ${(await at(address)).status}`).toBe(`${address} 200`)
    },
  )

  test('that is published answer 200 with CORS headers, an ETag and 304', async () => {
    const playlist = await makePlaylist([file])
    for (const address of addressesOf(playlist)) {
      const answer = await at(address)
      expect(`${address} ${answer.status}`).toBe(`${address} 200`)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      const etag = answer.headers.get('etag')
      if (etag !== null) expect((await at(address, { 'If-None-Match': etag })).status).toBe(304)
      expect(address.includes('/embed/') || etag !== null).toBe(true)
    }
  })

  test('answer 404 once the playlist or its project is deleted', async () => {
    const own = await makePlayableFile(server)
    const deleted = await makePlaylist([file])
    const ofProject = await makePlaylist([own], { ProjectId: own.projectId })
    await server.call('DELETE', `/modules/playlists/${deleted.id}`)
    await server.call('DELETE', `/projects/${own.projectId}?cascade=true`)
    for (const address of [deleted, ofProject].flatMap((playlist) => [
      ...addressesOf(playlist),
      ...addressesOf(playlist, previewOf(playlist)),
    ]))
      expectProblem(await at(address), 'not_found')
  })

  test('answer 403 for an invalid, expired or foreign token', async () => {
    const playlist = await makePlaylist([file])
    const expired = `/s/${server.services.tokens.issuePreview(playlist.playoutId, hours(-1))}`
    for (const prefix of ['/s/nonsense', expired, previewOf(file)])
      for (const address of addressesOf(playlist, prefix)) expectProblem(await at(address), 'forbidden')
  })

  test('of a project with token security answer 403 without a token', async () => {
    const secured = await makePlayableFile(server, { project: { TokenSecurity: true } })
    const playlist = await makePlaylist([secured], { ProjectId: secured.projectId })
    for (const address of addressesOf(playlist)) expectProblem(await at(address), 'forbidden')
    expect(await filesIn(playlist, [secured], previewOf(playlist))).toEqual([0])
  })

  test('with an unknown id answer 404', async () => {
    for (const playoutId of ['1', 'main', '0'.repeat(36), crypto.randomUUID()])
      for (const address of addressesOf({ id: 0, playoutId })) expectProblem(await at(address), 'not_found')
  })
})

describe('the stream of a playlist', () => {
  test('contains what viewers may see, in order, and follows every change', async () => {
    const files = [
      await makePlayableFile(server),
      await makePlayableFile(server, { metadata: { ReleaseStatus: 'draft' } }),
      await makePlayableFile(server, { metadata: { IsPublicUntil: hours(-1).toISOString() } }),
      await makePlayableFile(server, { metadata: { IsPublicAt: hours(1).toISOString() } }),
      await makePlayableFile(server, { state: 'encoding' }),
      await makePlayableFile(server, { project: { TokenSecurity: true } }),
      await makePlayableFile(server),
    ]
    const [one, draft] = files
    if (one === undefined || draft === undefined) throw new Error('no files')
    const playlist = await makePlaylist([...files, one])
    expect(await filesIn(playlist, files)).toEqual([0, 6, 0])
    expect(await filesIn(playlist, files, previewOf(playlist))).toEqual([0, 1, 2, 3, 5, 6, 0])
    await setStatus(draft, 'published')
    expect(await filesIn(playlist, files)).toEqual([0, 1, 6, 0])
    await server.call('DELETE', `/projects/${one.projectId}/files/${one.id}`)
    expect(await filesIn(playlist, files)).toEqual([1, 6])
  })

  test('contains at most the limit of visible files for an automatic playlist', async () => {
    const tag = crypto.randomUUID()
    const metadata = { Tags: [tag] }
    const files = [
      await makePlayableFile(server, { metadata }),
      await makePlayableFile(server, { metadata }),
      await makePlayableFile(server, { metadata: { ...metadata, ReleaseStatus: 'draft' } }),
    ]
    const playlist = await makePlaylist([], {
      Type: 'automatic',
      Elements: null,
      Rules: { Conditions: [{ Field: 'Tags', Operator: 'contains', Value: tag }], Limit: 2 },
    })
    expect(await filesIn(playlist, files)).toEqual([1, 0])
    const { body } = await server.call('GET', `/modules/playlists/${playlist.id}`)
    expect(body.Elements.map(({ FileId }: { FileId: number }) => FileId)).toEqual([
      files[2]?.id,
      files[1]?.id,
    ])
  })

  test('stays unchanged for a player that has started when the playlist changes', async () => {
    const [one, two] = [await makePlayableFile(server), await makePlayableFile(server)]
    const playlist = await makePlaylist([one, two])
    const { uri, media } = await mediaOf(playlist)
    await server.call('PUT', `/modules/playlists/${playlist.id}`, { body: { Elements: [two.id] } })
    expect(parseMediaPlaylist((await at(uri)).body)).toEqual(media)
    expect(await filesIn(playlist, [one, two])).toEqual([1])
  })

  test('references the segments of its files, with a token for each in a preview', async () => {
    const file = await makePlayableFile(server, { metadata: { ReleaseStatus: 'draft' } })
    const playlist = await makePlaylist([file])
    const { uri, media } = await mediaOf(playlist, previewOf(playlist))
    const init = new URL(media.initUri, uri)
    expect(init.pathname).toMatch(new RegExp(`^/s/[^/]+/v/${file.playoutId}/${file.renditionId}/init.mp4$`))
    expect((await at(init.href)).status).toBe(200)
    const open = await makePlayableFile(server)
    const published = await mediaOf(await makePlaylist([open]))
    const publicInit = new URL(published.media.initUri, published.uri)
    expect(publicInit.pathname).toBe(`/v/${open.playoutId}/${open.renditionId}/init.mp4`)
    expect((await at(publicInit.href)).status).toBe(200)
    // The layout of a preview must not be readable without its token.
    const [, , token, ...rest] = new URL(uri).pathname.split('/')
    expect(token).toBeDefined()
    expectProblem(await at(`/${rest.join('/')}`), 'not_found')
  })

  test('answers 404 for unknown variants and foreign layouts', async () => {
    const playlist = await makePlaylist([await makePlayableFile(server)])
    const { uri } = await mediaOf(playlist)
    const other = await makePlaylist([await makePlayableFile(server)])
    const base = uri.slice(0, uri.lastIndexOf('/'))
    for (const address of [
      `${base}/1.m3u8`,
      `${base}/00.m3u8`,
      `${base}/audio.m3u8`,
      `${base}/video.m3u8`,
      `${base}x/0.m3u8`,
      uri.replace(playlist.playoutId, other.playoutId),
      `${server.url}/v/${playlist.playoutId}/main.mpd`,
    ])
      expectProblem(await at(address), 'not_found')
  })

  test('answers 404 without a playable element, and its feeds are empty', async () => {
    const playlist = await makePlaylist([])
    expectProblem(await at(hlsOf(playlist)), 'not_found')
    expectProblem(await at(`/embed/${playlist.playoutId}`), 'not_found')
    expect((await at(`/v/${playlist.playoutId}/feed.json`)).body.items).toEqual([])
  })
})

describe('fillers', () => {
  const fill = (path: string) => at(`/v/${crypto.randomUUID()}/fill/${path}`)

  test('are generated for any span and never change', async () => {
    for (const [path, type] of [
      ['black/init.mp4', 'video/mp4'],
      ['black/1000-6000.m4s', 'video/mp4'],
      ['silence-48000-2/init.mp4', 'audio/mp4'],
      ['silence-44100-1/44100-1024.m4s', 'audio/mp4'],
    ] as const) {
      const answer = await fill(path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe(type)
      expect(answer.headers.get('cache-control')).toContain('immutable')
      expect((await fill(path)).body).toBe(answer.body)
    }
  })

  test.each([
    'white/init.mp4',
    'silence-47999-2/init.mp4',
    'silence-48000-6/init.mp4',
    'silence-1e5-2/init.mp4',
    'black/0-0.m4s',
    'black/01-1000.m4s',
    'black/-1-1000.m4s',
    'black/0-9999999.m4s',
    'black/9999999999999999-1000.m4s',
    'silence-48000-2/0-960001.m4s',
    'silence-48000-2/0.m4s',
  ])('answer 404 for %s', async (path) => {
    expectProblem(await fill(path), 'not_found')
  })
})

describe('feeds of a playlist', () => {
  test('list each file once, in order', async () => {
    const [one, two] = [
      await makePlayableFile(server, {
        metadata: {
          Title: 'One',
          DisplayTitle: 'Shown',
          Description: 'About',
          Tags: ['a', 'b'],
          NativeLanguage: 'de',
        },
      }),
      await makePlayableFile(server, { metadata: { Title: 'Two' } }),
    ]
    const playlist = await makePlaylist([one, two, one], { Name: 'Feed', Description: 'Of two' })
    const { headers, body } = await at(`/v/${playlist.playoutId}/feed.json`)
    expect(headers.get('content-type')).toBe('application/feed+json; charset=utf-8')
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\+00:00$/)
    expect(JSON.parse(typeof body === 'string' ? body : JSON.stringify(body))).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Feed',
      description: 'Of two',
      home_page_url: `${server.url}/embed/${playlist.playoutId}`,
      feed_url: `${server.url}/v/${playlist.playoutId}/feed.json`,
      items: [
        {
          id: `urn:uuid:${one.playoutId}`,
          url: `${server.url}/embed/${one.playoutId}`,
          title: 'Shown',
          content_text: 'About',
          image: `${server.url}/p/${one.pictureId}/poster.jpg`,
          date_published: timestamp,
          date_modified: timestamp,
          tags: ['a', 'b'],
          language: 'de',
          attachments: [
            {
              url: `${server.url}/v/${one.playoutId}/main.m3u8`,
              mime_type: 'application/vnd.apple.mpegurl',
              title: 'Shown',
            },
          ],
        },
        expect.objectContaining({ title: 'Two', content_text: '' }),
      ],
    })
    const rss = await at(`/v/${playlist.playoutId}/feed.xml`)
    expect(rss.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
    expect(rss.body.match(/<item>/g)).toHaveLength(2)
    expect(rss.body).toContain(
      `<atom:link href="${server.url}/v/${playlist.playoutId}/feed.xml" rel="self" type="application/rss+xml"/>`,
    )
    expect(rss.body).toContain('<media:keywords>a, b</media:keywords>')
  })

  test('of a preview contain preview links that play', async () => {
    const file = await makePlayableFile(server, { metadata: { ReleaseStatus: 'draft' } })
    const playlist = await makePlaylist([file])
    const prefix = previewOf(playlist)
    const { body } = await at(`${prefix}/v/${playlist.playoutId}/feed.json`)
    expect(body.feed_url).toBe(`${server.url}${prefix}/v/${playlist.playoutId}/feed.json`)
    const [item] = body.items
    expect((await at(item.url)).status).toBe(200)
    expect((await at(item.attachments[0].url)).status).toBe(200)
  })
})

describe('the embed page of a playlist', () => {
  test('lists the elements and escapes hostile names', async () => {
    const hostile = `</button><img src=x onerror="alert(1)">'`
    const file = await makePlayableFile(server, { metadata: { Title: hostile } })
    const playlist = await makePlaylist([file, file], { Name: hostile })
    const { body } = await at(`/embed/${playlist.playoutId}`)
    expect(body.match(/<li>/g)).toHaveLength(2)
    expect(body).not.toMatch(/onerror="/)
    expect(body).toContain(`data-hls="/v/${playlist.playoutId}/main.m3u8"`)
  })

  test('may be framed by domains that its project, or all projects of its elements, allow', async () => {
    const domains = async (playlist: MadePlaylist) =>
      /frame-ancestors (.*)$/.exec(
        (await at(`/embed/${playlist.playoutId}`)).headers.get('content-security-policy') ?? '',
      )?.[1]
    const a = await makePlayableFile(server, { project: { AllowedDomains: ['a.example', 'both.example'] } })
    const b = await makePlayableFile(server, { project: { AllowedDomains: ['both.example', 'b.example'] } })
    const c = await makePlayableFile(server, { project: { AllowedDomains: ['c.example'] } })
    const any = await makePlayableFile(server)
    const both = 'https://both.example http://both.example'
    expect(await domains(await makePlaylist([any]))).toBe('*')
    expect(await domains(await makePlaylist([a, any, b]))).toBe(`'self' ${both}`)
    expect(await domains(await makePlaylist([a, c]))).toBe("'self'")
    expect(await domains(await makePlaylist([a], { ProjectId: a.projectId }))).toBe(
      `'self' https://a.example http://a.example ${both}`,
    )
  })
})

describe('GET /modules/playlists/{playlistId}/playouts', () => {
  test('returns public URLs and preview links that play', async () => {
    const file = await makePlayableFile(server, { metadata: { ReleaseStatus: 'draft' } })
    const playlist = await makePlaylist([file], { ReleaseStatus: 'draft' })
    const path = `/modules/playlists/${playlist.id}/playouts`
    const { body, headers } = await server.call('GET', path)
    expect(body.TotalCount).toBe(1)
    const [playout] = body.Playouts
    expect(playout).toMatchObject({
      Id: playlist.playoutId,
      HLS: `${server.url}${hlsOf(playlist)}`,
      DASH: null,
      MP4: null,
      EmbedURI: `${server.url}/embed/${playlist.playoutId}`,
    })
    const { Preview } = playout
    for (const uri of [Preview.HLS, Preview.EmbedURI, Preview.FeedURIs.JSON, Preview.FeedURIs.MRSS])
      expect((await at(uri)).status).toBe(200)
    expect(
      (await server.call('GET', path, { headers: { 'If-None-Match': headers.get('etag') ?? '' } })).status,
    ).toBe(304)
  })

  test('requires the permission to read files', async () => {
    const playlist = await makePlaylist([])
    const apiKey = await server.newKey({ scopes: ['playlists:read'] })
    expectProblem(
      await server.call('GET', `/modules/playlists/${playlist.id}/playouts`, { apiKey }),
      'forbidden',
    )
  })
})

describe('POST /modules/playlists/{playlistId}/playouts/sign', () => {
  const sign = async ({ id }: MadePlaylist, body: object = {}) => {
    const answer = await server.call('POST', `/modules/playlists/${id}/playouts/sign`, { body })
    expect(answer.status).toBe(200)
    return answer.body
  }

  test('opens only the playlist, its feeds and its elements', async () => {
    const file = await makePlayableFile(server, { project: { TokenSecurity: true } })
    const playlist = await makePlaylist([file], { ProjectId: file.projectId })
    const links = await sign(playlist, { ValidSeconds: 3_600 })
    expect(links).toEqual({
      HLS: `${server.url}/s/${links.Token}/v/${playlist.playoutId}/main.m3u8`,
      DASH: null,
      MP4: null,
      EmbedURI: `${server.url}/s/${links.Token}/embed/${playlist.playoutId}`,
      FeedURIs: {
        JSON: `${server.url}/s/${links.Token}/v/${playlist.playoutId}/feed.json`,
        MRSS: `${server.url}/s/${links.Token}/v/${playlist.playoutId}/feed.xml`,
        HLS: links.HLS,
      },
      Token: expect.any(String),
      TokenId: expect.any(String),
      ExpiresAt: expect.stringMatching(/\+00:00$/),
    })
    const inAnHour = Date.now() + 3_600_000
    expect(Math.abs(Date.parse(links.ExpiresAt) - inAnHour)).toBeLessThan(5_000)
    const prefix = `/s/${links.Token}`
    for (const address of addressesOf(playlist, prefix))
      expect(`${address} ${(await at(address)).status}`).toBe(`${address} 200`)
    const { uri, media } = await mediaOf(playlist, prefix)
    expect((await at(new URL(media.initUri, uri).href)).status).toBe(200)
    expect(new URL(media.segments[0]?.uri ?? '', uri).pathname.split('/')[2]).toBe(
      new URL(media.initUri, uri).pathname.split('/')[2],
    )
    const [item] = (await at(links.FeedURIs.JSON)).body.items
    expect((await at(item.url)).status).toBe(200)
    expect((await at(item.attachments[0].url)).status).toBe(200)
    const elementToken = new URL(item.url).pathname.split('/')[2] ?? ''
    expect(server.services.tokens.check(elementToken, file.playoutId)).toEqual({
      kind: 'viewer',
      expiresAt: new Date(links.ExpiresAt),
      tokenId: links.TokenId,
    })
    const other = await makePlaylist([file], { ProjectId: file.projectId })
    for (const address of addressesOf(other, prefix)) expectProblem(await at(address), 'forbidden')
    for (const token of [links.Token, elementToken]) {
      const stranger = await makePlayableFile(server)
      expectProblem(await at(`/s/${token}/v/${stranger.playoutId}/main.m3u8`), 'forbidden')
    }
    for (const address of addressesOf(playlist)) expectProblem(await at(address), 'forbidden')
    const [, , , ...rest] = new URL(uri).pathname.split('/')
    expectProblem(await at(`/${rest.join('/')}`), 'forbidden')
  })

  test('shows only what viewers may see, until the playlist is unpublished', async () => {
    const project = { TokenSecurity: true }
    const files = [
      await makePlayableFile(server, { project }),
      await makePlayableFile(server, { project, metadata: { ReleaseStatus: 'draft' } }),
      await makePlayableFile(server, { project, metadata: { IsPublicUntil: hours(-1).toISOString() } }),
      await makePlayableFile(server),
    ]
    const playlist = await makePlaylist(files)
    const { Token } = await sign(playlist)
    const prefix = `/s/${Token}`
    expect(await filesIn(playlist, files)).toEqual([3])
    expect(await filesIn(playlist, files, prefix)).toEqual([0, 3])
    expect((await at(`${prefix}/v/${playlist.playoutId}/feed.json`)).body.items).toHaveLength(2)
    const { uri } = await mediaOf(playlist, prefix)
    const [, , , ...rest] = new URL(uri).pathname.split('/')
    // The layout of signed links contains files that the public stream omits.
    expectProblem(await at(`/${rest.join('/')}`), 'not_found')
    await server.call('PUT', `/modules/playlists/${playlist.id}`, { body: { ReleaseStatus: 'unpublished' } })
    for (const address of addressesOf(playlist, prefix)) expectProblem(await at(address), 'not_found')
  })

  test('opens a removed file only for players that have started', async () => {
    const project = { TokenSecurity: true }
    const [kept, removed] = [
      await makePlayableFile(server, { project }),
      await makePlayableFile(server, { project }),
    ]
    const playlist = await makePlaylist([kept, removed])
    const started = await sign(playlist)
    const { uri, media } = await mediaOf(playlist, `/s/${started.Token}`)
    const preview = await mediaOf(playlist, previewOf(playlist))
    const under = (token: string) => uri.replace(started.Token, token)
    const withoutProof = (address: string) => address.replace(/\?.*/, '')
    // A player may put a new token into the address that it has.
    const renewed = await sign(playlist)
    for (const address of [withoutProof(uri), under(renewed.Token)])
      expect(`${address} ${(await at(address)).status}`).toBe(`${address} 200`)

    await server.call('PUT', `/modules/playlists/${playlist.id}`, { body: { Elements: [kept.id] } })
    expect(parseMediaPlaylist((await at(uri)).body)).toEqual(media)
    expect((await at(new URL(media.segments.at(-1)?.uri ?? '', uri).href)).status).toBe(200)
    expect(parseMediaPlaylist((await at(preview.uri)).body)).toEqual(preview.media)
    const otherPreview = server.services.tokens.issuePreview(playlist.playoutId, hours(2))
    for (const address of [
      withoutProof(uri),
      `${uri}x`,
      `${uri}&proof=x`,
      under(renewed.Token),
      under((await sign(playlist)).Token),
      withoutProof(preview.uri),
      preview.uri.replace(/\/s\/[^/]+/, `/s/${otherPreview}`),
    ])
      expectProblem(await at(address), 'not_found')
    expect(await filesIn(playlist, [kept, removed], `/s/${renewed.Token}`)).toEqual([0])
  })

  test('plays the matching files of an automatic playlist', async () => {
    const tag = crypto.randomUUID()
    const file = await makePlayableFile(server, {
      project: { TokenSecurity: true },
      metadata: { Tags: [tag] },
    })
    const playlist = await makePlaylist([], {
      Type: 'automatic',
      Elements: null,
      ProjectId: file.projectId,
      Rules: { Conditions: [{ Field: 'Tags', Operator: 'contains', Value: tag }] },
    })
    const { Token } = await sign(playlist)
    expect(await filesIn(playlist, [file], `/s/${Token}`)).toEqual([0])
  })

  test('answers 403 after the link has expired', async () => {
    const file = await makePlayableFile(server, { project: { TokenSecurity: true } })
    const playlist = await makePlaylist([file], { ProjectId: file.projectId })
    const expired = `/s/${server.services.tokens.issueViewer(playlist.playoutId, hours(-1))}`
    for (const address of addressesOf(playlist, expired)) expectProblem(await at(address), 'forbidden')
  })

  test('rejects bad options, unknown playlists and API keys that may not read files', async () => {
    const playlist = await makePlaylist([])
    const path = `/modules/playlists/${playlist.id}/playouts/sign`
    expectProblem(await server.call('POST', path, { body: { ValidSeconds: 1 } }), 'invalid')
    expectProblem(
      await server.call('POST', path, { body: { ValidSeconds: 60, ExpiresAt: hours(1).toISOString() } }),
      'invalid',
    )
    expectProblem(await server.call('POST', '/modules/playlists/999999/playouts/sign'), 'not_found')
    for (const scopes of [['playlists:read'], ['files:read']])
      expectProblem(await server.call('POST', path, { apiKey: await server.newKey({ scopes }) }), 'forbidden')
    const apiKey = await server.newKey({ scopes: ['playlists:read', 'files:read'] })
    const answer = await server.call('POST', path, { apiKey })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ HLS: null, EmbedURI: null })
  })
})
