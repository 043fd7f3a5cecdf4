import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { retireRenditions } from '../media/garbage-list.ts'
import { removeGarbage } from '../media/remove-garbage.ts'
import { createPurgeFilesHandler } from './purge-file-handler.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>
let projectId: number

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Gone' } })).body.Id
})

afterAll(() => server.stop())

const prefixOf = (fileId: number) => `a1/p${projectId}/f${fileId}/`

const newFile = async (): Promise<number> => {
  const { body } = await server.call('POST', `/projects/${projectId}/files`, { body: { FileName: 'a.mp4' } })
  await server.services.blobs.put(`${prefixOf(body.Id)}source`, Buffer.from('media'))
  return body.Id
}

/** Refuses to delete anything whose name contains one of these texts. */
const brokenFor = (...texts: string[]): BlobStore => ({
  ...server.services.blobs,
  deleteAll: async (names) => {
    if (names.some((name) => texts.some((text) => name.includes(text)))) throw new Error('cannot be deleted')
    await server.services.blobs.deleteAll(names)
  },
})

const rowsOf = async (ids: readonly number[]): Promise<number[]> =>
  (
    await server.services.database.kysely
      .selectFrom('media_files')
      .select('id')
      .where('id', 'in', [...ids])
      .orderBy('id')
      .execute()
  ).map(({ id }) => id)

test('purges many files at once, but no restored one, and the others when one cannot be deleted', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, newFile))
  ids.sort((a, b) => a - b)
  const [kept = 0, again = 0, broken = 0, ...rest] = ids
  for (const id of ids) await server.call('DELETE', `/projects/${projectId}/files/${id}`)
  const jobs = await Promise.all(
    ids.map(async (fileId) => ({
      accountId: 1,
      projectId,
      fileId,
      deletedAtMs: (await hands.rowOf(fileId)).deleted_at?.getTime() ?? 0,
    })),
  )
  for (const id of [kept, again]) await server.call('POST', `/projects/${projectId}/files/${id}/restore`)
  await server.call('DELETE', `/projects/${projectId}/files/${again}`)
  const database = server.workerDatabase
  await expect(
    createPurgeFilesHandler({ database, blobs: brokenFor(prefixOf(broken)) })(jobs),
  ).rejects.toThrow('1 files cannot be purged')
  expect(await rowsOf(ids)).toEqual([kept, again, broken])
  for (const id of rest) expect(await server.services.blobs.list(prefixOf(id))).toEqual([])
  for (const id of [kept, again, broken])
    expect(await server.services.blobs.list(prefixOf(id))).toEqual([`${prefixOf(id)}source`])
  await createPurgeFilesHandler({ database, blobs: server.services.blobs })(jobs)
  expect(await rowsOf(ids)).toEqual([kept, again])
})

test('removes all garbage in one run, also beside entries that fail and with two runs at once', async () => {
  const fileId = await newFile()
  const { blobs, database: owner } = server.services
  const names = Array.from({ length: 230 }, (_, index) => `${prefixOf(fileId)}old/${index}`)
  for (const name of names) await blobs.put(name, Buffer.from('x'))
  await owner.sql`
    insert into discarded_media (account_id, file_id, blobs, remove_after)
    select 1, ${fileId}::bigint, array[name], now() - interval '1 minute' from unnest(${names}::text[]) as name`
  const left = () =>
    owner.kysely.selectFrom('discarded_media').select('blobs').where('file_id', '=', fileId).execute()
  const database = server.workerDatabase
  const runs = await Promise.allSettled([
    removeGarbage({ database, blobs: brokenFor('old/7', 'old/150') }),
    removeGarbage({ database, blobs: brokenFor('old/7', 'old/150') }),
  ])
  expect(runs.some(({ status }) => status === 'rejected')).toBe(true)
  const expected = names.filter((name) => name.includes('old/7') || name.includes('old/150'))
  expect((await left()).flatMap((entry) => entry.blobs).sort()).toEqual(expected.sort())
  expect((await blobs.list(`${prefixOf(fileId)}old/`)).sort()).toEqual(expected)
  await removeGarbage({ database, blobs })
  expect(await left()).toEqual([])
})

test('a retired rendition stays for its own time, also beside one that was retired earlier', async () => {
  const fileId = await newFile()
  const { blobs, database } = server.services
  const file = await hands.rowOf(fileId)
  const retire = async (name: string): Promise<string> => {
    const mediaBlob = `${prefixOf(fileId)}${name}`
    await blobs.put(`${mediaBlob}/0.m4s`, Buffer.from(name))
    const { id } = await database.kysely
      .insertInto('renditions')
      .values({
        ...{ account_id: 1, file_id: fileId, generation: 1, kind: 'video', name, timescale: 1 },
        ...{ delivery: 'packaged', state: 'growing', media_blob: mediaBlob },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await database.transaction((tx) => retireRenditions(tx, file, [id]))
    return `${mediaBlob}/0.m4s`
  }
  const first = await retire('first')
  await database.sql`update discarded_media set remove_after = now() - interval '1 second' where file_id = ${fileId}`
  const second = await retire('second')
  await removeGarbage({ database: server.workerDatabase, blobs })
  expect(await blobs.stat(first)).toBeNull()
  expect(await blobs.stat(second)).not.toBeNull()
})
