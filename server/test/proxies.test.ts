import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLiveWorld, type LiveWorld } from '../src/live/node/test-support/live-world.ts'
import { startFrontingProxy } from './support/fronting-proxy.ts'
import { waitFor } from './support/wait-for.ts'

let world: LiveWorld

beforeAll(async () => {
  world = await startLiveWorld({
    ZOETROPE_PUBLIC_URL: 'https://video.example.com',
    ZOETROPE_TRUST_PROXY: '127.0.0.1/32',
  })
})

/** Larger than the default body limit of a proxy and than all buffers on the way. */
const piece = Buffer.alloc(2_000_000, 'zoetrope')

const bytesStaged = async (): Promise<number> => {
  const folder = join(world.server.dataFolder, 'uploads')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = files.map(({ parentPath, name }) => stat(join(parentPath, name)).catch(() => ({ size: 0 })))
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0)
}

/** The media sequence number of the next segment, which does not exist yet. */
const nextSegment = (playlist: string): number =>
  Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(playlist)?.[1]) + [...playlist.matchAll(/^#EXTINF:/gm)].length + 1

describe.each(['caddy', 'nginx', 'haproxy'] as const)(
  'behind the %s configuration of deploy/proxies',
  (name) => {
    let proxy: Awaited<ReturnType<typeof startFrontingProxy>> = null
    let session: ClientHttp2Session

    beforeAll(async () => {
      proxy = await startFrontingProxy(name, world.server.services.config.port)
      if (proxy === null) return
      session = connect(`https://127.0.0.1:${proxy.port}`, {
        servername: 'video.example.com',
        rejectUnauthorized: false,
      })
      await once(session, 'connect')
    })

    afterAll(async () => {
      if (proxy === null) return
      session.destroy()
      await proxy.stop()
    })

    const open = (method: string, path: string, headers: OutgoingHttpHeaders = {}) =>
      session.request({
        ':method': method,
        ':path': path,
        ':authority': 'video.example.com',
        authorization: `Bearer ${world.server.apiKey}`,
        ...headers,
      })

    const ask = async (method: string, path: string, body?: Buffer | object) => {
      const isBytes = body instanceof Buffer
      const stream = open(
        method,
        path,
        body === undefined || isBytes ? {} : { 'content-type': 'application/json' },
      )
      stream.on('error', () => {})
      const answered = once(stream, 'response') as Promise<[{ readonly ':status': number }]>
      stream.end(body === undefined || isBytes ? body : JSON.stringify(body))
      const [{ ':status': status }] = await answered
      return { status, text: (await buffer(stream)).toString() }
    }

    test('an upload streams through and returns the response of the server', async (context) => {
      if (proxy === null) return context.skip(`there is no ${name} on this machine`)
      const { projectId } = await world.newStream()
      const created = await ask('POST', `/v3/projects/${projectId}/files`, {
        FileName: 'big.mp4',
        FileSize: 2 * piece.length,
      })
      expect(created.status).toBe(201)
      const { URI } = JSON.parse(created.text).Upload
      expect(URI).toMatch(/^https:\/\/video\.example\.com\/uploads\//)
      const before = await bytesStaged()
      const sending = open('PUT', new URL(URI).pathname, { 'content-length': 2 * piece.length })
      sending.write(piece)
      await waitFor(bytesStaged, (bytes) => bytes >= before + 1_000_000)
      sending.end(piece)
      const [headers] = (await once(sending, 'response')) as [{ readonly ':status': number }]
      expect(headers[':status']).toBe(200)
      sending.resume()
      expect((await ask('PUT', '/uploads/unknown', piece)).status).toBe(404)
    })

    test('server-sent events arrive immediately', async (context) => {
      if (proxy === null) return context.skip(`there is no ${name} on this machine`)
      const { projectId } = await world.newStream()
      const stream = open('GET', '/v3/events/stream')
      stream.setEncoding('utf8')
      await once(stream, 'response')
      await ask('POST', `/v3/projects/${projectId}/files`, { FileName: `${name}.mp4` })
      let text = ''
      for await (const part of stream) {
        text += String(part)
        if (text.includes(`${name}.mp4`)) break
      }
      expect(text).toContain('event: file.created')
    })

    test('a low-latency playlist request blocks until the next part exists', async (context) => {
      if (proxy === null) return context.skip(`there is no ${name} on this machine`)
      const { playoutId, streamKey } = await world.newStream({ release_status: 'published' })
      const inputs = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=30']
      const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '30']
      const target = `rtmp://127.0.0.1:${world.rtmpPort}/live/${streamKey}`
      const encoder = spawn('ffmpeg', ['-v', 'error', '-nostdin', ...inputs, ...codec, '-f', 'flv', target])
      try {
        const folder = `/l/${playoutId}`
        const top = await waitFor(
          () => ask('GET', `${folder}/ll.m3u8`),
          ({ text }) => text.includes('#EXT-X-STREAM-INF'),
        )
        const media = `${folder}/${/^(\w+\/live\.m3u8)/m.exec(top.text)?.[1]}`
        const next = nextSegment((await ask('GET', media)).text)
        const held = await ask('GET', `${media}?_HLS_msn=${next}&_HLS_part=0`)
        expect(held.status).toBe(200)
        const part = new RegExp(`^#EXT-X-PART:.*URI="(${next}-\\d+\\.0\\.m4s)"`, 'm').exec(held.text)?.[1]
        expect((await ask('GET', `${media.replace('live.m3u8', '')}${part}`)).status).toBe(200)
      } finally {
        encoder.kill('SIGKILL')
      }
    })

    test('metrics are reachable by the operator only', async (context) => {
      if (proxy === null) return context.skip(`there is no ${name} on this machine`)
      expect((await ask('GET', '/metrics')).status).toBe(404)
      expect((await ask('GET', '/readyz')).status).toBe(200)
    })
  },
)

test('HAProxy sends requests to api nodes that are not ready when no other is left', async (context) => {
  const node = createServer((request, response) =>
    response.writeHead(request.url === '/readyz' ? 503 : 200).end('served'),
  ).listen(0, '127.0.0.1')
  await once(node, 'listening')
  const { port } = node.address() as AddressInfo
  const proxy = await startFrontingProxy('haproxy', port)
  try {
    if (proxy === null) return context.skip('there is no haproxy on this machine')
    const get = async (): Promise<number> => {
      const session = connect(`https://127.0.0.1:${proxy.port}`, {
        servername: 'video.example.com',
        rejectUnauthorized: false,
      })
      const [headers] = (await once(
        session.request({ ':path': '/v3/projects', ':authority': 'video.example.com' }),
        'response',
      )) as [{ readonly ':status': number }]
      session.destroy()
      return headers[':status']
    }
    // Two failed checks take four seconds, after which HAProxy alone would answer 503.
    for (const end = performance.now() + 6_000; performance.now() < end;) {
      expect(await get()).toBe(200)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  } finally {
    await proxy?.stop()
    node.close()
  }
})
