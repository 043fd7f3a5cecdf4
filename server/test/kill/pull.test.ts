import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../support/wait-for.ts'
import { createInstallation, type Installation } from './installation.ts'
import { listLeftovers } from './media-inventory.ts'

const MiB = 1024 * 1024
const bytes = randomBytes(8 * MiB)

let installation: Installation
let projectId: number
let source: Server
/** Bytes sent, and the start offset of each request. */
let sentBytes = 0
let beginnings: number[] = []

beforeAll(async () => {
  installation = await createInstallation()
  await installation.start()
  projectId = (await installation.call('POST', '/projects', { Name: 'Pulls' })).body.Id
  source = createServer((request, response) => {
    const first = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const isFirst = beginnings.push(first) === 1
    response.writeHead(first === 0 ? 200 : 206, {
      ETag: '"v1"',
      'Content-Length': bytes.length - first,
      ...(first === 0 ? {} : { 'Content-Range': `bytes ${first}-${bytes.length - 1}/${bytes.length}` }),
    })
    const send = async (): Promise<void> => {
      for (let at = first; at < bytes.length && !response.destroyed; at += 64 * 1024) {
        const piece = bytes.subarray(at, at + 64 * 1024)
        response.write(piece)
        sentBytes += piece.length
        // Slow enough for a kill in the middle.
        if (isFirst) await sleep(20)
      }
      response.end()
    }
    void send()
  }).listen(0, '127.0.0.1')
  await once(source, 'listening')
})

afterAll(async () => {
  source.closeAllConnections()
  source.close()
  await installation.remove()
})

const sha256OfFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path)) hash.update(part as Buffer)
  return hash.digest('hex')
}

test.each(['worker', 'everything'] as const)(
  'a pull interrupted by kill -9 of %s resumes after the bytes already received',
  async (target) => {
    sentBytes = 0
    beginnings = []
    const { port } = source.address() as AddressInfo
    const created = await installation.call('POST', `/projects/${projectId}/files`, {
      SourceURI: `http://127.0.0.1:${port}/killed.mp4`,
    })
    expect(created.status).toBe(201)
    await waitFor(
      async () => sentBytes,
      (sent) => sent >= 4.5 * MiB,
    )
    await installation.killAndRecover(target)
    const path = `/projects/${projectId}/files/${created.body.Id}`
    // Random bytes are no video: an ended file proves that the worker received all of them.
    const { body: file } = await waitFor(
      () => installation.call('GET', path),
      ({ body }) => body.IsFinished === true,
    )
    expect(file).toMatchObject({ Status: 'failed', Metadata: { OriginalFileName: 'killed.mp4' } })
    expect(file.Timings.UploadedAt).not.toBeNull()
    expect(beginnings.at(-1)).toBeGreaterThanOrEqual(2 * MiB)
    const stored = join(
      installation.dataFolder,
      'media',
      'blobs',
      `a1/p${projectId}/f${created.body.Id}/source`,
    )
    expect(await sha256OfFile(stored)).toBe(createHash('sha256').update(bytes).digest('hex'))
    // The job cleans up after the record has ended.
    await waitFor(
      () => listLeftovers(installation.dataFolder),
      (left) => left.length === 0,
    )
  },
)
