import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { makeLiveStream } from '../test-support/live-stream.ts'
import { makePlayableFile } from '../test-support/playable-file.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

const embed = async (options: Parameters<typeof makePlayableFile>[1] = {}) => {
  const { playoutId } = await makePlayableFile(server, options)
  return request(`${server.url}/embed/${playoutId}`, 'GET')
}

const policyOf = (headers: Headers): Map<string, string> =>
  new Map(
    (headers.get('content-security-policy') ?? '').split('; ').map((one): [string, string] => {
      const [name = '', ...values] = one.split(' ')
      return [name, values.join(' ')]
    }),
  )

test('the embed page allows only its own script, style and media', async () => {
  const { status, headers, body } = await embed()
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  const policy = policyOf(headers)
  expect(policy.get('default-src')).toBe("'none'")
  expect(policy.get('script-src')).toBe("'self'")
  expect(policy.get('base-uri')).toBe("'none'")
  expect(headers.get('content-security-policy')).not.toContain('unsafe')
  expect(body).not.toMatch(/<script(?![^>]+src=)|\son\w+=|style=/)
  // The page loads nothing from elsewhere; only its own URL appears in it, for other sites.
  expect(body.replaceAll(server.url, '')).not.toMatch(/https?:\/\//)
})

test.each([
  `</script><img src=x onerror=alert(1)>`,
  `"><svg onload=alert(1)>`,
  `' onfocus='alert(1)`,
  `</title><script>alert(1)</script>`,
  `&lt;b&gt; &amp; <!-- -->`,
  `{{constructor.constructor('alert(1)')()}}`,
])('the title %s is escaped', async (title) => {
  for (const metadata of [{ Title: title }, { Title: 'Inner', DisplayTitle: title }]) {
    const { body } = await embed({ metadata })
    const expected = title.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
    expect(body).toContain(`<title>${expected}</title>`)
    expect(body).toContain(`aria-label="${expected}"`)
    expect(body).not.toMatch(/<img|<svg|<b>|<!--|<script>/)
  }
})

test('the embed page answers 304 until its contents or its allowed domains change', async () => {
  const { playoutId, projectId, id } = await makePlayableFile(server)
  const url = `${server.url}/embed/${playoutId}`
  const tagOf = async (known?: string): Promise<string> => {
    const { status, headers, body } = await request(
      url,
      'GET',
      known === undefined ? {} : { headers: { 'If-None-Match': known } },
    )
    expect(status).toBe(headers.get('etag') === known ? 304 : 200)
    if (status === 304) expect(body).toBe('')
    expect(headers.get('content-security-policy')).toContain('frame-ancestors')
    return headers.get('etag') ?? ''
  }
  const first = await tagOf()
  expect(first).toMatch(/^"/)
  expect(await tagOf(first)).toBe(first)
  await server.call('PUT', `/projects/${projectId}`, { body: { AllowedDomains: ['example.com'] } })
  const second = await tagOf(first)
  expect(second).not.toBe(first)
  await server.call('PUT', `/projects/${projectId}/files/${id}/metadata`, { body: { Title: 'Another' } })
  expect(await tagOf(second)).not.toBe(second)
  await server.call('PUT', `/projects/${projectId}/files/${id}/metadata`, {
    body: { ReleaseStatus: 'draft' },
  })
  const gone = await request(url, 'GET', { headers: { Accept: 'text/html', 'If-None-Match': '*' } })
  expect(gone.status).toBe(404)
})

test('any site may frame the player unless the project lists its domains', async () => {
  expect(policyOf((await embed()).headers).get('frame-ancestors')).toBe('*')
  const named = await embed({ project: { AllowedDomains: ['example.com', '*.example.org'] } })
  expect(policyOf(named.headers).get('frame-ancestors')?.split(' ')).toEqual(
    expect.arrayContaining(["'self'", 'https://example.com', 'https://*.example.org']),
  )
  expect(policyOf(named.headers).get('frame-ancestors')).not.toContain(' * ')
})

test('a frame of a site that is not allowed gets a page that says so, and other pages the player', async () => {
  const { playoutId } = await makePlayableFile(server, { project: { AllowedDomains: ['example.com'] } })
  const open = (headers: Record<string, string>) =>
    request(`${server.url}/embed/${playoutId}`, 'GET', { headers: { ...html, ...headers } })
  const foreign = { 'Sec-Fetch-Dest': 'iframe', Referer: 'https://example.net/article' }
  const refused = await open(foreign)
  expect(refused.status).toBe(403)
  expect(attributesOf(refused.body).get('reason')).toBe('site')
  expect(policyOf(refused.headers).get('frame-ancestors')).toBe('*')
  expect(refused.body).not.toContain('data-root')
  for (const headers of [
    { ...foreign, Referer: 'https://example.com/article' },
    { ...foreign, Referer: `${server.url}/console/` },
    { ...foreign, 'Sec-Fetch-Dest': 'document' },
    { 'Sec-Fetch-Dest': 'iframe' },
  ]) {
    const { status, body } = await open(headers)
    expect(status).toBe(200)
    expect(body).toContain('data-root')
  }
})

test("embed pages of files, playlists and streams have the project's theme", async () => {
  const project = { PlayerTheme: { Color: '#E0457B' } }
  const { id, playoutId, projectId } = await makePlayableFile(server, { project })
  const stream = await makeLiveStream(server, project)
  const list = await server.call('POST', '/modules/playlists', {
    body: {
      ...{ Name: 'List', ProjectId: projectId, ReleaseStatus: 'published' },
      Elements: [{ FileId: id }],
    },
  })
  const pages = [playoutId, stream.playoutId, list.body.Playouts[0].Id].map(
    (playout) => `${server.url}/embed/${playout}`,
  )
  for (const page of pages) expect((await request(page, 'GET')).body).toContain('data-color="#e0457b"')
  await server.call('PUT', `/projects/${projectId}`, { body: { PlayerTheme: null } })
  expect((await request(pages[0] ?? '', 'GET')).body).not.toContain('data-color')
})

test('the embed page has the chapters of the file in a language of the viewer, escaped', async () => {
  const { playoutId, projectId, id } = await makePlayableFile(server)
  const url = `${server.url}/embed/${playoutId}`
  for (const [Language, title] of [
    ['en', '&quot;>&lt;img&gt; <i>Dawn</i>\nin the valley'],
    ['de', 'Morgen'],
  ])
    await server.call('POST', `/projects/${projectId}/files/${id}/captions`, {
      body: { Language, Kind: 'chapters', Content: `WEBVTT\n\n00:05.500 --> 00:09.000\n${title}\n` },
    })
  const titleAt = async (address: string, language: string) => {
    const { body } = await request(address, 'GET', { headers: { 'Accept-Language': language } })
    expect(body).not.toContain('<img')
    const [, written = ''] = /data-chapters="([^"]*)"/.exec(body) ?? []
    const [chapter] = JSON.parse(written.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(code)))
    expect(chapter.startSeconds).toBe(5.5)
    return chapter.title
  }
  expect(await titleAt(url, 'de-CH')).toBe('Morgen')
  expect(await titleAt(url, 'fr')).toBe('"><img> Dawn in the valley')
  expect(await titleAt(`${url}?lang=de`, 'en')).toBe('Morgen')
  expect(await titleAt(`${url}?lang=de&lang=fr&autoplay=1`, 'de')).toBe('Morgen')
  expect((await embed()).body).not.toContain('data-chapters')
})

test('script and style have content-hashed immutable URLs, and other versions answer 404', async () => {
  const { body } = await embed()
  const addresses = [...body.matchAll(/(?:src|href)="(\/player\/[^"]+)"/g)].map(
    ([, address]) => address ?? '',
  )
  expect(addresses).toHaveLength(3)
  for (const address of addresses) {
    const { status, headers } = await request(server.url + address, 'GET')
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toContain('immutable')
    expect(headers.get('content-type')).toMatch(/^text\/(?:javascript|css)/)
  }
  const [first = ''] = addresses
  expectProblem(
    await request(server.url + first.replace(/player\/[0-9a-f]+/, 'player/0123456789abcdef'), 'GET'),
    'not_found',
  )
  for (const name of ['../player.js', '%2e%2e%2fpackage.json', 'toString', '__proto__'])
    expectProblem(await request(`${server.url}${first.replace(/[^/]+$/, name)}`, 'GET'), 'not_found')
})

const html = { Accept: 'text/html,*/*;q=0.8' }
const attributesOf = (body: string): Map<string, string> =>
  new Map([...body.matchAll(/ data-([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))
const inSeconds = (seconds: number): Date => new Date(Date.now() + seconds * 1_000)

test('a browser gets a neutral page for an unavailable video, and other clients get the error', async () => {
  const draft = await makePlayableFile(server, { metadata: { ReleaseStatus: 'draft' } })
  const later = { ReleaseStatus: 'draft', IsPublicAt: inSeconds(600).toISOString() }
  const laterDraft = await makePlayableFile(server, { metadata: later })
  const over = await makePlayableFile(server, { metadata: { IsPublicUntil: inSeconds(-600).toISOString() } })
  const closed = await makePlayableFile(server, {
    project: { TokenSecurity: true },
    metadata: { IsPublicAt: inSeconds(600).toISOString() },
  })
  const pages = new Set<string>()
  for (const id of [
    '00000000-0000-4000-8000-000000000000',
    'nothing',
    draft.playoutId,
    laterDraft.playoutId,
    over.playoutId,
    // Without a link, a file that needs one looks like no file.
    closed.playoutId,
  ]) {
    const url = `${server.url}/embed/${id}`
    const answer = await request(url, 'GET', { headers: html })
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(policyOf(answer.headers).get('default-src')).toBe("'none'")
    expect(answer.body).toContain('This video is not available.')
    expect(attributesOf(answer.body).get('reason')).toBe('unavailable')
    pages.add(answer.body.replace(/ data-support="[0-9A-Z]{4}-[0-9A-Z]{4}"/, ''))
    expectProblem(await request(url, 'GET'), 'not_found')
  }
  expect(pages.size).toBe(1)
})

test('the page of a refused link says whether the link has expired', async () => {
  const { playoutId, projectId } = await makePlayableFile(server, { project: { TokenSecurity: true } })
  const { tokens } = server.services
  const other = '00000000-0000-4000-8000-000000000000'
  const expired = tokens.issueViewer(playoutId, inSeconds(-60))
  const forged = `${expired.slice(0, -1)}${expired.endsWith('A') ? 'B' : 'A'}`
  for (const [path, reason] of [
    [`/embed/${playoutId}`, 'link'],
    [`/s/kp1.zzzzzz.AAAA/embed/${playoutId}`, 'link'],
    [`/s/${forged}/embed/${playoutId}`, 'link'],
    [`/s/${tokens.issueViewer(other, inSeconds(-60))}/embed/${playoutId}`, 'link'],
    [`/s/${expired}/embed/${playoutId}`, 'expired'],
  ] as const) {
    const answer = await request(server.url + path, 'GET', { headers: html })
    expect(answer.status).toBe(403)
    expect(attributesOf(answer.body).get('reason')).toBe(reason)
    expectProblem(await request(server.url + path, 'GET'), 'forbidden')
  }
  const tokenId = tokens.newTokenId(playoutId)
  const revoked = tokens.issueViewer(playoutId, inSeconds(-60), tokenId)
  const file = `/projects/${projectId}/files`
  const { body } = await server.call('GET', file)
  await server.call('DELETE', `${file}/${body.Files[0].Id}/playouts/tokens/${tokenId}`)
  const answer = await request(`${server.url}/s/${revoked}/embed/${playoutId}`, 'GET', { headers: html })
  expect(attributesOf(answer.body).get('reason')).toBe('link')
})

test('signed pages of files, playlists and streams state how long their token is valid', async () => {
  const { id, playoutId, projectId } = await makePlayableFile(server)
  const stream = await makeLiveStream(server)
  const list = await server.call('POST', '/modules/playlists', {
    body: {
      ...{ Name: 'List', ProjectId: projectId, ReleaseStatus: 'published' },
      Elements: [{ FileId: id }],
    },
  })
  for (const playout of [playoutId, stream.playoutId, list.body.Playouts[0].Id]) {
    const token = server.services.tokens.issueViewer(playout, inSeconds(600))
    const { body } = await request(`${server.url}/s/${token}/embed/${playout}`, 'GET')
    const leftMs = Number(attributesOf(body).get('token-left-ms'))
    expect(leftMs).toBeGreaterThan(590_000)
    expect(leftMs).toBeLessThanOrEqual(600_000)
    expect((await request(`${server.url}/embed/${playout}`, 'GET')).body).not.toContain('token-left')
  }
})

test('the page of a published video before its release says when it opens, to viewers who can open it then', async () => {
  const metadata = { IsPublicAt: inSeconds(600).toISOString() }
  const open = await makePlayableFile(server, { metadata })
  const closed = await makePlayableFile(server, { metadata, project: { TokenSecurity: true } })
  const token = server.services.tokens.issueViewer(closed.playoutId, inSeconds(900))
  for (const path of [`/embed/${open.playoutId}`, `/s/${token}/embed/${closed.playoutId}`]) {
    const answer = await request(server.url + path, 'GET', { headers: html })
    expect(answer.status).toBe(404)
    const attributes = attributesOf(answer.body)
    expect(attributes.get('reason')).toBe('upcoming')
    expect(Date.parse(attributes.get('opens-at') ?? '')).toBe(Date.parse(metadata.IsPublicAt))
    expect(Number(attributes.get('wait-ms'))).toBeGreaterThan(590_000)
    expect(Number(attributes.get('wait-ms'))).toBeLessThanOrEqual(600_000)
    expect(answer.body).not.toContain('clip')
    expectProblem(await request(server.url + path, 'GET'), 'not_found')
  }
})

test('the support id of a refused page and of a report is in the log, without tokens, and at most 30 times a minute for each network', async () => {
  const logged = vi.spyOn(server.services.log, 'info')
  const { playoutId } = await makePlayableFile(server)
  const expired = server.services.tokens.issueViewer(playoutId, inSeconds(-60))
  const linesOf = (id: string) =>
    logged.mock.calls
      .map(([fields]) => fields as object)
      .filter((fields) => 'supportId' in fields && fields.supportId === id)
  const page = await request(`${server.url}/s/${expired}/embed/${playoutId}`, 'GET', {
    headers: { ...html, 'User-Agent': 'Test browser' },
  })
  const id = attributesOf(page.body).get('support') ?? ''
  expect(linesOf(id)).toMatchObject([
    { playoutId, reason: 'expired', userAgent: 'Test browser', requestId: page.headers.get('x-request-id') },
  ])

  const report = (path: string, body: object) => request(`${server.url}${path}/problems`, 'POST', { body })
  const fine = await report(`/embed/${playoutId}`, { Reason: 'codec', Detail: 'bufferAddCodecError' })
  expect(fine).toMatchObject({ status: 200, body: { State: 'available' } })
  expect(linesOf(fine.body.SupportId)).toMatchObject([
    { playoutId, reason: 'codec', detail: 'bufferAddCodecError' },
  ])
  const late = await report(`/s/${expired}/embed/${playoutId}`, { Reason: 'failed' })
  expect(late).toMatchObject({ status: 200, body: { State: 'expired' } })
  expect(await report('/embed/nothing', { Reason: 'failed' })).toMatchObject({
    body: { State: 'unavailable' },
  })
  for (const body of [{}, { Reason: 'other' }, { Reason: 'failed', Detail: 'x'.repeat(101) }])
    expectProblem(await report(`/embed/${playoutId}`, body), 'invalid')
  expect(JSON.stringify(logged.mock.calls)).not.toContain(expired)

  let last: unknown = ''
  for (let count = 0; count < 40 && last !== null; count += 1)
    last = (await report('/embed/nothing', { Reason: 'failed' })).body.SupportId
  expect(last).toBeNull()
  logged.mockRestore()
})

test('the embed page of a live stream exists before it is live and allows media from live nodes', async () => {
  const stream = await makeLiveStream(server, { AllowedDomains: ['example.com'] })
  const title = '</title><img src=x>'
  const id = randomUUID()
  await stream.write({ title })
  await server.services.database.kysely
    .insertInto('live_nodes')
    .values({ id, url: 'http://192.0.2.1', public_url: 'https://live.example/', disk: id })
    .execute()
  const { status, headers, body } = await request(`${server.url}/embed/${stream.playoutId}`, 'GET')
  expect(status).toBe(200)
  expect(body).not.toContain('<img')
  expect(body).toContain(`data-base="/l/${stream.playoutId}"`)
  const policy = policyOf(headers)
  expect(policy.get('frame-ancestors')).toBe("'self' https://example.com http://example.com")
  expect(policy.get('connect-src')).toBe("'self' https://live.example")
  expect(policy.get('img-src')).toBe("'self' https://live.example")
  expect(policy.get('script-src')).toBe("'self'")
})

test('the embed page of a live stream obeys tokens and release status', async () => {
  const stream = await makeLiveStream(server, { TokenSecurity: true })
  const pageOf = (base: string) => request(`${server.url}${base}/embed/${stream.playoutId}`, 'GET')
  expectProblem(await pageOf(''), 'forbidden')
  const token = server.services.tokens.issueViewer(stream.playoutId, new Date(Date.now() + 60_000))
  const signed = await pageOf(`/s/${token}`)
  expect(signed.status).toBe(200)
  expect(signed.body).toContain(`data-base="/s/${token}/l/${stream.playoutId}"`)
  const draft = await makeLiveStream(server)
  await draft.write({ release_status: 'draft' })
  expectProblem(await request(`${server.url}/embed/${draft.playoutId}`, 'GET'), 'not_found')
})

test('the embed page has oEmbed and Open Graph metadata unless its link is signed', async () => {
  const { playoutId } = await makePlayableFile(server, { metadata: { Title: 'Open & shut' } })
  const address = `${server.url}/embed/${playoutId}`
  const { body } = await request(address, 'GET')
  expect(body).toContain(`<link rel="canonical" href="${address}">`)
  expect(body).toContain('<meta property="og:title" content="Open &#38; shut">')
  expect(body).toContain(`<meta name="twitter:player" content="${address}">`)
  expect(body).toContain(
    `application/json+oembed" href="${server.url}/oembed?url=${encodeURIComponent(address)}"`,
  )
  const token = server.services.tokens.issuePreview(playoutId, new Date(Date.now() + 60_000))
  const preview = await request(`${server.url}/s/${token}/embed/${playoutId}`, 'GET')
  expect(preview.body).not.toMatch(/og:|oembed|canonical|twitter/)
})

test('the page for an unavailable video is in German for German browsers', async () => {
  const { body, headers } = await request(`${server.url}/embed/nothing`, 'GET', {
    headers: { Accept: 'text/html', 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.8' },
  })
  expect(body).toContain('<html lang="de">')
  expect(body).toContain('Dieses Video ist nicht verfügbar.')
  expect(headers.get('vary')).toContain('Accept-Language')
})

test('/embed.js has a stable URL, an ETag and gzip for clients that accept it', async () => {
  const script = await request(`${server.url}/embed.js`, 'GET', { headers: { 'Accept-Encoding': 'gzip' } })
  expect(script.headers.get('content-type')).toMatch(/^text\/javascript/)
  expect(script.headers.get('content-encoding')).toBe('gzip')
  expect(script.headers.get('access-control-allow-origin')).toBe('*')
  expect(script.headers.get('cache-control')).toBe('public, max-age=3600')
  const etag = script.headers.get('etag') ?? ''
  const again = await request(`${server.url}/embed.js`, 'GET', { headers: { 'If-None-Match': etag } })
  expect(again.status).toBe(304)
  for (const refusal of ['identity', 'gzip;q=0', 'br, gzip;q=0.0']) {
    const plain = await request(`${server.url}/embed.js`, 'GET', { headers: { 'Accept-Encoding': refusal } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.body).toBe(script.body)
  }
})
