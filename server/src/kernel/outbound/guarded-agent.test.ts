import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createGuardedAgent, type GuardedAgent, type OutboundRequest } from './guarded-agent.ts'
import type { Resolve } from './guarded-connector.ts'
import { createOutboundPolicy } from './outbound-policy.ts'

const strict = createOutboundPolicy({ allowCidrs: [], isHttpAllowed: true })

describe('createOutboundPolicy', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '0.0.0.0',
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.1.1',
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '100.64.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '192.88.99.1',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:169.254.169.254]',
    '[0:0:0:0:0:ffff:0a00:0001]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a00:1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2002:0a00:0001::1]',
    '[2001:0:53aa:64c::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[100::1]',
    '[5f00::1]',
    '[4000::1]',
  ])('refuses the target %s, however it is spelled', (host) => {
    expect(strict.urlIssue(`http://${host}/`)).toMatch(/not on the public internet/)
  })

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '0x08080808',
    '[2606:4700:4700::1111]',
    '[64:ff9b::808:808]',
    '[::ffff:8.8.8.8]',
  ])('takes the public target %s', (host) => {
    expect(strict.urlIssue(`http://${host}/`)).toBeNull()
  })

  it.each([
    ['ftp://example.com/', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['gopher://example.com/', 'must begin with https://'],
    ['javascript:alert(1)', 'must begin with https://'],
    ['/relative', 'must be an absolute URL'],
    ['https://', 'must be an absolute URL'],
    ['https://[::1', 'must be an absolute URL'],
    ['https://fe80::1/', 'must be an absolute URL'],
    ['https://user@example.com/', 'must not hold a user name'],
    ['https://user:password@example.com/', 'must not hold a user name'],
    ['https://:password@example.com/', 'must not hold a user name'],
    ['https://example.com:25/', 'uses port 25'],
    ['https://example.com:22/', 'uses port 22'],
    ['https://example.com:6379/', 'uses port 6379'],
    ['https://8.8.8.8:53/', 'uses port 53'],
  ])('refuses %s because it %s', (url, issue) => {
    expect(strict.urlIssue(url)).toContain(issue)
  })

  it.each(['https://example.com/', 'https://example.com:8443/hook?a=b', 'http://example.com:8080/'])(
    'takes %s',
    (url) => {
      expect(strict.urlIssue(url)).toBeNull()
    },
  )

  it('takes http only when the operator allows it', () => {
    const httpsOnly = createOutboundPolicy({ allowCidrs: ['127.0.0.0/8'], isHttpAllowed: false })
    expect(httpsOnly.urlIssue('http://127.0.0.1/')).toContain('OUTBOUND_ALLOW_HTTP')
    expect(httpsOnly.urlIssue('https://127.0.0.1/')).toBeNull()
  })

  it('opens just the allowed networks, on any port, also for embedded addresses', () => {
    const policy = createOutboundPolicy({ allowCidrs: ['10.1.0.0/16', 'fd00:1::/32'], isHttpAllowed: true })
    expect(policy.addressIssue('10.1.2.3', 25)).toBeNull()
    expect(policy.addressIssue('::ffff:10.1.2.3', 25)).toBeNull()
    expect(policy.addressIssue('fd00:1::5', 9)).toBeNull()
    expect(policy.addressIssue('10.2.0.1', 443)).toContain('not on the public internet')
    expect(policy.addressIssue('fd00:2::5', 443)).toContain('not on the public internet')
    expect(policy.addressIssue('8.8.8.8', 25)).toContain('uses port 25')
  })

  it('tells the operator which network is malformed', () => {
    expect(() => createOutboundPolicy({ allowCidrs: ['10.0.0.0'], isHttpAllowed: false })).toThrow(
      '"10.0.0.0" is no network',
    )
  })
})

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
  it('sends the request and answers status, headers and the start of the body', async () => {
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

  it('names the host, not the address, to the server it dials', async () => {
    const { port } = await listen((request, response) => response.end(request.headers.host))
    const agent = agentWith(['127.0.0.0/8'], async () => ['127.0.0.1'])
    const answer = await agent.request(`http://receiver.example:${port}/`, post)
    expect(answer.bodyExcerpt).toBe(`receiver.example:${port}`)
  })

  it('refuses a name when any one of its addresses is private', async () => {
    const agent = agentWith([], async () => ['93.184.215.14', '127.0.0.1'])
    await expect(agent.request('http://mixed.example/', post)).rejects.toMatchObject({
      code: 'blocked',
      message: expect.stringContaining('mixed.example has the address 127.0.0.1'),
    })
  })

  it('dials the address that it checked, though the name answers differently a moment later', async () => {
    const { server, port } = await listen((_request, response) => response.end())
    let connections = 0
    server.on('connection', () => (connections += 1))
    let lookups = 0
    // 127.0.0.2 is allowed and nobody listens there; 127.0.0.1 is not allowed and would answer.
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

  it('goes on to the next address of a name when one does not answer', async () => {
    const { port } = await listen((_request, response) => response.end('here'))
    const agent = agentWith(['127.0.0.0/8'], async () => ['127.0.0.9', '127.0.0.1'])
    expect((await agent.request(`http://two.example:${port}/`, post)).bodyExcerpt).toBe('here')
  })

  it('checks a literal address though it never reaches the resolver', async () => {
    const agent = agentWith([], async () => ['8.8.8.8'])
    await expect(agent.request('http://127.0.0.1/', post)).rejects.toMatchObject({ code: 'blocked' })
  })

  it('answers a redirect as it is and does not go there', async () => {
    let seen = 0
    const { port } = await listen((_request, response) => {
      seen += 1
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    expect((await agentWith(['127.0.0.0/8']).request(`http://127.0.0.1:${port}/`, post)).status).toBe(307)
    expect(seen).toBe(1)
  })

  it('gives up on a server that never answers when the time is over', async () => {
    const { port } = await listen(() => {})
    const request = agentWith(['127.0.0.0/8']).request(`http://127.0.0.1:${port}/`, {
      ...post,
      timeoutMs: 80,
    })
    await expect(request).rejects.toMatchObject({ code: 'timeout', message: 'No answer came within 0.08 s.' })
  })

  it('keeps the status of an answer whose body never ends', async () => {
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

  it('says in a sentence why there was no answer', async () => {
    const tcp = createTcpServer((socket: Socket) => socket.resume().end('SSH-2.0-OpenSSH_9.6\r\n')).listen(
      0,
      '127.0.0.1',
    )
    await once(tcp, 'listening')
    const { port } = tcp.address() as AddressInfo
    const agent = agentWith(['127.0.0.0/8'])
    await expect(agent.request(`http://127.0.0.1:${port}/`, post)).rejects.toThrow(
      '127.0.0.1 did not answer in HTTP/1.1.',
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

  it('ends a request under way when its caller wants it', async () => {
    const abort = new AbortController()
    const { port } = await listen(() => abort.abort())
    const request = agentWith(['127.0.0.0/8']).request(`http://127.0.0.1:${port}/`, {
      ...post,
      signal: abort.signal,
    })
    await expect(request).rejects.toMatchObject({ code: 'aborted' })
  })
})
