import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../support/wait-for.ts'
import { encodeProject, makeEncodeSource, untilEncoding } from './encode-scenario.ts'
import { createInstallation, type Installation } from './installation.ts'
import { compareMedia, listLeftovers } from './media-inventory.ts'

const MiB = 1024 * 1024
/** Longer than the rest of an upload takes, shorter than the encodes here. */
const drainSeconds = 2

let installation: Installation
let projectId: number

beforeAll(async () => {
  installation = await createInstallation({ ZOETROPE_DRAIN_SECONDS: String(drainSeconds) })
  await installation.start()
  projectId = (await installation.call('POST', '/projects', encodeProject)).body.Id
})

afterAll(() => installation.remove())

const create = async (sizeBytes: number) => {
  const { body } = await installation.call('POST', `/projects/${projectId}/files`, {
    FileName: 'clip.mp4',
    FileSize: sizeBytes,
  })
  return {
    id: body.Id as number,
    path: `/projects/${projectId}/files/${body.Id}`,
    uploadUrl: body.Upload.URI as string,
  }
}

test('SIGTERM lets a running upload finish, and the next start continues with the file', async () => {
  const bytes = randomBytes(4 * MiB)
  const file = await create(bytes.length)
  const upload = request(file.uploadUrl, {
    method: 'PUT',
    headers: { 'Content-Length': String(bytes.length) },
  })
  const answered = once(upload, 'response')
  await new Promise((resolve) => upload.write(bytes.subarray(0, 2 * MiB), resolve))
  await waitFor(
    () => fetch(file.uploadUrl, { method: 'HEAD' }),
    ({ headers }) => Number(headers.get('upload-offset')) > 0,
  )
  const stopped = installation.stop('SIGTERM')
  // A stopping server accepts no new connections.
  await waitFor(
    () =>
      fetch(`${installation.url}/healthz`).then(
        () => true,
        () => false,
      ),
    (isTaken) => !isTaken,
  )
  upload.end(bytes.subarray(2 * MiB))
  const [response] = await answered
  expect(response.statusCode).toBe(200)
  response.resume()
  expect(await stopped).toMatchObject({ exitCode: 0 })

  expect(await installation.start()).toBeLessThan(20_000)
  const { body } = await waitFor(
    () => installation.call('GET', file.path),
    (answer) => answer.body.IsFinished === true,
  )
  expect(body.Status).toBe('failed')
  // The job cleans up after the record has ended.
  await waitFor(
    () => listLeftovers(installation.dataFolder),
    (left) => left.length === 0,
  )
})

test('SIGTERM and then Ctrl-C during an encode exit with 0 and leave no process, and the next start finishes the file', async () => {
  const { bytes } = await makeEncodeSource(30)
  const file = await create(bytes.length)
  expect((await fetch(file.uploadUrl, { method: 'PUT', body: bytes as BodyInit })).status).toBe(200)
  for (const { signal, toGroup } of [
    { signal: 'SIGTERM', toGroup: false },
    { signal: 'SIGINT', toGroup: true },
  ] as const) {
    await untilEncoding(installation, file.id, 'ladder')
    const { exitCode, tookMs } = await installation.stop(signal, { toGroup })
    expect(exitCode).toBe(0)
    expect(tookMs).toBeLessThan(drainSeconds * 1000 + 5_000)
    await installation.start()
  }
  const { body } = await waitFor(
    () => installation.call('GET', file.path),
    (answer) => answer.body.IsFinished === true,
  )
  expect(body.Status).toBe('finished')
  await waitFor(
    () => listLeftovers(installation.dataFolder),
    (left) => left.length === 0,
  )
  expect(await compareMedia(installation)).toEqual({ orphans: [], missing: [], miscounted: [] })
})
