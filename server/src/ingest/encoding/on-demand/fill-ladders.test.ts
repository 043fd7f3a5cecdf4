import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { createOnDemandHands, makeOnDemandSource } from '../test-support/on-demand-hands.ts'
import { fillLadders, newFillState } from './fill-ladders.ts'
import { finishOnDemandChunk } from './claims/chunk-claims.ts'
import { claimFillingChunks } from './claims/claim-filling-chunks.ts'
import type { ClaimedChunk } from './claims/claimed-chunk.ts'
import { findOnDemandRendition } from './on-demand-store.ts'
import { settleLeft, settleOnDemand } from './settle-on-demand.ts'

let server: TestServer
let hands: ReturnType<typeof createOnDemandHands>
let sample: Buffer

const never = new AbortController().signal

beforeAll(async () => {
  server = await startTestServer()
  hands = createOnDemandHands(server, { Renditions: [{ Height: 64 }, { Height: 90 }] })
  sample = await makeOnDemandSource(4)
})

// Each test fills its own files.
beforeEach(() => server.services.database.sql`update media_files set ladder_mode = 'eager'`)

afterAll(() => server.stop())

type Ids = Awaited<ReturnType<typeof listed>>['ids']

const listed = async () =>
  hands.list(sample, await hands.newProject({ EncoderSettings: { LadderMode: 'auto' } }))

/** Fills ladders as a worker that has nothing else to do. */
const fill = async (
  state = newFillState(),
  dependencies: typeof hands.dependencies = hands.dependencies,
  signal = never,
) => {
  const { sql } = server.services.database
  await sql`delete from pgboss.job where name in ('file.ladder', 'file.process')`
  await fillLadders(dependencies, signal, state)
}

const statesOf = async (ids: Ids): Promise<string[]> =>
  (await hands.describe(ids)).rungs.map(({ State }) => State)

const withBlobs = (changes: Partial<BlobStore>): typeof hands.dependencies => ({
  ...hands.dependencies,
  blobs: { ...server.services.blobs, ...changes },
})

test('a file that was deleted while a viewer waited is watched and filled after its restore', async () => {
  const { ids, base, rungs } = await listed()
  const path = `/projects/${ids.projectId}/files/${ids.fileId}`
  expect((await hands.fetchMedia(`${base}/${rungs[0]!.Id}/1.m4s`)).status).toBe(307)
  expect((await server.call('DELETE', path)).status).toBe(200)
  await server.services.database
    .sql`update on_demand_chunks set wanted_until = now() + interval '1 hour' where file_id = ${ids.fileId}`
  await hands.encodeWanted()
  expect(await hands.chunksOf(ids.fileId)).toMatchObject([{ state: 'absent', failures: 0 }])
  // Chunks of the deleted file do not stop filling.
  const other = await listed()
  await fill()
  expect(await statesOf(other.ids)).toEqual(['ready', 'ready'])
  expect((await server.call('POST', `${path}/restore`)).status).toBe(200)
  expect((await hands.play(`${base}/${rungs[0]!.Id}/1.m4s`)).status).toBe(200)
  await fill()
  expect(await statesOf(ids)).toEqual(['ready', 'ready'])
})

test('nothing of a deleted project is filled, and its segments are encoded after its restore', async () => {
  const { ids, base, rungs } = await listed()
  const path = `/projects/${ids.projectId}`
  expect((await server.call('DELETE', `${path}?cascade=true`)).status).toBe(200)
  await fill()
  expect(await hands.chunksOf(ids.fileId)).toEqual([])
  await hands.projectFiles(ids.projectId)
  expect((await server.call('POST', `${path}/restore`)).status).toBe(200)
  await hands.projectFiles(ids.projectId)
  expect((await hands.play(`${base}/${rungs[0]!.Id}/0.m4s`)).status).toBe(200)
})

test('a source that cannot be read does not keep others from being filled', async () => {
  const bad = await listed()
  const good = await listed()
  const { source_blob } = await hands.rowOf(bad.ids.fileId)
  const dependencies = withBlobs({
    withLocalFile: async (key, ...rest) => {
      if (key === source_blob) throw Object.assign(new Error('i/o error'), { code: 'EIO' })
      return server.services.blobs.withLocalFile(key, ...rest)
    },
  })
  const state = newFillState()
  await expect(fill(state, dependencies)).rejects.toThrow('i/o error')
  // Both rungs of the file are tried.
  await expect(fill(state, dependencies)).rejects.toThrow('i/o error')
  await fill(state, dependencies)
  expect(await statesOf(good.ids)).toEqual(['ready', 'ready'])
  expect(await statesOf(bad.ids)).toEqual(['on-demand', 'on-demand'])
  expect(await hands.chunksOf(bad.ids.fileId)).toMatchObject(
    Array.from({ length: 2 }, () => ({ state: 'absent', failures: 0, leased_until: null })),
  )
})

test('a run that is interrupted leaves a rung without segments as it was', async () => {
  const { ids } = await listed()
  const stopped = new AbortController()
  const dependencies = withBlobs({
    withLocalFile: async () => {
      stopped.abort()
      throw new Error('stopped')
    },
  })
  await fill(newFillState(), dependencies, stopped.signal)
  expect((await hands.describe(ids)).rungs).toMatchObject([
    { State: 'on-demand', Size: 0 },
    { State: 'on-demand', Size: 0 },
  ])
})

test('a segment that is ready while its rung is settled counts, though its worker is killed', async () => {
  const { ids, rungs } = await listed()
  const { Id: rungId } = rungs[0]!
  const database = server.workerDatabase
  const found = (await findOnDemandRendition(database.kysely, rungId))!
  const claims: ClaimedChunk[] = []
  for (let number = 0; number < 2; number += 1)
    claims.push(
      (await claimFillingChunks(database, rungId)).find(({ renditionId }) => renditionId === rungId)!,
    )
  const finish = (index: number) =>
    finishOnDemandChunk(database, claims[index]!, {
      segment: { startTicks: index * 2, durationTicks: 2, sizeBytes: 1_000, keyFrameEndBytes: 10 },
      ...{ seconds: 2, file: found.file, earlierBlobs: [] },
    })
  expect(await finish(0)).toBe(true)
  const dependencies = { database, publicUrl: server.url }
  // Holds the settling run after it has read which segments are ready.
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = server.services.database.transaction(async (tx) => {
    await tx.selectFrom('renditions').select('id').where('id', '=', rungId).forUpdate().execute()
    held.resolve()
    await release.promise
  })
  await held.promise
  const settling = settleOnDemand(dependencies, rungId)
  const waitingUpdates = () =>
    server.services.database.sql`
      select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'update %renditions%'`
  await waitFor(waitingUpdates, ({ length }) => length === 1)
  const finishing = finish(1)
  await waitFor(waitingUpdates, ({ length }) => length === 2)
  release.resolve()
  await Promise.all([holding, settling])
  expect(await finishing).toBe(true)
  // Housekeeping, as the worker of the second segment did not settle it.
  await settleLeft(dependencies)
  expect((await hands.describe(ids)).rungs[0]).toMatchObject({ State: 'ready' })
})
