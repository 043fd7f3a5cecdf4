import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCommand, type RunningCommand } from '../test-support/running-command.ts'

/** An API with one project that stores the size of each upload. */
const uploads: { name: string; bytes: number; parts: number }[] = []
/** From this part on, the server does not respond and the connection stays open. */
let deadFromPart = Number.MAX_SAFE_INTEGER
let folder: string
let base: string
let onDead = (): void => {}

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method, url = '' } = request
  const body = Buffer.concat((await request.toArray()) as Buffer[])
  const id = Number(/(\d+)$/.exec(url)?.[1] ?? 0)
  const upload = uploads[id - 1]
  if (method === 'POST') {
    const { FileName } = JSON.parse(String(body)) as { FileName: string }
    const number = uploads.push({ name: FileName, bytes: 0, parts: 0 })
    return json(response, 201, { Id: number, Upload: { URI: `${base}/uploads/${number}` } })
  }
  if (upload === undefined) return json(response, 404, { error: { message: 'Nothing there.' } })
  if (method === 'GET')
    return json(response, 200, { Id: id, Status: 'uploaded', Metadata: { Title: upload.name } })
  if (method === 'HEAD') return void response.writeHead(200, { 'upload-offset': upload.bytes }).end()
  upload.parts += 1
  if (upload.parts >= deadFromPart) return onDead()
  upload.bytes += body.length
  json(response, 200, {})
}

const server = createServer((request, response) => void answer(request, response))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-upload-'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  await rm(folder, { recursive: true, force: true })
})

const upload = (...words: string[]): RunningCommand =>
  startCommand(['files', 'upload', ...words, '--project', '2', '--json'], {
    ZOETROPE_API_BASE: base,
    ZOETROPE_API_KEY: 'key',
    XDG_STATE_HOME: join(folder, 'state'),
  })

const stateFolder = () => join(folder, 'state/zoetrope/uploads')

test('a killed upload resumes at its offset as the same file and leaves no credential', async () => {
  const path = join(folder, 'killed.mp4')
  const partBytes = 16 * 1024 * 1024
  await writeFile(path, Buffer.alloc(2 * partBytes + 1_000, 7))
  deadFromPart = 2
  const isDead = new Promise<void>((resolve) => (onDead = resolve))
  const first = upload(path)
  await isDead
  const busy = upload(path)
  expect(await busy.exited).toBe(1)
  expect(await first.end('SIGKILL')).toBe('SIGKILL')
  const [state = ''] = await readdir(stateFolder())
  expect((await stat(join(stateFolder(), state))).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(join(stateFolder(), state), 'utf8'))).toMatchObject({ fileId: 1, path })

  deadFromPart = Number.MAX_SAFE_INTEGER
  const second = upload(path)
  expect(await second.exited).toBe(0)
  expect(JSON.parse(second.lines.join('\n'))).toMatchObject({ Id: 1, Status: 'uploaded' })
  expect(uploads).toEqual([{ name: 'killed.mp4', bytes: 2 * partBytes + 1_000, parts: 4 }])
  expect(await readdir(stateFolder())).toEqual([])
})

test('files are uploaded by pattern, and a failed one stops no other but sets exit code 1', async () => {
  const tapes = join(folder, 'tapes')
  await mkdir(tapes)
  for (const name of ['a [1].mov', 'b.mov']) await writeFile(join(tapes, name), 'bytes')
  await writeFile(join(tapes, 'empty.mov'), '')
  const command = upload(`${tapes}/*.mov`)
  expect(await command.exited).toBe(1)
  const { Files, Failed } = JSON.parse(command.lines.join('\n')) as { Files: object[]; Failed: object[] }
  expect(Files).toMatchObject([{ Metadata: { Title: 'a [1].mov' } }, { Metadata: { Title: 'b.mov' } }])
  expect(Failed).toEqual([{ Path: `${tapes}/empty.mov`, Message: expect.stringContaining('empty') }])

  // Uploaded files are not sent again, and no upload URL remains on disk.
  const sent = uploads.length
  for (const state of await readdir(stateFolder()))
    expect(await readFile(join(stateFolder(), state), 'utf8')).not.toContain('/uploads/')
  await writeFile(join(tapes, 'empty.mov'), 'bytes')
  const again = upload(`${tapes}/*.mov`)
  expect(await again.exited).toBe(0)
  expect(JSON.parse(again.lines.join('\n'))).toMatchObject({
    Files: [...Files, { Id: sent + 1 }],
    Failed: [],
  })
  expect(uploads.slice(sent)).toMatchObject([{ name: 'empty.mov' }])
  expect(await readdir(stateFolder())).toEqual([])
})
