import { once } from 'node:events'
import { link, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runningServerOn } from './embedded-postgres-password.ts'

test('runningServerOn finds a server that listens, but not the socket of a dead one', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pg-')))
  onTestFinished(() => rm(root, { recursive: true }))
  expect(await runningServerOn(root)).toBeNull()

  const host = join(root, 'socket')
  await mkdir(host)
  const server = createServer().listen(join(root, 'listening'))
  await once(server, 'listening')
  // The link remains when the server closes, as after a SIGKILL.
  await link(join(root, 'listening'), join(host, '.s.PGSQL.5432'))
  expect(await runningServerOn(root)).toMatchObject({ host })

  server.close()
  await once(server, 'close')
  expect(await runningServerOn(root)).toBeNull()
})
