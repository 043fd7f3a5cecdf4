import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { startTestServer, type Answer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { purgeProjects } from '../../projects/purge-projects.ts'
import { hostilePictures, makePicture } from '../test-support/sample-pictures.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>
let png: Buffer
let projectId: number

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
  projectId = await hands.newProject()
  png = await makePicture({ extension: 'png', size: '64x32' })
})

afterAll(() => server.stop())

const call = (method: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> =>
  server.call(method, `/projects/${projectId}/watermark`, {
    ...(body === undefined ? {} : { body }),
    headers,
  })
const putPng = (bytes: Buffer): Promise<Answer> => call('PUT', bytes, { 'Content-Type': 'image/png' })

const expectRefused = (answer: Answer, type: Parameters<typeof expectProblem>[1], words = ''): void => {
  expectProblem(answer, type)
  expect(answer.body.error.message).toContain(words)
}

const bytesOf = ({ Picture }: { Picture: string }): Buffer =>
  Buffer.from(Picture.replace('data:image/png;base64,', ''), 'base64')

test('accepts a watermark as bytes or JSON, updates parts of it, and deletes it', async () => {
  expectRefused(await call('GET'), 'not_found', 'watermark')
  expectRefused(await call('PUT', { Opacity: 50 }), 'invalid', 'Picture')
  const first = await putPng(png)
  expect(first).toMatchObject({
    status: 200,
    body: { PictureWidth: 64, PictureHeight: 32, Position: 'bottom-right', Opacity: 100, Width: 15 },
  })
  const changed = await call('PUT', { Position: 'top-left', Opacity: 50, Width: 30 })
  expect(changed.body).toMatchObject({ Position: 'top-left', Opacity: 50, Width: 30, PictureWidth: 64 })
  expect((await call('PUT', { Opacity: null })).body).toMatchObject({ Opacity: 100, Width: 30 })
  const { body: read, headers } = await call('GET')
  // An unchanged record is not a change.
  expect((await call('PUT', read)).body).toEqual(read)
  expectRefused(await call('PUT', { Width: 20 }, { 'If-Match': '"old"' }), 'stale')
  expect((await call('PUT', { Width: 20 }, { 'If-Match': headers.get('etag') ?? '' })).status).toBe(200)
  expect((await putPng(await makePicture({ extension: 'png', size: '32x32' }))).body).toMatchObject({
    PictureWidth: 32,
    Width: 20,
  })
  expect(await call('DELETE')).toMatchObject({ status: 200, body: { Id: projectId, IsEnabled: false } })
  expectRefused(await call('GET'), 'not_found')
  expectRefused(await call('DELETE'), 'not_found')
})

test('drops all metadata of the picture', async () => {
  const end = png.length - 12
  const comment = Buffer.concat([Buffer.from('tEXtComment\0secret')])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(comment.length - 4)
  const { body } = await putPng(
    Buffer.concat([png.subarray(0, end), length, comment, Buffer.alloc(4), png.subarray(end)]),
  )
  expect(bytesOf(body).includes('secret')).toBe(false)
})

describe('rejects a watermark', () => {
  test('that is not a valid PNG', async () => {
    for (const [name, bytes] of await hostilePictures()) {
      const { status } = await putPng(bytes)
      expect([name, status]).toEqual([name, bytes.length > 512 * 1024 ? 413 : 400])
    }
    const jpeg = await makePicture({ extension: 'jpg', size: '64x32' })
    expectRefused(await putPng(jpeg), 'invalid', 'PNG')
    // A complete PNG structure whose pixels no encoder can read.
    const broken = Buffer.from(png)
    broken.fill(0x55, 60, 90)
    expectRefused(await putPng(broken), 'invalid', 'damaged')
  })

  test.each([
    ['too large', { Picture: 'A'.repeat(720_000) }],
    ['no base64', { Picture: 'data:image/svg+xml;utf8,<svg/>' }],
    ['of nothing', { Picture: '' }],
    ['in the middle', { Position: 'center' }],
    ['invisible', { Opacity: 0 }],
    ['wider than the video', { Width: 101 }],
  ])('that is %s', async (_name, body) => {
    expect((await call('PUT', body)).status).toBe(400)
  })

  test('that is no base64 with an example', async () => {
    expectRefused(await call('PUT', { Picture: '***' }), 'invalid', 'such as data:image/png;base64,')
  })

  test('that is larger than 512 KiB', async () => {
    expectRefused(await putPng(Buffer.concat([png, Buffer.alloc(600_000)])), 'too_large', '512 KiB')
  })
})

test('purges the watermark with its project', async () => {
  const id = await hands.newProject()
  const path = `/projects/${id}/watermark`
  await server.call('PUT', path, { body: png, headers: { 'Content-Type': 'image/png' } })
  await server.call('DELETE', `/projects/${id}`)
  expectRefused(await server.call('GET', path), 'not_found')
  const { database } = server.services
  await database.sql`update projects set purge_at = now() where id = ${id}`
  await purgeProjects({ database, retentionDays: 7 })
  const rows = await database.kysely
    .selectFrom('project_watermarks')
    .select('project_id')
    .where('project_id', '=', id)
    .execute()
  expect(rows).toEqual([])
})
