import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { findFreePort } from '../../../../../test/support/free-port.ts'
import { connectServer } from './server-connection.ts'

test('a worker says once that it cannot reach its server, and when it can again', async () => {
  const port = await findFreePort()
  const log = { info: vi.fn<() => void>(), warn: vi.fn<() => void>() }
  const connection = connectServer(`http://127.0.0.1:${port}`, 'token', log)
  const machine = { version: '1', ffmpeg: '5', cores: 2, slots: 1 }
  const claiming = connection.claim(machine, new AbortController().signal)
  await expect.poll(() => log.warn).toHaveBeenCalledOnce()
  const server = createServer((_request, response) => response.writeHead(204).end())
  onTestFinished(() => void server.close())
  // Several attempts fail before the server starts.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  await once(server.listen(port, '127.0.0.1'), 'listening')
  expect(await claiming).toBeNull()
  expect(await connection.claim(machine, new AbortController().signal)).toBeNull()
  expect(log.warn).toHaveBeenCalledOnce()
  expect(log.info).toHaveBeenCalledOnce()
})

test('a worker of another version gives back a job that it does not understand', async () => {
  const claim = '0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21'
  const failures: unknown[] = []
  const server = createServer((request, response) => {
    if (request.url === '/v3/worker/jobs') return response.end(JSON.stringify({ Claim: claim, Next: true }))
    if (request.url === `/v3/worker/jobs/${claim}/failed`)
      request.on('data', (body) => failures.push(JSON.parse(String(body))))
    return response.writeHead(204).end()
  })
  onTestFinished(() => void server.close())
  const port = await findFreePort()
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const log = { info: vi.fn<() => void>(), warn: vi.fn<() => void>() }
  const machine = { version: '1', ffmpeg: '5', cores: 2, slots: 1 }
  const claiming = connectServer(`http://127.0.0.1:${port}`, 'token', log).claim(
    machine,
    new AbortController().signal,
  )
  await expect(claiming).rejects.toMatchObject({ reason: 'job_unreadable' })
  expect(failures).toEqual([{ Reason: expect.stringContaining('Update the worker'), IsSourceAtFault: false }])
})
