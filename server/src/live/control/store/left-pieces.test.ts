import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { dropLeftPieces, piecesPrefix, storedRecordingsFolder } from './left-pieces.ts'
import { openLiveStream } from './live-stream-store.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

test('deletes old pieces without an unsaved recording', async () => {
  const { blobs, database, secrets } = server.services
  const owner = { accountId: 1, projectId: await createHands(server).newProject() }
  await openLiveStream(database.kysely, secrets, owner)
  const store = async (name: string, state: 'recording' | 'finishing' | 'finished' | null) => {
    const fileName = `${name}.mp4`
    const piece = `${piecesPrefix(fileName)}e1-1.mp4`
    await blobs.put(piece, Buffer.from('piece'))
    if (state !== null)
      await database.sql`
        insert into live_recordings (account_id, project_id, broadcast_id, node_id, file_name, title, state, is_stored)
        values (${owner.accountId}, ${owner.projectId}, 1, gen_random_uuid(), ${fileName}, '', ${state}, true)`
    return piece
  }
  const recording = await store('recording', 'recording')
  const finishing = await store('finishing', 'finishing')
  await store('finished', 'finished')
  await store('without-row', null)
  const all = await blobs.list(storedRecordingsFolder)

  await dropLeftPieces(server.workerDatabase, blobs)
  expect(await blobs.list(storedRecordingsFolder)).toEqual(all)
  const aged: BlobStore = {
    ...blobs,
    stat: async (key) => {
      const found = await blobs.stat(key)
      return found && { ...found, modifiedAt: new Date(found.modifiedAt.getTime() - 7 * 3_600_000) }
    },
  }
  await dropLeftPieces(server.workerDatabase, aged)
  expect((await blobs.list(storedRecordingsFolder)).sort()).toEqual([finishing, recording])
})
