import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSecondNode, type SecondNode } from '../../../../test/support/second-node.ts'
import {
  request,
  startTestServer,
  type Answer,
  type TestServer,
} from '../../../../test/support/test-server.ts'
import { createLog } from '../../../platform/log/log.ts'

let server: TestServer
let otherFolder: string
let logFile: string
let other: SecondNode
let files: string

beforeAll(async () => {
  server = await startTestServer()
  otherFolder = await mkdtemp(join(tmpdir(), 'zoetrope-other-'))
  logFile = join(otherFolder, 'zoetrope.log')
  other = await startSecondNode(server, {
    dataFolder: otherFolder,
    log: createLog({ level: 'error', destination: logFile }),
  })
  const project = await server.call('POST', '/projects', { body: { Name: 'Two disks' } })
  files = `/projects/${project.body.Id}/files`
})

afterAll(async () => {
  await other.stop()
  await server.stop()
  await rm(otherFolder, { recursive: true, force: true })
})

const bytes = randomBytes(300_000)
const half = bytes.subarray(0, 150_000)
const tus = { 'Tus-Resumable': '1.0.0' }
const tusBody = { ...tus, 'Content-Type': 'application/offset+octet-stream' }
const firstHalf = { 'Content-Range': `bytes 0-149999/${bytes.length}` }
const secondHalf = { 'Content-Range': `bytes 150000-299999/${bytes.length}` }

const create = async () => {
  const answer = await server.call('POST', files, {
    body: { FileName: 'clip.mp4', FileSize: bytes.length },
  })
  const path = new URL(answer.body.Upload.URI).pathname
  return { id: answer.body.Id as number, here: server.url + path, there: other.url + path }
}

const expectNotHere = ({ status, headers }: Answer): void => {
  expect({
    status,
    offset: headers.get('upload-offset'),
    retryAfter: headers.get('retry-after'),
  }).toEqual({ status: 503, offset: null, retryAfter: '5' })
}

test('a node without the bytes of an upload answers 503 to every request for its offset or with more bytes', async () => {
  const { here, there } = await create()
  await request(here, 'PUT', { body: half, headers: firstHalf })

  expectNotHere(await request(there, 'HEAD'))
  expectNotHere(await request(there, 'HEAD', { headers: tus }))
  expectNotHere(await request(there, 'PUT', { body: bytes.subarray(150_000), headers: secondHalf }))
  expectNotHere(await request(there, 'PUT', { body: bytes }))
  for (const offset of ['0', '150000'])
    expectNotHere(
      await request(there, 'PATCH', {
        body: bytes.subarray(Number(offset)),
        headers: { ...tusBody, 'Upload-Offset': offset },
      }),
    )

  expect((await request(here, 'HEAD')).headers.get('upload-offset')).toBe('150000')
  const last = await request(here, 'PUT', { body: bytes.subarray(150_000), headers: secondHalf })
  expect(last.body).toEqual({ Offset: bytes.length, Size: bytes.length, IsComplete: true })
})

test('the log of the refusing node names the node with the bytes', async () => {
  const { here, there } = await create()
  await request(here, 'PUT', { body: half, headers: firstHalf })
  const refused = await request(there, 'HEAD', { headers: { 'X-Request-Id': 'asked-the-wrong-node' } })
  expectNotHere(refused)
  const lines = (await readFile(logFile, 'utf8')).trim().split('\n')
  const line = lines.map((text) => JSON.parse(text)).find((one) => one.requestId === 'asked-the-wrong-node')
  expect(line.err.message).toContain(`on the disk of node ${hostname()}`)
  expect(JSON.stringify(line)).not.toContain(here.split('/').at(-1))
})

test('an upload without bytes may start on any node, and every node reports the size of a complete one', async () => {
  const { here, there } = await create()
  expect((await request(there, 'HEAD')).headers.get('upload-offset')).toBe('0')
  const first = await request(there, 'PATCH', { body: half, headers: { ...tusBody, 'Upload-Offset': '0' } })
  expect(first.status).toBe(204)
  expectNotHere(await request(here, 'HEAD', { headers: tus }))
  const last = await request(there, 'PATCH', {
    body: bytes.subarray(150_000),
    headers: { ...tusBody, 'Upload-Offset': '150000' },
  })
  expect(last.status).toBe(204)
  const head = await request(here, 'HEAD', { headers: tus })
  expect({ status: head.status, offset: head.headers.get('upload-offset') }).toEqual({
    status: 200,
    offset: String(bytes.length),
  })
})

test('one of two nodes that receive the first bytes at once takes them and the other answers 503', async () => {
  const { here, there } = await create()
  const answers = await Promise.all(
    [here, there].map((url) => request(url, 'PUT', { body: half, headers: firstHalf })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 503])
})

test('only the node with the parts of a tus upload joins them', async () => {
  const path = files.replace(/files$/, 'tus')
  const headers = { ...tus, Authorization: `Bearer ${server.apiKey}` }
  const part = await request(`${server.url}/v3${path}`, 'POST', {
    body: half,
    headers: {
      ...headers,
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Concat': 'partial',
      'Upload-Length': String(half.length),
    },
  })
  expect(part.status).toBe(201)
  const location = part.headers.get('location') ?? ''
  expectNotHere(await request(other.url + new URL(location).pathname, 'HEAD', { headers: tus }))
  const joinAt = (base: string) =>
    request(`${base}/v3${path}`, 'POST', { headers: { ...headers, 'Upload-Concat': `final;${location}` } })
  expectNotHere(await joinAt(other.url))
  expect((await joinAt(server.url)).status).toBe(201)
})

test('a starting node takes over the uploads whose bytes are on its disk', async () => {
  const { there, here } = await create()
  await request(here, 'PUT', { body: half, headers: firstHalf })
  const { kysely } = server.services.database
  const staged = await readdir(join(server.dataFolder, 'uploads'))
  // Simulates an upgrade from a release that did not record the node, and a move of the data to another
  // machine.
  await kysely.updateTable('uploads').set({ staged_on: null }).where('staging_name', 'in', staged).execute()
  for (const name of staged)
    await rename(join(server.dataFolder, 'uploads', name), join(otherFolder, 'uploads', name))
  await other.stop()
  other = await startSecondNode(server, { dataFolder: otherFolder })
  const head = await request(other.url + new URL(there).pathname, 'HEAD')
  expect({ status: head.status, offset: head.headers.get('upload-offset') }).toEqual({
    status: 200,
    offset: '150000',
  })
})
