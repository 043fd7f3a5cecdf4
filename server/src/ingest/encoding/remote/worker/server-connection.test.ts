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
