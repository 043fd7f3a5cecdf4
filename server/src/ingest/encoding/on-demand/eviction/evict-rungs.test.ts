import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSecondNode } from '../../../../../test/support/second-node.ts'
import { startTestServer, type TestServer } from '../../../../../test/support/test-server.ts'
import { waitFor } from '../../../../../test/support/wait-for.ts'
import { recordUsage } from '../../../../library/usage/usage-days.ts'
import { createOnDemandHands, makeOnDemandSource } from '../../test-support/on-demand-hands.ts'
import { evictRungs } from './evict-rungs.ts'
import { fillLadders } from '../fill-ladders.ts'
import { finishOnDemandChunk, renewChunk } from '../claims/chunk-claims.ts'
import { claimFillingChunks } from '../claims/claim-filling-chunks.ts'
import { settleLeft } from '../settle-on-demand.ts'

let server: TestServer
let hands: ReturnType<typeof createOnDemandHands>
let sample: Buffer

beforeAll(async () => {
  server = await startTestServer()
  hands = createOnDemandHands(server, { Renditions: [{ Height: 90 }] })
  sample = await makeOnDemandSource(12)
})

afterAll(() => server.stop())

const never = new AbortController().signal
const keepDays = 30

const sql = <T extends object>(query: TemplateStringsArray, ...values: unknown[]) =>
  server.services.database.sql<T[]>(query, ...(values as never[]))

interface Ids {
  readonly projectId: number
  readonly fileId: number
}

const rungOf = (ids: Ids) => hands.rungOf(ids, '90p')

const listed = async (encoder: object = {}) => {
  const { ids, base } = await hands.list(sample, await hands.newProject({ EncoderSettings: encoder }))
  return { ids, base, rung: await rungOf(ids) }
}

const get = (url: string, redirect?: 'follow') => hands.fetchMedia(url, redirect)

const segmentCount = async (renditionId: number): Promise<number> => {
  const [row] = await sql<{ count: number }>`
    select chunk_count as count from on_demand_renditions where rendition_id = ${renditionId}`
  return row!.count
}

/** Watches the rung to its end. Returns the segments. */
const watch = async ({ ids, base, rung }: Awaited<ReturnType<typeof listed>>) => {
  const bodies: Buffer[] = []
  const end = await segmentCount(rung.Id)
  for (let index = 0; index < end; index++) {
    const { status, body } = await hands.play(`${base}/${rung.Id}/${index}.m4s`)
    expect(status).toBe(200)
    bodies.push(body)
  }
  await waitFor(
    () => rungOf(ids),
    ({ State }) => State === 'ready',
  )
  return bodies
}

/** Has only the first segment encoded. */
const encodeFirst = async ({ ids, rung }: Pick<Awaited<ReturnType<typeof listed>>, 'ids' | 'rung'>) => {
  await sql`
    insert into on_demand_chunks (rendition_id, number, account_id, file_id, wanted_until)
    select rendition_id, 0, account_id, file_id, now() + interval '1 minute' from on_demand_renditions
    where rendition_id = ${rung.Id}`
  await hands.encodeWanted()
  expect(await rungOf(ids)).toMatchObject({ Id: rung.Id, State: 'partial' })
}

/** As if the rung had last been watched and encoded that long ago. */
const age = async (renditionId: number, days: number): Promise<void> => {
  await sql`
    update on_demand_renditions set watched_at = now() - make_interval(days => ${days}::int),
      made_at = now() - make_interval(days => ${days}::int)
    where rendition_id = ${renditionId}`
  await sql`
    update on_demand_chunks set wanted_until = now() - make_interval(days => ${days}::int), leased_until = null
    where rendition_id = ${renditionId}`
}

const evict = (changed: Partial<Parameters<typeof evictRungs>[0]> = {}) =>
  evictRungs({ ...hands.dependencies, ...changed }, keepDays)

/** Repeats it, because the last viewer may have been recorded just now. */
const evictUnwatched = (ids: Ids, { Id }: { readonly Id: number }) =>
  waitFor(
    async () => {
      await age(Id, 31)
      await evict()
      return rungOf(ids)
    },
    (current) => current.Id !== Id,
  )

/** Bytes as counted in the project, in its file and in the usage. */
const countsOf = async ({ projectId, fileId }: Ids) => {
  const project = (await server.call('GET', `/projects/${projectId}`)).body
  const file = await hands.rowOf(fileId)
  const askedAt = new Date().toISOString()
  const usage = await waitFor(
    async () => (await server.call('GET', `/usage?projectId=${projectId}`)).body,
    ({ MeasuredAt }) => MeasuredAt >= askedAt,
  )
  return {
    project: project.StorageBytes as number,
    file: file.storage_bytes,
    usage: usage.StorageBytes as number,
    evictable: usage.EvictableBytes as number,
    pinned: usage.PinnedBytes as number,
  }
}

const blobsOf = async (fileId: number): Promise<string[]> => {
  const { account_id, project_id } = await hands.rowOf(fileId)
  return (await server.services.blobs.list(`a${account_id}/p${project_id}/f${fileId}/`)).sort()
}

test('drops a complete rung that was unwatched for the time, and encodes it again on request under new URLs', async () => {
  const made = await listed()
  const { ids, base, rung } = made
  const before = await countsOf(ids)
  const bodies = await watch(made)
  const complete = await rungOf(ids)
  const full = await countsOf(ids)
  expect(full.file - before.file).toBe(complete.Size)
  expect(full).toMatchObject({ project: full.file, evictable: complete.Size, pinned: before.file })
  await recordUsage(server.workerDatabase)
  const [day] = await sql<{ evictable: number }>`
    select evictable_bytes::float8 as evictable from usage_days where project_id = ${ids.projectId}`
  expect(day!.evictable).toBe(complete.Size)
  const cold = await evictUnwatched(ids, rung)
  expect(cold).toMatchObject({ State: 'on-demand', Size: 0, PeakBitRate: rung.PeakBitRate })
  expect(await countsOf(ids)).toEqual(before)
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished', IsFinished: true })
  const main = (await get(`${base}/main.m3u8`)).body.toString()
  expect(main).toContain(`${cold.Id}/playlist.m3u8`)
  expect(main).not.toContain(`${rung.Id}/`)
  const durations = async (id: number) =>
    (await get(`${base}/${id}/playlist.m3u8`)).body.toString().match(/#EXTINF:[\d.]+/g)
  expect(await durations(cold.Id)).toEqual(await durations(rung.Id))
  expect((await get(`${base}/${cold.Id}/init.mp4`)).body).toEqual(
    (await get(`${base}/${rung.Id}/init.mp4`)).body,
  )
  // Encoders do not always write the same bytes.
  expect(await watch({ ids, base, rung: cold })).toHaveLength(bodies.length)
  const back = await rungOf(ids)
  expect(back).toMatchObject({ Id: cold.Id, State: 'ready' })
  expect(await countsOf(ids)).toEqual({
    ...full,
    file: before.file + back.Size,
    project: before.file + back.Size,
    usage: before.usage + back.Size,
    evictable: back.Size,
  })
  expect((await get(`${base}/${cold.Id}/iframes.m3u8`)).status).toBe(200)
})

test('keeps rungs that were watched, also when nothing had to be encoded for it', async () => {
  for (const look of [
    (base: string, id: number) => `${base}/${id}/1.m4s`,
    (base: string, id: number) => `${base}/${id}/playlist.m3u8`,
    (base: string, id: number) => `${base}/download.mp4?rendition=${id}`,
  ]) {
    const made = await listed()
    const { ids, base, rung } = made
    await watch(made)
    // The node has recorded the viewer already, within this hour.
    const second = await startSecondNode(server)
    try {
      await age(rung.Id, 31)
      expect((await get(look(base.replace(server.url, second.url), rung.Id))).status).toBe(200)
      await waitFor(
        () =>
          sql<{ age: number }>`
            select extract(epoch from now() - watched_at)::float8 as age from on_demand_renditions where rendition_id = ${rung.Id}`,
        ([row]) => row!.age < 60,
      )
    } finally {
      await second.stop()
    }
    await evict()
    expect(await rungOf(ids)).toMatchObject({ Id: rung.Id, State: 'ready' })
    await age(rung.Id, 29)
    await evict()
    expect((await rungOf(ids)).Id).toBe(rung.Id)
  }
})

test('keeps everything with 0 days, and files that are encoded eagerly', async () => {
  const made = await listed()
  await encodeFirst(made)
  await age(made.rung.Id, 4_000)
  await evictRungs(hands.dependencies, 0)
  expect((await rungOf(made.ids)).Id).toBe(made.rung.Id)
  const eager = await listed({ LadderMode: 'eager' })
  await hands.ladder(eager.ids)
  const rung = await rungOf(eager.ids)
  expect(rung.State).toBe('ready')
  await evictRungs(hands.dependencies, 1)
  expect((await rungOf(eager.ids)).Id).toBe(rung.Id)
  expect(await countsOf(eager.ids)).toMatchObject({ evictable: 0 })
})

test('a viewer with an old playlist plays on: from the old segments, and where there are none, from new ones', async () => {
  const made = await listed()
  const { ids, base, rung } = made
  await encodeFirst(made)
  const before = await get(`${base}/${rung.Id}/0.m4s`)
  const cold = await evictUnwatched(ids, rung)
  expect((await get(`${base}/${rung.Id}/playlist.m3u8`)).status).toBe(200)
  expect((await get(`${base}/${rung.Id}/init.mp4`)).status).toBe(200)
  const kept = await get(`${base}/${rung.Id}/0.m4s`)
  expect(kept.status).toBe(200)
  expect(kept.body.equals(before.body)).toBe(true)
  const moved = await get(`${base}/${rung.Id}/1.m4s?CMCD=x`)
  expect(moved.status).toBe(307)
  expect(moved.headers.get('location')).toBe(`../${cold.Id}/1.m4s?CMCD=x`)
  expect(moved.headers.get('cache-control')).toBe('no-store')
  const aligned = await get(`${base}/${rung.Id}/aligned/1.m4s`)
  expect(aligned.headers.get('location')).toBe(`../../${cold.Id}/aligned/1.m4s`)
  for (const path of ['1.m4s', 'aligned/1.m4s'])
    expect((await hands.play(`${base}/${rung.Id}/${path}`)).status).toBe(200)
  const chunks = await sql<{ rendition_id: number; number: number }>`
    select rendition_id::float8, number from on_demand_chunks where file_id = ${ids.fileId} and state = 'ready' and number < 2 order by 1, 2`
  expect(chunks).toEqual([
    { rendition_id: rung.Id, number: 0 },
    { rendition_id: cold.Id, number: 1 },
  ])
  await hands.removeAllGarbage()
  expect((await get(`${base}/${rung.Id}/playlist.m3u8`)).status).toBe(404)
  expect((await hands.play(`${base}/${cold.Id}/0.m4s`)).status).toBe(200)
  expect((await blobsOf(ids.fileId)).filter((name) => /\/\d+\.m4s$/.test(name)).length).toBeGreaterThan(0)
})

test('the download of an evicted rung keeps its address, also after the second eviction', async () => {
  const made = await listed()
  const { ids, base, rung } = made
  for (let round = 0; round < 2; round++) {
    const current = await rungOf(ids)
    await watch({ ...made, rung: current })
    await evictUnwatched(ids, current)
  }
  await hands.removeAllGarbage()
  const url = `${base}/download.mp4?rendition=${rung.Id}`
  expect((await get(url)).status).toBe(202)
  await hands.encodeWanted()
  const movie = await get(url)
  expect([movie.status, movie.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  const other = await listed()
  expect((await get(`${other.base}/download.mp4?rendition=${rung.Id}`)).status).toBe(404)
})

test('leaves a rung alone of which a segment is wanted or being encoded', async () => {
  const made = await listed()
  const { ids, rung } = made
  await encodeFirst(made)
  const { account_id: accountId } = await hands.rowOf(ids.fileId)
  const chunk = { rendition_id: rung.Id, number: 2, account_id: accountId, file_id: ids.fileId }
  const soon = new Date(Date.now() + 60_000)
  await age(rung.Id, 31)
  for (const state of [
    { wanted_until: soon },
    { wanted_until: new Date(0), state: 'claimed' as const, leased_until: soon },
  ]) {
    await server.services.database.kysely.deleteFrom('on_demand_chunks').where('number', '=', 2).execute()
    await server.services.database.kysely
      .insertInto('on_demand_chunks')
      .values({ ...chunk, ...state })
      .execute()
    await evict()
    expect((await rungOf(ids)).Id).toBe(rung.Id)
  }
  await sql`update on_demand_chunks set leased_until = now() - interval '1 second' where rendition_id = ${rung.Id}`
  await evict()
  expect((await rungOf(ids)).Id).not.toBe(rung.Id)
})

test('does not evict a rung that a viewer requests while its eviction is under way, and serves the viewer', async () => {
  const made = await listed()
  const { ids, base, rung } = made
  await encodeFirst(made)
  await age(rung.Id, 31)
  const { blobs } = server.services
  let request: Promise<{ status: number }> | null = null
  await evict({
    blobs: {
      ...blobs,
      put: async (key, data, options) => {
        const put = await blobs.put(key, data, options)
        request = hands.served(() => get(`${base}/${rung.Id}/1.m4s`))
        await waitFor(
          () =>
            sql<{
              n: number
            }>`select 1 as n from on_demand_chunks where rendition_id = ${rung.Id} and number = 1`,
          ({ length }) => length > 0,
        )
        return put
      },
    },
  })
  expect((await request!).status).toBe(200)
  expect((await rungOf(ids)).Id).toBe(rung.Id)
})

test('viewers who ask during evictions get their segment, and counters stay exact', async () => {
  const made = await listed()
  const { ids, base } = made
  const before = await countsOf(ids)
  for (let round = 0; round < 4; round++) {
    const rung = await rungOf(ids)
    await encodeFirst({ ids, rung })
    await age(rung.Id, 31)
    const [answers] = await hands.served(() =>
      Promise.all([
        Promise.all([0, 1, 2].map((index) => hands.load(`${base}/${rung.Id}/${index}.m4s`))),
        evict(),
        evict(),
      ]),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    await hands.encodeWanted()
    await settleLeft(hands.dependencies)
    const current = await rungOf(ids)
    expect((await countsOf(ids)).file - before.file).toBe(current.Size)
    await evictUnwatched(ids, current)
    expect(await countsOf(ids)).toEqual(before)
  }
})

test('an encoder that still works on an evicted rung loses its claim', async () => {
  const made = await listed({ LadderMode: 'auto' })
  const { ids, rung } = made
  await encodeFirst(made)
  await age(rung.Id, 31)
  await sql`delete from pgboss.job where name in ('file.ladder', 'file.process')`
  const [claimed] = await claimFillingChunks(server.workerDatabase, rung.Id)
  expect(claimed).toMatchObject({ renditionId: rung.Id })
  await sql`update on_demand_chunks set leased_until = now() - interval '1 second' where rendition_id = ${rung.Id}`
  await evict()
  expect(await renewChunk(server.workerDatabase, claimed!)).toBe(false)
  const { account_id: accountId } = await hands.rowOf(ids.fileId)
  const segment = { startTicks: 0, durationTicks: 1, sizeBytes: 1, keyFrameEndBytes: 1 }
  expect(
    await finishOnDemandChunk(server.workerDatabase, claimed!, {
      ...{ segment, seconds: 1, earlierBlobs: [] },
      file: { id: ids.fileId, account_id: accountId, project_id: ids.projectId },
    }),
  ).toBe(false)
  expect(await rungOf(ids)).toMatchObject({ State: 'on-demand', Size: 0 })
})

/** A run of the filler ends after a while. */
const fillAll = (ids: Ids) =>
  waitFor(
    async () => {
      await fillLadders(hands.dependencies, never)
      return rungOf(ids)
    },
    ({ State }) => State === 'ready',
  )

test('idle workers do not fill an evicted rung until it is watched again', async () => {
  const made = await listed({ LadderMode: 'auto' })
  const { ids, base, rung } = made
  await sql`delete from pgboss.job where name in ('file.ladder', 'file.process')`
  await sql`update on_demand_chunks set wanted_until = now() - interval '1 second'`
  await sql`update media_files set ladder_mode = 'on-demand' where id <> ${ids.fileId}`
  await fillAll(ids)
  // It has had no viewers.
  await evict()
  expect(await rungOf(ids)).toMatchObject({ Id: rung.Id, State: 'ready' })
  await sql`update on_demand_renditions set made_at = now() - interval '31 days' where rendition_id = ${rung.Id}`
  await evict()
  const cold = await rungOf(ids)
  expect(cold).toMatchObject({ State: 'on-demand' })
  await fillLadders(hands.dependencies, never)
  expect(await rungOf(ids)).toEqual(cold)
  expect((await get(`${base}/${cold.Id}/playlist.m3u8`)).status).toBe(200)
  await waitFor(
    () =>
      sql<{
        n: number
      }>`select 1 as n from on_demand_renditions where rendition_id = ${cold.Id} and watched_at is not null`,
    ({ length }) => length === 1,
  )
  expect(await fillAll(ids)).toMatchObject({ Id: cold.Id })
})

test('a crash at any step leaves no orphan and no wrong count', async () => {
  const made = await listed()
  const { ids, rung } = made
  await encodeFirst(made)
  await hands.removeAllGarbage()
  await age(rung.Id, 31)
  const before = { counts: await countsOf(ids), blobs: await blobsOf(ids.fileId) }
  const { blobs } = server.services
  const { workerDatabase: database } = server
  const died = new Error('killed')
  const steps: Partial<Parameters<typeof evictRungs>[0]>[] = [
    // After the entry in the garbage list, after the init segment, and within the transaction.
    { blobs: { ...blobs, put: () => Promise.reject(died) } },
    {
      blobs: {
        ...blobs,
        put: async (...args) => {
          await blobs.put(...args)
          throw died
        },
      },
    },
    {
      database: Object.create(database, {
        transaction: {
          value: (work: Parameters<typeof database.transaction>[0]) =>
            database.transaction(async (tx) => {
              await work(tx)
              throw died
            }),
        },
      }) as typeof database,
    },
  ]
  for (const step of steps) {
    await expect(evict(step)).rejects.toThrow('1 renditions cannot be evicted')
    expect((await rungOf(ids)).Id).toBe(rung.Id)
    expect(await countsOf(ids)).toEqual(before.counts)
    await hands.removeAllGarbage()
    expect(await blobsOf(ids.fileId)).toEqual(before.blobs)
  }
  await evict()
  const cold = await rungOf(ids)
  expect(cold.Id).not.toBe(rung.Id)
  await hands.removeAllGarbage()
  const left = await blobsOf(ids.fileId)
  expect(left.filter((name) => !before.blobs.includes(name))).toEqual([expect.stringMatching(/\/init\.mp4$/)])
  expect(left.filter((name) => name.endsWith('.m4s'))).toEqual([])
  expect(await sql`select 1 from renditions where id = ${rung.Id}`).toEqual([])
})

test('housekeeping of several nodes evicts each rung once', async () => {
  const files = [await listed(), await listed(), await listed()]
  for (const made of files) {
    await encodeFirst(made)
    await age(made.rung.Id, 31)
  }
  await Promise.all([evict(), evict(), evict()])
  for (const { ids, rung } of files) {
    const rows = await sql<{ former: number; successor: number }>`
      select former_id::float8 as former, rendition_id::float8 as successor from evicted_renditions where file_id = ${ids.fileId}`
    expect(rows).toEqual([{ former: rung.Id, successor: (await rungOf(ids)).Id }])
    expect((await countsOf(ids)).evictable).toBe(0)
  }
  await hands.removeAllGarbage()
  for (const { ids } of files)
    expect((await blobsOf(ids.fileId)).filter((name) => name.endsWith('init.mp4'))).toHaveLength(1)
})

test('keeps rungs of deleted files, of a former source and of sources that are gone', async () => {
  const [deleted, replaced, gone] = [await listed(), await listed(), await listed()]
  for (const made of [deleted, replaced, gone]) {
    await encodeFirst(made)
    await age(made.rung.Id, 31)
  }
  const path = ({ projectId, fileId }: Ids) => `/projects/${projectId}/files/${fileId}`
  await server.call('DELETE', path(deleted.ids))
  await server.call('POST', `${path(replaced.ids)}/retry?force=true`)
  await hands.process(replaced.ids)
  await sql`update media_files set source_removed_at = now() where id = ${gone.ids.fileId}`
  await evict()
  const evicted = await sql<{ file_id: number }>`select file_id::float8 from evicted_renditions`
  for (const { ids } of [deleted, replaced, gone])
    expect(evicted.map(({ file_id }) => file_id)).not.toContain(ids.fileId)
  const restored = await server.call('POST', `${path(deleted.ids)}/restore`)
  expect(restored.status).toBe(200)
  await evict()
  expect(await rungOf(deleted.ids)).toMatchObject({ State: 'on-demand', Size: 0 })
  expect((await hands.served(() => get(`${deleted.base}/main.m3u8`))).status).toBe(200)
})

test('a replaced, moved or purged file takes its evicted renditions along', async () => {
  const made = await listed()
  const { ids, rung, base } = made
  await encodeFirst(made)
  await evictUnwatched(ids, rung)
  const target = await hands.newProject()
  const moved = await server.call('POST', `/projects/${ids.projectId}/files/${ids.fileId}/move`, {
    body: { ProjectId: target },
  })
  expect(moved.status).toBe(200)
  const now = { projectId: target, fileId: ids.fileId }
  const cold = await rungOf(now)
  expect((await hands.play(`${base}/${cold.Id}/0.m4s`)).status).toBe(200)
  await waitFor(
    () => rungOf(now),
    ({ State }) => State !== 'on-demand',
  )
  await evictUnwatched(now, cold)
  expect(await countsOf(now)).toMatchObject({
    evictable: 0,
    project: (await hands.rowOf(ids.fileId)).storage_bytes,
  })
  await server.call('DELETE', `/projects/${target}/files/${ids.fileId}`)
  await hands.purge(now)
  expect(await sql`select 1 from evicted_renditions where file_id = ${ids.fileId}`).toEqual([])
  expect(await sql`select 1 from renditions where file_id = ${ids.fileId}`).toEqual([])
})
