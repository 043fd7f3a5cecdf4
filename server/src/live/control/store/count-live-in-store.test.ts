import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { startMediaMover } from '../../../app/roles/media-mover.ts'
import { createDiskBlobStore } from '../../../platform/blobs/disk-blob-store.ts'
import { piecesPrefix } from './left-pieces.ts'
import { openLiveStream } from './live-stream-store.ts'
import { storedWindowPrefix } from './stored-windows.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

test('all media counts as moved only when no upload, recording or DVR window needs the former storage', async () => {
  const { database, secrets, config } = server.services
  const storeIn = (name: string) => createDiskBlobStore({ folder: join(server.dataFolder, name) })
  const [former, present] = [storeIn('former'), storeIn('present')] as const
  /** Returns what the mover logs after its first run. */
  const moveOnce = async () => {
    const logged: object[] = []
    const log = { ...server.services.log, info: (entry: object) => void logged.push(entry) }
    const services = { ...server.services, log, moving: { former, present } }
    const mover = startMediaMover({ ...services, config: { ...config, formerStorage: 's3' } })
    const [entry] = await waitFor(
      async () => logged,
      (entries) => entries.length > 0,
    )
    await mover.stop(0)
    return entry
  }

  const owner = { accountId: 1, projectId: await createHands(server).newProject() }
  await openLiveStream(database.kysely, secrets, owner)
  const created = await server.call('POST', `/projects/${owner.projectId}/files`, {
    body: { FileName: 'a.mp4' },
  })
  expect(created.status).toBe(201)
  await database.sql`update uploads set staged_on = 's3'`
  await database.sql`
    insert into live_recordings (account_id, project_id, broadcast_id, node_id, file_name, title, is_stored)
    values (${owner.accountId}, ${owner.projectId}, 1, gen_random_uuid(), 'a.mp4', '', true),
      (${owner.accountId}, ${owner.projectId}, 1, gen_random_uuid(), 'begun-after-the-change.mp4', '', true)`
  await former.put(`${piecesPrefix('a.mp4')}e1-1.mp4`, Buffer.from('piece'))
  const [broadcast] = await database.sql<{ id: number }[]>`
    insert into live_broadcasts (account_id, project_id, online_at, has_stored_window)
    values (${owner.accountId}, ${owner.projectId}, now(), true) returning id`
  await former.put(`${storedWindowPrefix(broadcast!.id)}0.m4s`, Buffer.from('segment'))
  expect(await moveOnce()).toMatchObject({ waitingUploads: 1, waitingRecordings: 1, waitingDvrWindows: 1 })

  await database.sql`update uploads set completed_at = now()`
  await database.sql`
    insert into upload_parts (token_hash, account_id, project_id, staging_name, staged_on, expires_at)
    values ('\\x00', ${owner.accountId}, ${owner.projectId}, gen_random_uuid(), 's3', now() + interval '1 day')`
  await database.sql`update live_recordings set state = 'finished'`
  await former.deletePrefix(storedWindowPrefix(broadcast!.id))
  expect(await moveOnce()).toMatchObject({ waitingUploads: 1, waitingRecordings: 0, waitingDvrWindows: 0 })

  await database.sql`delete from upload_parts`
  // The message that everything has moved has no counts.
  expect(await moveOnce()).toEqual({})
})
