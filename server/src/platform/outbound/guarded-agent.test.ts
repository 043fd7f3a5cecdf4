import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { createGuardedAgent, type GuardedAgent, type OutboundRequest } from './guarded-agent.ts'
import type { Resolve } from './resolve-name.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const listen = async (
  listener: (...exchange: Parameters<RequestListener>) => unknown,
): Promise<{ server: Server; port: number }> => {
  const server = createServer((request, response) => void listener(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { server, port: (server.address() as AddressInfo).port }
}

const agentWith = (allowCidrs: string[], resolve?: Resolve): GuardedAgent => {
  const agent = createGuardedAgent({
    allowCidrs,
    isHttpAllowed: true,
    ...(resolve === undefined ? {} : { resolve }),
  })
  closers.push(agent.close)
  return agent
}

const post: OutboundRequest = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '[]',
  timeoutMs: 5_000,
  maxResponseBytes: 4_096,
}

describe('createGuardedAgent', () => {
  it('sends the request and returns status, headers and the start of the body', async () => {
    const { port } = await listen(async (request, response) => {
      const body = (await request.toArray()).join('')
      response
        .writeHead(202, { 'x-seen': `${request.method} ${request.url} ${body}` })
        .end('x'.repeat(10_000))
    })
    const answer = await agentWith(['127.0.0.0/8']).request(`http://127.0.0.1:${port}/hook?a=b`, post)
    expect(answer.status).toBe(202)
    expect(answer.headers['x-seen']).toBe('POST /hook?a=b []')
    expect(answer.bodyExcerpt).toBe('x'.repeat(4_096))
  })

  it('sends the host name, not the address, to the server', async () => {
    const { port } = await listen((request, response) => response.end(request.headers.host))
    const agent = agentWith(['127.0.0.0/8'], async () => ['127.0.0.1'])
    const answer = await agent.request(`http://receiver.example:${port}/`, post)
    expect(answer.bodyExcerpt).toBe(`receiver.example:${port}`)
  })

  it('refuses a name when any one of its addresses is private', async () => {
    const agent = agentWith([], async () => ['93.184.215.14', '127.0.0.1'])
    await expect(agent.request('http://mixed.example/', post)).rejects.toMatchObject({
      code: 'blocked',
      message:
        'mixed.example has an address that is not on the public internet; an operator can allow its network with OUTBOUND_ALLOW_CIDRS.',
    })
  })

  it('dials the checked address although the name resolves differently a moment later', async () => {
    const { server, port } = await listen((_request, response) => response.end())
    let connections = 0
    server.on('connection', () => (connections += 1))
    let lookups = 0
    // 127.0.0.2 is allowed but has no listener; 127.0.0.1 has one but is not allowed.
    const rebinding: Resolve = async () => ((lookups += 1) === 1 ? ['127.0.0.2'] : ['127.0.0.1'])
    const agent = agentWith(['127.0.0.2/32'], rebinding)
    await expect(agent.request(`http://rebinding.example:${port}/`, post)).rejects.toMatchObject({
      code: 'failed',
    })
    await expect(agent.request(`http://rebinding.example:${port}/`, post)).rejects.toMatchObject({
      code: 'blocked',
    })
    expect(lookups).toBe(2)
    expect(connections).toBe(0)
  })

  it('resolves a name once per dialled address, however often the record changes', async () => {
    const { port } = await listen((_request, response) => response.end('public'))
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.3']]
    const agent = agentWith(['127.0.0.1/32'], async () => answers.shift() ?? [])
    expect((await agent.request(`http://changing.example:${port}/`, post)).bodyExcerpt).toBe('public')
    expect(answers).toHaveLength(2)
  })

  it.each(
    [
      ['127.0.0.1', '93.184.215.14'],
      ['93.184.215.14', '::1'],
      ['2606:4700::1111', '::ffff:10.0.0.1'],
      ['93.184.215.14', '93.184.215.15', '93.184.215.16', '93.184.215.17', '93.184.215.18', '10.0.0.1'],
      ['93.184.215.14', 'fe80::1%eth0'],
      ['169.254.169.254'],
      ['168.63.129.16'],
    ].map((addresses) => ({ addresses })),
  )('refuses a name that resolves to $addresses', async ({ addresses }) => {
    const agent = agentWith([], async () => addresses)
    await expect(agent.request('http://mixed.example/', post)).rejects.toMatchObject({ code: 'blocked' })
    await expect(
      agent.download('http://mixed.example/', {
        headers: {},
        answerTimeoutMs: 1_000,
        stallTimeoutMs: 1_000,
        signal: AbortSignal.timeout(5_000),
      }),
    ).rejects.toMatchObject({ code: 'blocked' })
  })

  it.each(['localhost', 'LOCALHOST', 'localhost.', 'ｌｏｃａｌｈｏｓｔ', 'ⓛocalhost', 'local%68ost'])(
    'refuses the local machine by its name, spelled %s',
    async (name) => {
      // If the resolver rejects a spelling, the request reaches no server either.
      await expect(agentWith([]).request(`http://${name}/`, post)).rejects.toMatchObject({
        code: expect.stringMatching(/^(blocked|failed)$/),
      })
    },
  )

  it('refuses a blocked port of a public name even when networks are allowed', async () => {
    const agent = agentWith(['10.0.0.0/8'], async () => ['93.184.215.14'])
    await expect(agent.request('http://mail.example:25/', post)).rejects.toMatchObject({
      code: 'blocked',
      message: expect.stringContaining('uses port 25'),
    })
  })

  it('tries the next address of a name when one does not answer', async () => {
    const { port } = await listen((_request, response) => response.end('here'))
    const agent = agentWith(['127.0.0.0/8'], async () => ['127.0.0.9', '127.0.0.1'])
    expect((await agent.request(`http://two.example:${port}/`, post)).bodyExcerpt).toBe('here')
  })

  it('checks a literal address, which never reaches the resolver', async () => {
    const agent = agentWith([], async () => ['8.8.8.8'])
    await expect(agent.request('http://127.0.0.1/', post)).rejects.toMatchObject({ code: 'blocked' })
  })

  it('returns a redirect without following it', async () => {
    let seen = 0
    const { port } = await listen((_request, response) => {
      seen += 1
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    expect((await agentWith(['127.0.0.0/8']).request(`http://127.0.0.1:${port}/`, post)).status).toBe(307)
    expect(seen).toBe(1)
  })

  it('ignores the proxy of the environment', async () => {
    const { port } = await listen((_request, response) => response.end('direct'))
    const { server: proxy, port: proxyPort } = await listen((_request, response) => response.end('by proxy'))
    let asked = 0
    proxy.on('connection', () => (asked += 1))
    const variables = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']
    const program = `
      import { createGuardedAgent } from ${JSON.stringify(new URL('guarded-agent.ts', import.meta.url).href)}
      const agent = createGuardedAgent({ allowCidrs: ['127.0.0.0/8'], isHttpAllowed: true })
      const answer = await agent.request('http://127.0.0.1:${port}/', ${JSON.stringify(post)})
      console.log(answer.bodyExcerpt)
      await agent.close()`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module-typescript', '--eval', program],
      {
        env: {
          ...process.env,
          ...Object.fromEntries(variables.map((name) => [name, `http://127.0.0.1:${proxyPort}`])),
          NO_PROXY: '',
          NODE_USE_ENV_PROXY: '1',
        },
      },
    )
    expect(stdout.trim()).toBe('direct')
    expect(asked).toBe(0)
  })

  it('times out on a server that never answers', async () => {
    const { port } = await listen(() => {})
    const request = agentWith(['127.0.0.0/8']).request(`http://127.0.0.1:${port}/`, {
      ...post,
      timeoutMs: 80,
    })
    await expect(request).rejects.toMatchObject({ code: 'timeout', message: 'No response within 0.08 s.' })
  })

  it('keeps the status of a response whose body never ends', async () => {
    const { port } = await listen((_request, response) => void response.writeHead(200).write('begun'))
    const answer = await agentWith(['127.0.0.0/8']).request(`http://127.0.0.1:${port}/`, {
      ...post,
      timeoutMs: 150,
    })
    expect(answer).toMatchObject({ status: 200, bodyExcerpt: 'begun' })
  })

  it('stops reading a body of any size', async () => {
    let sentBytes = 0
    const { port } = await listen((_request, response) => {
      const chunk = Buffer.alloc(65_536)
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length
      }
      response.on('drain', more)
      more()
    })
    const answer = await agentWith(['127.0.0.0/8']).request(`http://127.0.0.1:${port}/`, post)
    expect(answer.bodyExcerpt).toHaveLength(4_096)
    expect(sentBytes).toBeLessThan(50_000_000)
  })

  it('explains in a sentence why there was no response', async () => {
    const tcp = createTcpServer((socket: Socket) => socket.resume().end('SSH-2.0-OpenSSH_9.6\r\n')).listen(
      0,
      '127.0.0.1',
    )
    await once(tcp, 'listening')
    const { port } = tcp.address() as AddressInfo
    const agent = agentWith(['127.0.0.0/8'])
    await expect(agent.request(`http://127.0.0.1:${port}/`, post)).rejects.toThrow(
      '127.0.0.1 did not respond in HTTP/1.1.',
    )
    tcp.close()
    await once(tcp, 'close')
    await expect(agent.request(`http://127.0.0.1:${port}/`, post)).rejects.toThrow(
      `127.0.0.1 refused the connection on port ${port}.`,
    )
    await expect(agent.request('http://does-not-exist.invalid/', post)).rejects.toThrow(
      'does-not-exist.invalid',
    )
  })

  it('aborts a running request when its caller asks for it', async () => {
    const abort = new AbortController()
    const { port } = await listen(() => abort.abort())
    const request = agentWith(['127.0.0.0/8']).request(`http://127.0.0.1:${port}/`, {
      ...post,
      signal: abort.signal,
    })
    await expect(request).rejects.toMatchObject({ code: 'aborted' })
  })
})
