import { afterAll, beforeAll, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { makePlayableFile, type PlayableFile } from '../test-support/playable-file.ts'

let server: TestServer
let file: PlayableFile

beforeAll(async () => {
  server = await startTestServer()
  file = await makePlayableFile(server, { project: { TokenSecurity: true } })
})

afterAll(() => server.stop())

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
