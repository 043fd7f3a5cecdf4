import { readFile } from 'node:fs/promises'
import { sql as kyselySql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import type { MediaFileState } from '../../platform/db/tables/files.ts'
import type { ProblemCode } from '../../platform/base/problem.ts'
import { addressesOf, makePlayableFile, type PlayableFile } from '../test-support/playable-file.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

const expectAll = async (addresses: string[], expected: 200 | ProblemCode): Promise<void> => {
  for (const address of addresses) {
    const answer = await request(server.url + address, 'GET')
    if (expected === 200) expect(`${address} ${answer.status}`).toBe(`${address} 200`)
    else expectProblem(answer, expected)
  }
}

const hours = (count: number): string => new Date(Date.now() + count * 3_600_000).toISOString()

describe('addresses of a file for viewers', () => {
  test.each<[string, object, 200 | 'not_found']>([
    ['draft', { ReleaseStatus: 'draft' }, 'not_found'],
    ['unpublished', { ReleaseStatus: 'unpublished' }, 'not_found'],
    ['published', {}, 200],
    ['published from an hour ago on', { IsPublicAt: hours(-1) }, 200],
    ['published in an hour', { IsPublicAt: hours(1) }, 'not_found'],
    ['published for another hour', { IsPublicAt: hours(-1), IsPublicUntil: hours(1) }, 200],
    ['published until an hour ago', { IsPublicUntil: hours(-1) }, 'not_found'],
  ])('of a %s file (%s) answer %s', async (_what, metadata, expected) => {
    await expectAll(addressesOf(await makePlayableFile(server, { metadata })), expected)
  })

  test.each<[MediaFileState, 200 | 'not_found']>([
    ['created', 'not_found'],
    ['uploaded', 'not_found'],
    ['encoding', 'not_found'],
    ['playable', 200],
    ['finished', 200],
    ['degraded', 200],
    ['failed', 'not_found'],
  ])('of a file in state %s answer %s', async (state, expected) => {
    const file = await makePlayableFile(server, { state })
    await expectAll(addressesOf(file), expected)
    const preview = server.services.tokens.issuePreview(file.playoutId, new Date(hours(1)))
    await expectAll(addressesOf(file, `/s/${preview}`), expected)
  })

  test('open when the file is published and close when it is unpublished', async () => {
    const file = await makePlayableFile(server, { metadata: { ReleaseStatus: 'draft' } })
    const put = (ReleaseStatus: string) =>
      server.call('PUT', `/projects/${file.projectId}/files/${file.id}`, {
        body: { Metadata: { ReleaseStatus } },
      })
    await put('published')
    await expectAll(addressesOf(file), 200)
    await put('unpublished')
    await expectAll(addressesOf(file), 'not_found')
  })

  test('answer 404 once the file or its project is deleted, even with a preview token', async () => {
    const [file, other] = [await makePlayableFile(server), await makePlayableFile(server)]
    await server.call('DELETE', `/projects/${file.projectId}/files/${file.id}`)
    await server.call('DELETE', `/projects/${other.projectId}?cascade=true`)
    for (const gone of [file, other]) {
      await expectAll(addressesOf(gone), 'not_found')
      const preview = server.services.tokens.issuePreview(gone.playoutId, new Date(hours(1)))
      await expectAll(addressesOf(gone, `/s/${preview}`), 'not_found')
    }
  })

  test('of a project with token security answer 403 without a token', async () => {
    const file = await makePlayableFile(server, { project: { TokenSecurity: true } })
    await expectAll(addressesOf(file), 'forbidden')
    const preview = server.services.tokens.issuePreview(file.playoutId, new Date(hours(1)))
    await expectAll(addressesOf(file, `/s/${preview}`), 200)
  })

  test('of a project with token security do not reveal an unpublished file', async () => {
    const file = await makePlayableFile(server, {
      project: { TokenSecurity: true },
      metadata: { ReleaseStatus: 'draft' },
    })
    await expectAll(addressesOf(file), 'not_found')
  })
})

describe('the pictures of a file', () => {
  const recordOf = async (file: PlayableFile) =>
    (await server.call('GET', `/projects/${file.projectId}/files/${file.id}`)).body
  const cacheOf = async (address: string) =>
    (await request(server.url + address, 'GET')).headers.get('cache-control')

  test.each<[string, object]>([
    ['unpublished', { metadata: { ReleaseStatus: 'unpublished' } }],
    ['of a project with token security', { project: { TokenSecurity: true } }],
    ['not yet playable', { state: 'encoding' }],
  ])('of a file that is %s open for API users by the key in its record', async (_what, options) => {
    const file = await makePlayableFile(server, options)
    const { StandardFilePicture: picture } = (await recordOf(file)).Metadata
    for (const uri of [picture.URI, picture.ThumbURI, picture.SrcPictureURI]) {
      const answer = await request(uri, 'GET')
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('private, max-age=3600')
      const { origin, pathname } = new URL(uri)
      for (const query of ['', '?key=', '?key=0', `?key=${'0'.repeat(32)}`, '?key=1&key=2'])
        expect([403, 404]).toContain((await request(origin + pathname + query, 'GET')).status)
    }
    await server.call('DELETE', `/projects/${file.projectId}/files/${file.id}`)
    expectProblem(await request(picture.URI, 'GET'), 'not_found')
  })

  test('get their keys into the records of an earlier release by the migration', async () => {
    const file = await makePlayableFile(server)
    const { sql } = server.services.database
    const read = async () =>
      (await sql<{ record: string }[]>`select record from media_files where id = ${file.id}`)[0]?.record
    const record = await read()
    await sql`update media_files set record = regexp_replace(record, '\\?key=[0-9a-f]{32}', '', 'g') where id = ${file.id}`
    expect(await read()).not.toContain('?key=')
    const migration = await readFile(
      new URL('../../../migrations/0069_picture_keys.sql', import.meta.url),
      'utf8',
    )
    await server.services.database.kysely.transaction().execute(async (tx) => {
      await kyselySql.raw(migration.slice(migration.indexOf('update'))).execute(tx)
    })
    expect(await read()).toBe(record)
  })

  test('are cached for an hour, and only by browsers if a token or key opened them', async () => {
    const file = await makePlayableFile(server)
    const path = `/p/${file.pictureId}/poster.jpg`
    const token = server.services.tokens.issueViewer(file.playoutId, new Date(hours(1)))
    expect(await cacheOf(path)).toBe('public, max-age=3600')
    expect(await cacheOf(`/s/${token}${path}`)).toBe('private, max-age=3600')
  })

  test('are linked with the token of the page, the playlist and the feed', async () => {
    const file = await makePlayableFile(server, { project: { TokenSecurity: true } })
    const signed = await server.call('POST', `/projects/${file.projectId}/files/${file.id}/playouts/sign`, {
      body: {},
    })
    const playlist = await server.call('POST', '/modules/playlists', {
      body: {
        Name: 'Signed',
        ProjectId: file.projectId,
        ReleaseStatus: 'published',
        Elements: [{ FileId: file.id }],
      },
    })
    const { body: links } = await server.call(
      'POST',
      `/modules/playlists/${playlist.body.Id}/playouts/sign`,
      { body: {} },
    )
    for (const page of [signed.body.EmbedURI, links.EmbedURI, links.FeedURIs.JSON, links.FeedURIs.MRSS]) {
      const answer = await request(page, 'GET')
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
      const paths = text.match(/\/s\/[^"<\s]*\/p\/[^"<\s]*\.jpg/g) ?? []
      expect(paths.length).toBeGreaterThan(0)
      for (const path of paths) expect((await request(server.url + path, 'GET')).status).toBe(200)
      expect(text).not.toContain('key=')
    }
  })
})

describe('a request of another site', () => {
  const statuses = async (addresses: string[], Origin: string) => {
    const answers = await Promise.all(
      addresses.map((address) => request(server.url + address, 'GET', { headers: { Origin } })),
    )
    return new Set(answers.map(({ status, headers }) => `${status} ${headers.get('vary')}`))
  }

  test('is refused by playlists, segments and pictures unless AllowedDomains names the site', async () => {
    const file = await makePlayableFile(server, {
      project: { AllowedDomains: ['www.example.com', '*.example.org', 'localhost:3000'] },
    })
    // The page itself is protected by its Content-Security-Policy.
    const addresses = addressesOf(file).slice(1)
    for (const origin of [
      'https://www.example.com',
      'http://www.example.com',
      'https://a.b.example.org',
      'http://localhost:3000',
      server.url,
    ])
      expect([origin, ...(await statuses(addresses, origin))]).toEqual([origin, '200 Origin'])
    for (const origin of [
      'https://example.com',
      'https://www.example.com.evil.example',
      'https://evilexample.org',
      'https://example.org',
      'http://localhost',
      'null',
      'nonsense',
    ])
      expect([origin, ...(await statuses(addresses, origin))]).toEqual([origin, '403 Origin'])
    await expectAll(addresses, 200)
    const token = server.services.tokens.issueViewer(file.playoutId, new Date(hours(1)))
    expect([...(await statuses(addressesOf(file, `/s/${token}`).slice(1), 'https://evil.example'))]).toEqual([
      '403 Origin',
    ])
  })

  test('is served, and cached for all sites, where no domains are named', async () => {
    const addresses = addressesOf(await makePlayableFile(server)).slice(1)
    expect([...(await statuses(addresses, 'https://evil.example'))]).toEqual(['200 null'])
  })
})

describe('a preview link', () => {
  let file: PlayableFile
  const issue = (playoutId: string, expiresAt: Date) =>
    server.services.tokens.issuePreview(playoutId, expiresAt)

  beforeAll(async () => {
    file = await makePlayableFile(server, { metadata: { ReleaseStatus: 'draft' } })
  })

  test('from the API opens every address of an unpublished file for hours', async () => {
    const { body } = await server.call('GET', `/projects/${file.projectId}/files/${file.id}/playouts`)
    const [{ Preview }] = body.Playouts
    expect(body.TotalCount).toBe(1)
    for (const link of [Preview.HLS, Preview.DASH, Preview.EmbedURI])
      expect((await request(link, 'GET')).status).toBe(200)
    const token = new URL(Preview.HLS).pathname.split('/')[2] ?? ''
    await expectAll(addressesOf(file, `/s/${token}`), 200)
    expect(Date.parse(Preview.ExpiresAt)).toBeGreaterThan(Date.now() + 5 * 3_600_000)
    expect(Preview.ExpiresAt).toMatch(/\+00:00$/)
  })

  test('is null while the file is not playable', async () => {
    const unplayable = await makePlayableFile(server, { state: 'uploaded' })
    const { body } = await server.call(
      'GET',
      `/projects/${unplayable.projectId}/files/${unplayable.id}/playouts`,
    )
    expect(body.Playouts[0]).toMatchObject({
      HLS: null,
      DASH: null,
      EmbedURI: null,
      Preview: { HLS: null, DASH: null, EmbedURI: null },
    })
  })

  test('that has expired answers 403', async () => {
    await expectAll(
      addressesOf(file, `/s/${issue(file.playoutId, new Date(Date.now() - 1_000))}`),
      'forbidden',
    )
  })

  test('of another file answers 403', async () => {
    const other = await makePlayableFile(server)
    await expectAll(addressesOf(file, `/s/${issue(other.playoutId, new Date(hours(1)))}`), 'forbidden')
  })

  test('with a tampered token answers 403, even for a published file', async () => {
    const open = await makePlayableFile(server)
    const good = issue(open.playoutId, new Date(hours(1)))
    const [kid = '', expiry = '', signature = ''] = good.split('.')
    const later = (Number.parseInt(expiry, 36) + 3_600).toString(36)
    const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    const tampered = [
      ...[
        `${kid}.${later}.${signature}`,
        `${kid}.${expiry}.${flipped}`,
        `${kid}.${expiry}.${signature.slice(0, -2)}`,
        `${kid}.${expiry}.`,
      ],
      ...[
        `k2.${expiry}.${signature}`,
        `${good}.x`,
        `${kid}.${expiry}`,
        `.${expiry}.${signature}`,
        'abc',
        '..',
        '...',
        '%00',
        'a'.repeat(400),
      ],
      ...[`${kid}.${expiry}0.${signature}`, `${kid}.-1.${signature}`, `${kid}.zzzzzzzzzz.${signature}`],
    ]
    await expectAll(addressesOf(open, `/s/${good}`), 200)
    for (const token of tampered.filter((one) => one !== '..'))
      await expectAll(addressesOf(open, `/s/${token}`), 'forbidden')
  })

  test('carries its token from the playlist to the segments', async () => {
    const token = issue(file.playoutId, new Date(hours(1)))
    const playlist = `${server.url}/s/${token}${file.path}/main.m3u8`
    const [, uri = ''] = /\n(\d+\/playlist\.m3u8)/.exec((await request(playlist, 'GET')).body) ?? []
    const media = new URL(uri, playlist)
    expect(media.pathname).toContain(token)
    expect((await request(new URL('0.m4s', media).href, 'GET')).status).toBe(200)
  })
})

describe('a signed viewer link', () => {
  const sign = (file: PlayableFile, body: object = {}) =>
    server.call('POST', `/projects/${file.projectId}/files/${file.id}/playouts/sign`, { body })
  const prefixOf = (uri: string): string => new URL(uri).pathname.replace(/\/v\/.*/, '')

  test('plays a published file of a project with token security, for four hours by default', async () => {
    const file = await makePlayableFile(server, { project: { TokenSecurity: true } })
    const before = Date.now()
    const { status, body } = await sign(file)
    expect(status).toBe(200)
    const lastsMs = Date.parse(body.ExpiresAt) - before
    expect(lastsMs).toBeGreaterThan(14_390_000)
    expect(lastsMs).toBeLessThan(14_430_000)
    expect(Object.keys(body)).toEqual([
      'HLS',
      'DASH',
      'MP4',
      'EmbedURI',
      'Storyboard',
      'M4A',
      'ThumbnailURI',
      'AnimatedURI',
      'Token',
      'TokenId',
      'ExpiresAt',
    ])
    expect(prefixOf(body.HLS)).toBe(`/s/${body.Token}`)
    await expectAll(
      [body.HLS, body.DASH, body.EmbedURI].map((uri) => new URL(uri).pathname),
      200,
    )
    await expectAll(addressesOf(file, prefixOf(body.HLS)), 200)
    const other = await makePlayableFile(server, { project: { TokenSecurity: true } })
    await expectAll(addressesOf(other, prefixOf(body.HLS)), 'forbidden')
  })

  test.each<[string, object]>([
    ['unpublished', { ReleaseStatus: 'unpublished' }],
    ['published in an hour', { IsPublicAt: hours(1) }],
    ['published until an hour ago', { IsPublicUntil: hours(-1) }],
  ])('answers 404 for a file that is %s', async (_what, metadata) => {
    const file = await makePlayableFile(server, { metadata, project: { TokenSecurity: true } })
    await expectAll(addressesOf(file, prefixOf((await sign(file)).body.HLS)), 'not_found')
  })

  test('expires at the requested time', async () => {
    const file = await makePlayableFile(server)
    const ExpiresAt = `${hours(2).slice(0, 19)}.000+00:00`
    expect((await sign(file, { ExpiresAt })).body.ExpiresAt).toBe(ExpiresAt)
    const { body } = await sign(file, { ValidSeconds: 60, ExpiresAt: null })
    expect(Date.parse(body.ExpiresAt)).toBeLessThanOrEqual(Date.now() + 60_000)
    const expired = server.services.tokens.issueViewer(file.playoutId, new Date(Date.now() - 1_000))
    await expectAll(addressesOf(file, `/s/${expired}`), 'forbidden')
  })

  test.each([
    ['ValidSeconds', { ValidSeconds: 59 }],
    ['ValidSeconds', { ValidSeconds: 604_801 }],
    ['ExpiresAt', { ExpiresAt: hours(-1) }],
    ['ExpiresAt', { ExpiresAt: hours(169) }],
    ['ExpiresAt', { ExpiresAt: hours(1), ValidSeconds: 60 }],
  ])('is refused when %s is invalid: %o', async (field, body) => {
    const answer = await sign(await makePlayableFile(server), body)
    expectProblem(answer, 'invalid')
    expect(answer.body.error.details).toMatchObject([{ field }])
  })

  test('is null while the file is not playable', async () => {
    const file = await makePlayableFile(server, { state: 'created' })
    expect((await sign(file)).body).toMatchObject({ HLS: null, DASH: null, EmbedURI: null })
  })
})
