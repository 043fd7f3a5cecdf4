import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawRequest } from '../../src/platform/http/test-support/raw-request.ts'
import {
  addressesOf,
  makePlayableFile,
  type PlayableFile,
} from '../../src/playback/test-support/playable-file.ts'
import { request, startTestServer, type Answer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

const mark = `escape${crypto.randomUUID().slice(0, 8)}`
const hostileNames = [
  `../../../${mark}`,
  `..\\..\\${mark}`,
  `/tmp/${mark}`,
  `....//....//${mark}`,
  `..%2f..%2f${mark}`,
  `${mark}\r\nSet-Cookie: ${mark}=1`,
  `${mark}\n\n<script>alert(1)</script>`,
  `${mark}\u2028\u202egpj.exe`,
  `-rf ${mark}`,
  `$(touch ${mark})`,
  `| touch ${mark}`,
  `file:///${mark}`,
  `concat:${mark}|/etc/passwd`,
  `C:${mark}::$DATA`,
  `~/${mark}`,
]

/** A file name may hold any character, but an HTTP header only some. */
const inHeader = (name: string): string => encodeURIComponent(name)

const waysIn: Readonly<Record<string, (files: string, name: string) => Promise<Answer>>> = {
  'in JSON': (files, name) => server.call('POST', files, { body: { FileName: name } }),
  'in the query': (files, name) =>
    server.call('POST', `${files}?fileName=${encodeURIComponent(name)}`, {
      body: 'bytes',
      headers: { 'Content-Type': 'video/mp4' },
    }),
  'in Content-Disposition': (files, name) =>
    server.call('POST', files, {
      body: 'bytes',
      headers: {
        'Content-Type': 'video/mp4',
        'Content-Disposition': `attachment; filename*=UTF-8''${inHeader(name)}`,
      },
    }),
  'in a form': (files, name) => {
    const form = new FormData()
    form.append('file', new Blob(['bytes'], { type: 'video/mp4' }), name)
    return server.call('POST', files, { body: form })
  },
  'in the metadata of tus': (files, name) =>
    server.call('POST', files.replace(/files$/, 'tus'), {
      headers: {
        'Tus-Resumable': '1.0.0',
        'Upload-Length': '5',
        'Upload-Metadata': `filename ${Buffer.from(name).toString('base64')}`,
      },
    }),
}

const namesOnDisk = async (): Promise<string[]> => [
  ...(await readdir(server.dataFolder, { recursive: true })),
  ...(await readdir(dirname(server.dataFolder))),
  ...(await readdir(tmpdir())),
  ...(await readdir('/')),
  ...(await readdir(process.cwd())),
]

test.each(Object.entries(waysIn))(
  'a file name that comes %s is only text: it changes no path on disk and no header',
  async (_way, send) => {
    const { body: project } = await server.call('POST', '/projects', { body: { Name: 'Names' } })
    const files = `/projects/${project.Id}/files`
    for (const name of hostileNames) {
      const { status, headers } = await send(files, name)
      expect(status).toBe(201)
      expect([...headers.keys()]).not.toContain('set-cookie')
    }
    const { body } = await server.call('GET', files)
    expect(body.TotalCount).toBe(hostileNames.length)
    for (const { Name } of body.Files as { Name: string }[]) {
      expect(Name).toMatch(/^\d+\/\d+\/[^/\\\r\n<>|$]+$/)
      expect(Name.split('/')).not.toContain('..')
    }
    expect((await namesOnDisk()).filter((path) => path.includes(mark))).toEqual([])
  },
)

describe('Stored text with markup', () => {
  const markup = `</title><script src="https://evil.example/a.js"></script><img src=x onerror=alert(1)>`
  let file: PlayableFile
  const addresses: string[] = []

  beforeAll(async () => {
    file = await makePlayableFile(server, {
      project: { Name: markup },
      metadata: { Title: markup, Description: markup, DisplayTitle: markup, Tags: [markup] },
    })
    const { body: caption } = await server.call(
      'POST',
      `/projects/${file.projectId}/files/${file.id}/captions`,
      {
        body: { Language: 'en', Label: markup, Content: `WEBVTT\n\n00:00.000 --> 00:01.000\n${markup}\n` },
      },
    )
    const { body: playlist } = await server.call('POST', '/modules/playlists', {
      body: {
        Name: markup,
        Description: markup,
        Elements: [{ FileId: file.id }],
        ReleaseStatus: 'published',
      },
    })
    const texts = [playlist, caption].flatMap((record) =>
      [...JSON.stringify(record).matchAll(/"(http[^"\\]+)"/g)].map(([, uri]) => new URL(uri ?? '').pathname),
    )
    addresses.push(
      ...addressesOf(file),
      ...texts,
      ...[
        '/',
        '/reference',
        '/reference/show.js',
        '/icon.svg',
        '/page.css',
        '/accept',
        '/healthz',
        '/metrics',
      ],
      ...['/v3/openapi.json', '/v3/projects', `/v3/${markup}`, '/%zz', '/embed/nothing'],
    )
  })

  const answers = async (): Promise<[string, Answer][]> =>
    Promise.all(
      [...new Set(addresses)].map(async (path): Promise<[string, Answer]> => [
        path,
        await request(server.url + encodeURI(path).replaceAll('%25', '%'), 'GET', {
          apiKey: server.apiKey,
          headers: { Accept: 'text/html,*/*' },
        }),
      ]),
    )

  test('is served as HTML only by our own pages, which run only our scripts', async () => {
    const pages: string[] = []
    for (const [path, { headers, body }] of await answers()) {
      expect(`${path}: ${headers.get('x-content-type-options')}`).toBe(`${path}: nosniff`)
      const type = headers.get('content-type') ?? ''
      if (!/html|svg/.test(type)) continue
      pages.push(path)
      const policy = new Map(
        (headers.get('content-security-policy') ?? '')
          .split(';')
          .map((one) => one.trim().split(/ (.*)/s))
          .map(([name = '', values = '']) => [name, values]),
      )
      expect(`${path}: ${policy.get('default-src')}`).toBe(`${path}: 'none'`)
      expect(policy.get('script-src') ?? "'none'").toMatch(/^'(none|self)'$/)
      if (!type.includes('svg')) expect(policy.get('base-uri')).toBe("'none'")
      // Scalar, which shows none of this text, uses inline styles.
      if (path !== '/reference') expect(policy.get('style-src') ?? '').not.toContain('unsafe')
      expect(body).not.toMatch(/<script(?![^>]*\ssrc="\/)|<img src=x/)
    }
    expect(pages.length).toBeGreaterThanOrEqual(4)
  })

  test('is escaped in XML, HLS playlists and WebVTT', async () => {
    for (const [path, { headers, body }] of await answers()) {
      const type = headers.get('content-type') ?? ''
      if (/xml|mpegurl|vtt/.test(type)) expect(`${path} ${String(body)}`).not.toMatch(/<script|<img/)
    }
  })
})

describe('A link signed for one file', () => {
  let mine: PlayableFile
  let other: PlayableFile
  let token: string

  beforeAll(async () => {
    const project = { TokenSecurity: true }
    mine = await makePlayableFile(server, { project })
    other = await makePlayableFile(server, { project })
    const { body } = await server.call('POST', `/projects/${mine.projectId}/files/${mine.id}/playouts/sign`, {
      body: {},
    })
    token = /\/s\/([^/]+)\//.exec(JSON.stringify(body))?.[1] ?? ''
  })

  const get = async (path: string): Promise<Answer | null> =>
    rawRequest(server.url, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)

  test('opens that file', async () => {
    for (const address of addressesOf(mine, `/s/${token}`)) expect((await get(address))?.status).toBe(200)
  })

  test('opens no other file, however the path is written', async () => {
    const [own, foreign, s] = [mine.path, other.path, `/s/${token}`]
    const foreignId = other.playoutId
    const paths = [
      foreign,
      `${s}${foreign}`,
      `${s}${own}/..${foreign.slice(2)}`,
      `${s}${own}/../${foreignId}`,
      `${s}${own}/%2e%2e/${foreignId}`,
      `${s}${own}/%2E%2E/${foreignId}`,
      `${s}${own}/.%2e/${foreignId}`,
      `${s}${own}/..%2f${foreignId}`,
      `${s}${own}%2f..%2f${foreignId}`,
      `${s}${own}%2f..%2f..${foreign}`,
      `${s}${own}/..;/${foreignId}`,
      `${s}${own}\\..\\${foreignId}`,
      `${s}${own}/..%5c${foreignId}`,
      `${s}${own}/..%252f${foreignId}`,
      `${s}${own}/%c0%ae%c0%ae/${foreignId}`,
      `${s}${own}/.${foreign}`,
      `${s}${own}/${foreignId}`,
      `${s}${own}${foreign}`,
      `${s}${own}//..//${foreignId}`,
      `${s}/${foreign}`,
      `/${s}${foreign}`,
      `//${foreign}`,
      `${s}/v//${foreignId}`,
      `${s}${s}${foreign}`,
      `${s}/../..${foreign}`,
      `${s}%00${foreign}`,
      `${s}%2f..${foreign}`,
      `${s}.${foreign}`,
      `/s/${token.toUpperCase()}${foreign}`,
      `/s/${token}=${own}`,
      `/s/%2e%2e${foreign}`,
      `/s/.${foreign}`,
      `/s/${foreign}`,
      `/S/${token}${foreign}`,
      foreign.replace('/v/', '/V/'),
      foreign.replace('/v/', '/%76/'),
      `http://a${foreign}`,
      `http://a${s}${foreign}`,
      `${foreign}/main.m3u8?token=${token}&path=`,
      `${s}${foreign}/main.m3u8#`,
    ]
    const opened: string[] = []
    for (const path of paths)
      for (const name of [
        'main.m3u8',
        'main.mpd',
        `${other.renditionId}/playlist.m3u8`,
        `${other.renditionId}/0.m4s`,
      ]) {
        const answer = await get(`${path}/${name}`)
        if (![400, 403, 404].includes(answer?.status ?? 0)) opened.push(`${path}/${name}: ${answer?.status}`)
      }
    expect(opened).toEqual([])
  })

  test('opens no rendition of another file below its own path', async () => {
    for (const name of ['playlist.m3u8', 'init.mp4', '0.m4s', 'iframes.m3u8'])
      expect((await get(`/s/${token}${mine.path}/${other.renditionId}/${name}`))?.status).toBe(404)
  })
})
