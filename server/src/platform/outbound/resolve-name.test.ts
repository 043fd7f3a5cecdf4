import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { candidatesOf, parseHosts, parseSearchList } from './parse-name-files.ts'
import { createNameResolver, type Resolve } from './resolve-name.ts'

let folder: string
let socket: Socket
let resolve: Resolve
const asked = new Set<string>()

/** Records of the DNS: `silent.example` gets no response, other names do not exist. */
const zone: Readonly<Record<string, string>> = {
  'public.example': '93.184.215.14',
  'receiver.hooks.svc.cluster.local': '10.0.0.7',
}

/** RFC 1035 4.1: echoes the question, with one A record if the zone has one. */
const answerTo = (query: Buffer): Buffer | null => {
  const labels: string[] = []
  let at = 12
  while (query[at] !== 0) {
    const length = query[at] ?? 0
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const name = labels.join('.')
  asked.add(name)
  if (name === 'silent.example') return null
  const address = zone[name]
  const isFound = address !== undefined && query.readUInt16BE(at + 1) === 1
  const question = query.subarray(12, at + 5)
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(address === undefined ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(isFound ? 1 : 0, 6)
  header.writeUInt32BE(0, 8)
  const record = Buffer.from([
    0xc0,
    12,
    0,
    1,
    0,
    1,
    0,
    0,
    0,
    60,
    0,
    4,
    ...(address ?? '').split('.').map(Number),
  ])
  return Buffer.concat([header, question, ...(isFound ? [record] : [])])
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'names-'))
  const hostsFile = join(folder, 'hosts')
  const resolvConfFile = join(folder, 'resolv.conf')
  await writeFile(hostsFile, '10.1.1.1 Gateway gateway.internal # of the cluster\nfd00::1 gateway\n')
  await writeFile(resolvConfFile, 'search hooks.svc.cluster.local svc.cluster.local\noptions ndots:5\n')
  socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.on('message', (query, { port, address }) => {
    const answer = answerTo(query)
    if (answer !== null) socket.send(answer, port, address)
  })
  const { port } = socket.address()
  resolve = createNameResolver({ hostsFile, resolvConfFile, servers: [`127.0.0.1:${port}`] })
})

afterAll(async () => {
  socket.close()
  await rm(folder, { recursive: true })
})

describe('resolving a name', () => {
  it.each([
    ['public.example', ['93.184.215.14']],
    ['PUBLIC.example.', ['93.184.215.14']],
    ['receiver', ['10.0.0.7']],
    ['receiver.hooks', ['10.0.0.7']],
    ['gateway', ['10.1.1.1', 'fd00::1']],
    ['GATEWAY.internal.', ['10.1.1.1']],
    ['localhost', ['127.0.0.1', '::1']],
    ['any.localhost.', ['127.0.0.1', '::1']],
  ])('finds %s as the operating system does', async (name, addresses) => {
    expect(await resolve(name)).toEqual(addresses)
  })

  it('fails for a name that does not exist', async () => {
    await expect(resolve('absent.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    await expect(resolve('a..b')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  it('does not delay other names while many get no answer', async () => {
    const silent = Array.from({ length: 64 }, () => resolve('silent.example.'))
    for (const one of silent) one.catch(() => {})
    const begun = Promise.race(silent).catch(() => 'given up')
    expect(await Promise.race([begun, resolve('public.example')])).toEqual(['93.184.215.14'])
    expect(asked).toContain('silent.example')
  })
})

describe('parseHosts', () => {
  it('reads several names per line and several lines per name, and ignores comments', () => {
    const hosts = parseHosts('# all\n127.0.0.1\tlocalhost a\n\n::1 localhost #b\n broken\n')
    expect([...hosts]).toEqual([
      ['localhost', ['127.0.0.1', '::1']],
      ['a', ['127.0.0.1']],
    ])
  })
})

describe('parseSearchList', () => {
  it.each([
    ['', { domains: [], dotCount: 1 }],
    ['nameserver 10.0.0.1\nsearch .\n', { domains: [], dotCount: 1 }],
    ['domain a\nsearch b c.\noptions edns0 ndots:5 trust-ad', { domains: ['b', 'c'], dotCount: 5 }],
    ['options ndots:0', { domains: [], dotCount: 0 }],
    ['options ndots:2\noptions timeout:1', { domains: [], dotCount: 2 }],
  ])('parses %j', (text, expected) => {
    expect(parseSearchList(text)).toEqual(expected)
  })
})

describe('candidatesOf', () => {
  const search = { domains: ['x', 'y'], dotCount: 2 }
  it.each([
    ['a', ['a.x', 'a.y', 'a']],
    ['a.b', ['a.b.x', 'a.b.y', 'a.b']],
    ['a.b.c', ['a.b.c', 'a.b.c.x', 'a.b.c.y']],
    ['a.', ['a']],
  ])('queries %s in the order of the operating system', (name, expected) => {
    expect(candidatesOf(name, search)).toEqual(expected)
  })
})
