import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { register } from 'prom-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { makeCertificate } from '../../../../test/support/certificate.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { findFreePort } from '../../../../test/support/free-port.ts'
import { createLog } from '../../../platform/log/log.ts'
import { startAuditForwarder, type AuditForwarding } from './forward-audit-log.ts'
import type { SyslogTarget } from './syslog-target.ts'

let server: TestServer
const cleanups: (() => Promise<unknown> | void)[] = []

beforeAll(async () => {
  server = await startTestServer()
})

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

afterAll(() => server.stop())

/** A receiver as RFC 6587 describes it, which keeps what it has read. */
const received: string[] = []

const parseFrames = (bytes: Buffer): string[] => {
  const messages: string[] = []
  for (let rest = bytes; rest.length > 0;) {
    const space = rest.indexOf(' ')
    const length = Number(rest.subarray(0, space).toString())
    if (rest.length < space + 1 + length) break
    messages.push(rest.subarray(space + 1, space + 1 + length).toString())
    rest = rest.subarray(space + 1 + length)
  }
  return messages
}

const readAll = (socket: Socket): void => {
  const chunks: Buffer[] = []
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('end', () => received.push(...parseFrames(Buffer.concat(chunks))))
}

const listen = async (listener: Server, port = 0): Promise<number> => {
  listener.listen(port, '127.0.0.1')
  await once(listener, 'listening')
  cleanups.push(() => new Promise((resolve) => listener.close(resolve)))
  return (listener.address() as AddressInfo).port
}

const forward = (target: SyslogTarget, options: Partial<AuditForwarding> = {}): void => {
  const forwarder = startAuditForwarder({
    database: server.services.database,
    log: createLog({ level: 'silent' }),
    target,
    caFile: null,
    host: 'video.example.com',
    pollMs: 20,
    timeoutMs: 2_000,
    ...options,
  })
  cleanups.push(forwarder.stop)
}

const tcp = (port: number): SyslogTarget => ({ transport: 'tcp', host: '127.0.0.1', port })

const createCategory = async (title: string): Promise<string> =>
  String((await server.call('POST', '/modules/categories', { body: { Label: title } })).body.Id)

const metric = () => register.getSingleMetricAsString('zoetrope_audit_forwarding')
const recordOf = (message: string) => JSON.parse(message.slice(message.indexOf('{')))
const categories = (): string[] =>
  received.filter((one) => one.includes(' category.created ')).map((one) => recordOf(one).SubjectId)
const expectCategories = (ids: readonly string[]) =>
  waitFor(
    async () => categories(),
    (all) => ids.every((id) => all.includes(id)),
  )

describe('the audit log over syslog', () => {
  test('arrives as RFC 5424 messages with the record, from the first entry on', async () => {
    const id = await createCategory('Forwarded')
    forward(tcp(await listen(createServer({ allowHalfOpen: false }, readAll))))
    await expectCategories([id])
    const message = received.find((one) => one.includes(' category.created ')) ?? ''
    expect(message).toMatch(
      /^<109>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z video\.example\.com zoetrope - category\.created - \{/,
    )
    const { body } = await server.call('GET', `/audit?action=category.created&subjectId=${id}`)
    expect(recordOf(message)).toEqual({ AccountId: 1, ...body.AuditEntries[0] })
    // The account itself was created before the receiver existed.
    expect(received[0]).toContain('AccountId')
  })

  test('continues after its position, and loses nothing while the receiver is away or dies', async () => {
    const port = await findFreePort()
    const before = received.length
    const away = await createCategory('While the receiver is away')
    forward(tcp(port))
    // This receiver dies with the messages in its buffers.
    let deaths = 0
    const dying = createServer({ pauseOnConnect: true }, (socket) => {
      deaths += 1
      setTimeout(() => socket.resetAndDestroy(), 80)
    })
    dying.listen(port, '127.0.0.1')
    await waitFor(
      async () => deaths,
      (count) => count >= 2,
    )
    await new Promise((resolve) => dying.close(resolve))
    const between = await createCategory('Between two receivers')
    expect(received.length).toBe(before)
    expect(await metric()).toMatch(/ 0$/)

    const restarted = createServer(readAll)
    await listen(restarted, port)
    await expectCategories([away, between])
    await waitFor(metric, (line) => line.endsWith(' 1'))
    const last = await createCategory('Afterwards')
    await expectCategories([last])
    // What was acknowledged before is not sent again, and the order is that of the log.
    expect(received.slice(before).map((one) => recordOf(one).Id)).toEqual(
      [...new Set(received.slice(before).map((one) => recordOf(one).Id as number))].sort((a, b) => a - b),
    )
  })

  test('sends nothing to a receiver without a trusted certificate, and everything to the right one', async () => {
    const { key, cert, certFile, remove } = await makeCertificate()
    cleanups.push(remove)
    const listener = createTlsServer({ key, cert }, readAll)
    let refusals = 0
    listener.on('tlsClientError', () => (refusals += 1))
    const port = await listen(listener)
    const target: SyslogTarget = { transport: 'tls', host: '127.0.0.1', port }
    const id = await createCategory('By TLS')
    forward(target)
    await waitFor(
      async () => refusals,
      (count) => count > 0,
    )
    expect(categories()).not.toContain(id)
    await cleanups.pop()?.()
    forward(target, { caFile: certFile })
    await expectCategories([id])
  })

  test('arrives in one datagram for each entry over UDP', async () => {
    const socket = createSocket('udp4', (bytes) => received.push(bytes.toString()))
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    cleanups.push(() => new Promise<void>((resolve) => socket.close(resolve)))
    const id = await createCategory('By UDP')
    forward({ transport: 'udp', host: '127.0.0.1', port: socket.address().port })
    await expectCategories([id])
  })
})
