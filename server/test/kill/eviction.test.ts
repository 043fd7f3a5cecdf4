import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/platform/db/database.ts'
import { makeSample } from '../support/media.ts'
import { waitFor } from '../support/wait-for.ts'
import { createInstallation, type Installation } from './installation.ts'
import { compareMedia, listLeftovers, waitForExtras } from './media-inventory.ts'
import { withDatabase } from './with-database.ts'

let installation: Installation
let sample: Buffer

beforeAll(async () => {
  installation = await createInstallation()
  await installation.start()
  sample = await makeSample({ seconds: 6, size: '320x180', extra: ['-preset', 'ultrafast'] })
})

afterAll(() => installation.remove())

interface WatchedFile {
  readonly id: number
  readonly path: string
  readonly base: string
}

const rungOf = async ({ path }: Pick<WatchedFile, 'path'>) => {
  const { Renditions } = (await installation.call('GET', path)).body
  return Renditions.find(({ Name }: { Name: string }) => Name === '90p') as { Id: number; State: string }
}

/** Requests all segments of the rung until each is there. */
const watch = async (file: WatchedFile): Promise<void> => {
  const { Id } = await rungOf(file)
  const playlist = await (await fetch(`${file.base}/${Id}/playlist.m3u8`)).text()
  for (const [index] of (playlist.match(/#EXTINF/g) ?? []).entries())
    await waitFor(
      async () => {
        const response = await fetch(`${file.base}/${Id}/${index}.m4s`)
        await response.arrayBuffer()
        return response.status
      },
      (status) => status === 200,
    )
  await waitFor(
    () => rungOf(file),
    ({ State }) => State === 'ready',
  )
}

const makeWatchedFile = async (projectId: number): Promise<WatchedFile> => {
  const created = await installation.call('POST', `/projects/${projectId}/files`, {
    FileName: 'watched.mp4',
    FileSize: sample.length,
  })
  const put = await fetch(created.body.Upload.URI as string, { method: 'PUT', body: sample as BodyInit })
  expect(put.status).toBe(200)
  const path = `/projects/${projectId}/files/${created.body.Id}`
  const { Playouts } = await waitFor(
    async () => (await installation.call('GET', path)).body,
    ({ Status }) => Status === 'finished',
  )
  const file = { id: created.body.Id, path, base: Playouts[0].HLS.replace('/main.m3u8', '') }
  await watch(file)
  return file
}

/** As if each rung had last been watched a day after the one before it, more than a month ago. */
const age = (database: Database) => database.sql`
  update on_demand_renditions set watched_at = null, made_at = now() - interval '99 days' + rendition_id * interval '1 hour'
  where made_at is not null`

const keepHouse = async (database: Database): Promise<void> => {
  await database.sql`insert into pgboss.job (name, data) values ('housekeeping', '{}')`
}

/** Locks rows, so that the eviction waits for them, and returns how to release them. */
const block = async (database: Database, step: 'counting' | 'replacing', renditionId: number) => {
  const released = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const rows = {
    counting: sql`
      select from projects where id = (
        select project_id from media_files f join renditions r on r.file_id = f.id where r.id = ${renditionId}
      ) for update`,
    replacing: sql`select from on_demand_renditions where rendition_id = ${renditionId} for update`,
  }
  const holding = database
    .transaction(async (tx) => {
      await rows[step].execute(tx)
      isHeld.resolve()
      await released.promise
    })
    // The database may be killed, too.
    .catch(isHeld.reject)
  await isHeld.promise
  return async () => {
    released.resolve()
    await holding
  }
}

const isBlocked = async (database: Database): Promise<boolean> => {
  const rows = await database.sql`
    select 1 from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0`
  return rows.length > 0
}

test.each([
  ['worker', 'replacing'],
  ['everything', 'counting'],
] as const)(
  'after kill -9 of %s during an eviction (%s), nothing is lost or left over, and the rungs come back',
  async (target, step) => {
    const files: WatchedFile[] = []
    for (let number = 0; number < 3; number++) {
      // Each file is in a project of its own, whose row the eviction locks.
      const project = await installation.call('POST', '/projects', {
        Name: `${target} ${step} ${number}`,
        DefaultReleaseStatus: 'published',
        EncoderSettings: { LadderMode: 'on-demand', Renditions: [{ Height: 90 }] },
      })
      files.push(await makeWatchedFile(project.body.Id))
    }
    await waitForExtras(installation)
    const [before, interrupted] = [await rungOf(files[0]!), await rungOf(files[1]!)]
    await withDatabase(installation, async (database) => {
      await age(database)
      const release = await block(database, step, interrupted.Id)
      await keepHouse(database)
      await waitFor(
        () => rungOf(files[0]!),
        ({ Id }) => Id !== before.Id,
      )
      await waitFor(
        () => isBlocked(database),
        (blocked) => blocked,
      )
      await installation.killAndRecover(target)
      await release()
    })
    await waitFor(
      () => compareMedia(installation),
      ({ orphans, missing, miscounted }) => orphans.length + missing.length + miscounted.length === 0,
    )
    for (const file of files) {
      const { Id } = await rungOf(file)
      const main = await (await fetch(`${file.base}/main.m3u8`)).text()
      expect(main).toContain(`${Id}/playlist.m3u8`)
    }
    await withDatabase(installation, async (database) => {
      await age(database)
      await keepHouse(database)
      for (const file of files)
        await waitFor(
          () => rungOf(file),
          ({ State }) => State === 'on-demand',
        )
      await database.sql`update discarded_media set remove_after = now() - interval '1 second'`
      await keepHouse(database)
      await waitFor(
        () => database.sql<{ id: number }[]>`
          select id from renditions where generation < 1 union all select id from discarded_media`,
        ({ length }) => length === 0,
      )
    })
    expect(await compareMedia(installation)).toEqual({ orphans: [], missing: [], miscounted: [] })
    expect(await listLeftovers(installation.dataFolder)).toEqual([])
    for (const file of files) await watch(file)
    await waitFor(
      () => compareMedia(installation),
      ({ orphans, missing, miscounted }) => orphans.length + missing.length + miscounted.length === 0,
    )
  },
)
