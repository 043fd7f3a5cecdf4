import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSecondNode, type SecondNode } from '../../../test/support/second-node.ts'
import { request, startTestServer, type Answer, type TestServer } from '../../../test/support/test-server.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { rotateLinks } from '../../app/commands/rotate-links.ts'
import { createSecrets, hmacSha256 } from '../../platform/base/secrets.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { makeLiveStream } from '../test-support/live-stream.ts'
import { makePlayableFile, type PlayableFile } from '../test-support/playable-file.ts'

let server: TestServer
let file: PlayableFile
let node: SecondNode

beforeAll(async () => {
  server = await startTestServer()
  file = await makePlayableFile(server, { project: { TokenSecurity: true } })
  node = await startSecondNode(server)
})

afterAll(async () => {
  await node.stop()
  await server.stop()
})

const someId = '00000000-0000-4000-8000-000000000000'

/**
 * Addresses that the server checks before it looks for the resource, so that 403 does not reveal what exists.
 */
test.each([
  'main.m3u8',
  'main.mpd',
  'download.mp4',
  'thumbnail.jpg',
  'storyboard.vtt',
  'storyboard.json',
  'heatmap.json',
  `storyboard/${someId}.jpg`,
  `storyboard/${someId}/0.jpg`,
  `captions/${someId}.vtt`,
  `captions/${someId}/playlist.m3u8`,
  `captions/${someId}/0.vtt`,
  'RENDITION/playlist.m3u8',
  'RENDITION/iframes.m3u8',
  'RENDITION/init.mp4',
  'RENDITION/0.m4s',
  'RENDITION/aligned/0.m4s',
])('%s requires the token for GET, HEAD and ranges', async (rest) => {
  const address = `${server.url}${file.path}/${rest.replace('RENDITION', String(file.renditionId))}`
  const expired = server.services.tokens.issuePreview(file.playoutId, new Date(Date.now() - 1_000))
  for (const [url, method] of [
    [address, 'GET'],
    [address, 'HEAD'],
    [address.replace('/v/', `/s/${expired}/v/`), 'GET'],
  ] as const) {
    const { status, headers } = await request(url, method, { headers: { Range: 'bytes=0-9' } })
    expect(status).toBe(403)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cache-control') ?? '').not.toContain('max-age')
  }
})

interface Signed {
  readonly Token: string
  readonly TokenId: string
}

const ofFile = () => `/projects/${file.projectId}/files/${file.id}/playouts`
const sign = async (path: string): Promise<Signed> => {
  const { status, body } = await server.call('POST', path, { body: {} })
  expect(status).toBe(200)
  return body
}
const revoke = (path: string, tokenId: string, apiKey = server.apiKey): Promise<Answer> =>
  server.call('DELETE', `${path}/tokens/${tokenId}`, { apiKey })
const statusOf = async (url: string): Promise<number> => (await request(url, 'GET')).status
const addressesWith = (token: string, at = server.url): string[] =>
  [
    'main.m3u8',
    `${file.renditionId}/playlist.m3u8`,
    `${file.renditionId}/init.mp4`,
    `${file.renditionId}/0.m4s`,
  ].map((rest) => `${at}/s/${token}${file.path}/${rest}`)

test('a revoked link stops in manifests and cached segments, on every node, and others stay', async () => {
  const [one, other] = [await sign(`${ofFile()}/sign`), await sign(`${ofFile()}/sign`)]
  expect(one.TokenId).toMatch(/^[\w-]{16}$/)
  expect(one.Token.split('.')[2]).toContain(one.TokenId)
  for (const url of [...addressesWith(one.Token), ...addressesWith(one.Token, node.url)])
    expect(await statusOf(url)).toBe(200)
  const revoked = await revoke(ofFile(), one.TokenId)
  expect(revoked).toMatchObject({ status: 200, body: { Id: one.TokenId, IsEnabled: false } })
  for (const url of addressesWith(one.Token)) expectProblem(await request(url, 'GET'), 'forbidden')
  const startedMs = Date.now()
  for (const url of addressesWith(one.Token, node.url))
    await waitFor(
      () => statusOf(url),
      (status) => status === 403,
    )
  expect(Date.now() - startedMs).toBeLessThan(10_000)
  for (const url of addressesWith(other.Token)) expect(await statusOf(url)).toBe(200)
  expect((await revoke(ofFile(), one.TokenId)).status).toBe(200)
})

test('only the id of a link of this record can be revoked, by a key that may sign it', async () => {
  const { Token, TokenId } = await sign(`${ofFile()}/sign`)
  const stranger = await makePlayableFile(server)
  const elsewhere = `/projects/${stranger.projectId}/files/${stranger.id}/playouts`
  const answers = [
    await revoke(elsewhere, TokenId),
    await revoke(ofFile(), 'A'.repeat(16)),
    await revoke(ofFile(), TokenId, await server.newKey({ inNewAccount: true })),
  ]
  for (const answer of answers) expectProblem(answer, 'not_found')
  expectProblem(await revoke(ofFile(), 'short'), 'invalid')
  expectProblem(await revoke(ofFile(), TokenId, await server.newKey({ scopes: ['live:read'] })), 'forbidden')
  expect(await statusOf(addressesWith(Token)[0] ?? '')).toBe(200)
})

test('a revoked link of a playlist ends with those of its elements', async () => {
  const { body: playlist } = await server.call('POST', '/modules/playlists', {
    body: {
      Name: 'Secured',
      ProjectId: file.projectId,
      ReleaseStatus: 'published',
      Elements: [{ FileId: file.id }],
    },
  })
  const path = `/modules/playlists/${playlist.Id}/playouts`
  const { Token, TokenId } = await sign(`${path}/sign`)
  const feed = await request(`${server.url}/s/${Token}/v/${playlist.Playouts[0].Id}/feed.json`, 'GET')
  const element: string = feed.body.items[0].attachments[0].url
  expect(await statusOf(element)).toBe(200)
  expect((await revoke(path, TokenId)).status).toBe(200)
  expect(await statusOf(element)).toBe(403)
  expect(await statusOf(`${server.url}/s/${Token}/v/${playlist.Playouts[0].Id}/main.m3u8`)).toBe(403)
})

test('a revoked link of a live stream stops, though its token was granted before', async () => {
  const stream = await makeLiveStream(server)
  const path = `/projects/${stream.projectId}/live/output`
  const { Token, TokenId } = await sign(`${path}/sign`)
  const status = () => statusOf(`${server.url}/s/${Token}/l/${stream.playoutId}/status.json`)
  expect(await status()).toBe(200)
  expect((await revoke(path, TokenId)).status).toBe(200)
  expect(await status()).toBe(403)
})

const rotate = (oldUntil?: string) => {
  const results: { KeyId: number; ActiveFrom: string }[] = []
  const output = { progress: () => {}, result: (record: object) => results.push(record as never) }
  const { database, ...rest } = server.services.database.connection as { database: string; host: string }
  return rotateLinks(
    {
      ZOETROPE_DATA: server.dataFolder,
      ZOETROPE_EMBEDDED_CONNECTION: JSON.stringify({ ...rest, database }),
    },
    oldUntil,
    output,
  ).then(() => results[0])
}
const keyOf = (token: string): string => token.split('.', 1)[0] ?? ''

test('links of the first release stay valid, and a rotation keeps earlier links until their end', async () => {
  const masterKey = Buffer.from(await readFile(join(server.dataFolder, 'master.key'), 'utf8'), 'base64')
  const expiry = Math.floor(Date.now() / 1_000 + 600).toString(36)
  const derived = createSecrets(masterKey).derive('playout viewer token')
  const signature = hmacSha256(derived, `kv1.${expiry}.${file.playoutId}`).toString('base64url')
  const first = `kv1.${expiry}.${signature}`
  expect(await statusOf(addressesWith(first)[0] ?? '')).toBe(200)
  const before = await sign(`${ofFile()}/sign`)
  const made = await rotate()
  expect(Date.parse(made?.ActiveFrom ?? '') - Date.now()).toBeGreaterThan(5_000)
  // Every process knows the key before the first one signs with it.
  expect(keyOf((await sign(`${ofFile()}/sign`)).Token)).toBe('kv1')
  await server.services.database.kysely
    .updateTable('link_keys')
    .set({ active_from: new Date() })
    .where('id', '=', made?.KeyId ?? 0)
    .execute()
  const after = await waitFor(
    () => sign(`${ofFile()}/sign`),
    ({ Token }) => keyOf(Token) === `kv${made?.KeyId}`,
  )
  for (const token of [first, before.Token, after.Token])
    for (const at of [server.url, node.url])
      await waitFor(
        () => statusOf(addressesWith(token, at)[0] ?? ''),
        (status) => status === 200,
      )
  expect((await revoke(ofFile(), before.TokenId)).status).toBe(200)
  expect(await statusOf(addressesWith(before.Token)[0] ?? '')).toBe(403)

  await rotate('now')
  const fresh = await waitFor(
    () => sign(`${ofFile()}/sign`),
    ({ Token }) => !['kv1', keyOf(after.Token)].includes(keyOf(Token)),
  )
  for (const token of [first, after.Token])
    for (const at of [server.url, node.url])
      await waitFor(
        () => statusOf(addressesWith(token, at)[0] ?? ''),
        (status) => status === 403,
      )
  await waitFor(
    () => statusOf(addressesWith(fresh.Token, node.url)[0] ?? ''),
    (status) => status === 200,
  )
  await expect(rotate('tomorrow')).rejects.toThrow(/--old-until must be now, or a time/)
})
