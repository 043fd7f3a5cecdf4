import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { makePlayableFile, type PlayableFile } from '../../playback/test-support/playable-file.ts'
import { createArchiveCopies } from '../archive/archive-copies.ts'
import { keepArchives, type ArchiveKeeper } from '../archive/keep-archives.ts'
import { openArchiveWriter } from '../archive/open-archives.ts'
import { dropOldViews } from '../store/housekeeping.ts'
import { addViews, daysAgo, type TestView } from '../test-support/ended-views.ts'

const times = (count: number, view: TestView): TestView[] => Array.from({ length: count }, () => view)

const breakdownOf = (server: TestServer) => async (query: string) =>
  (await server.call('GET', `/analytics/breakdown?${query}`)).body.Groups

/** Ten views from Germany on phones, twelve on desktops, three from France, and one each that does not count. */
const someViews = ({ projectId, id: fileId }: PlayableFile, endedAt: Date): TestView[] => {
  const view = { projectId, fileId, endedAt }
  return [
    ...times(12, { ...view, dimensions: { country: 'DE', device: 'desktop' }, rebufferMs: 1_000 }),
    ...times(10, { ...view, dimensions: { country: 'DE', device: 'phone' }, startupMs: null }),
    ...times(3, { ...view, dimensions: { country: 'FR', device: 'phone' } }),
    { ...view, kind: 'bot', dimensions: { country: 'DE', device: 'desktop' } },
    {
      ...view,
      watchMs: 0,
      startupMs: null,
      hasFailed: true,
      dimensions: { country: 'DE', device: 'desktop' },
    },
  ]
}

const desktop = {
  ...{ Keys: ['DE', 'desktop'], Views: 12, WatchSeconds: 360, AverageViewSeconds: 30, StartupMs: 500 },
  ...{ Rebuffers: 12, RebufferRatio: 1 / 31, Failures: 1, Errors: 0 },
}
const phone = {
  ...{ Keys: ['DE', 'phone'], Views: 10, WatchSeconds: 300, AverageViewSeconds: 30, StartupMs: null },
  ...{ Rebuffers: 0, RebufferRatio: 0, Failures: 0, Errors: 0 },
}

describe.each(['postgres', 'parquet'])('views in %s', (engine) => {
  let server: TestServer
  let keeper: (ArchiveKeeper & { readonly close: () => Promise<void> }) | null = null
  beforeAll(async () => {
    server = await startTestServer({ environment: { ZOETROPE_ANALYTICS_VIEWS: engine } })
    if (engine === 'postgres') return
    const worker = await server.servicesOf('worker')
    keeper = { ...(await openArchiveWriter(worker)), archiveDays: 400, former: null }
  })
  afterAll(async () => {
    await keeper?.close()
    await server.stop()
  })
  const settle = async () => keeper !== null && (await keepArchives(keeper))

  test('are grouped by two dimensions, the largest group first, without groups below ten', async () => {
    const file = await makePlayableFile(server)
    await addViews(server, someViews(file, daysAgo(2)))
    await settle()
    const breakdown = breakdownOf(server)
    expect(await breakdown(`by=country,device&fileId=${file.id}`)).toEqual([desktop, phone])
    expect(await breakdown(`by=country,device&fileId=${file.id}&limit=1`)).toEqual([desktop])
    expect(await breakdown(`by=data-nothing&fileId=${file.id}`)).toMatchObject([{ Keys: [null], Views: 25 }])
  })

  test('are grouped by project, file and day, however few, within the period and the project', async () => {
    const [one, other] = [await makePlayableFile(server), await makePlayableFile(server)]
    const day = (count: number) => daysAgo(count).toISOString().slice(0, 10)
    await addViews(server, [
      { projectId: one.projectId, fileId: one.id, endedAt: daysAgo(3) },
      { projectId: one.projectId, fileId: null, endedAt: daysAgo(2) },
      { projectId: one.projectId, fileId: one.id, endedAt: daysAgo(0) },
      { projectId: other.projectId, fileId: other.id, endedAt: daysAgo(3) },
    ])
    await settle()
    const breakdown = breakdownOf(server)
    const ofOne = `projectId=${one.projectId}`
    const keysOf = async (query: string) =>
      (await breakdown(query)).map(({ Keys }: { Keys: string[] }) => Keys)
    expect(await keysOf(`by=file,day&${ofOne}&to=${daysAgo(-1).toISOString()}`)).toEqual([
      [String(one.id), day(3)],
      [String(one.id), day(0)],
      [null, day(2)],
    ])
    const from = `from=${daysAgo(2).toISOString()}&to=${daysAgo(1).toISOString()}`
    expect(await keysOf(`by=day&${ofOne}&${from}`)).toEqual([[day(2)]])
    expect(await keysOf(`by=project&projectId=${one.projectId},${other.projectId}`)).toHaveLength(2)
    const restricted = await server.newKey({ projectIds: [other.projectId] })
    const answer = await server.call('GET', '/analytics/breakdown?by=project', { apiKey: restricted })
    expect(answer.body.Groups).toMatchObject([{ Keys: [String(other.projectId)], Views: 1 }])
    const stranger = await server.newKey({ inNewAccount: true })
    const nothing = await server.call('GET', '/analytics/breakdown?by=project', { apiKey: stranger })
    expect(nothing.body.Groups).toEqual([])
  })

  test.each([
    'by=',
    'by=contry',
    'by=site,Data-x',
    'by=site,site',
    'by=site,day,country,device',
    "by=site'",
    'by=site&limit=0',
    'by=site&projectId=x',
    'by=site&from=x',
  ])('cannot be grouped by %s: 400', async (query) => {
    expect((await server.call('GET', `/analytics/breakdown?${query}`)).status).toBe(400)
  })

  if (engine === 'postgres') return
  const written = (): ArchiveKeeper => {
    if (keeper === null) throw new Error('no archives')
    return keeper
  }
  const archives = async () =>
    server.services.database.kysely.selectFrom('view_archives').selectAll().orderBy('id').execute()

  test('stay when their rows are deleted, but never before they are in an archive', async () => {
    const file = await makePlayableFile(server)
    const endedAt = daysAgo(5)
    await addViews(server, someViews(file, endedAt))
    const drop = () => dropOldViews(server.workerDatabase, { viewDays: 1, engine: 'parquet' })
    const rows = async () =>
      (
        await server.services.database.kysely
          .selectFrom('views')
          .select('id')
          .where('file_id', '=', file.id)
          .execute()
      ).length
    await drop()
    expect(await rows()).toBe(27)
    // The day was archived already, so these are late: they are written on the next day.
    const tomorrow = daysAgo(-1).getTime()
    await keepArchives(written(), tomorrow)
    await drop()
    expect(await rows()).toBe(0)
    expect(await breakdownOf(server)(`by=country,device&fileId=${file.id}`)).toEqual([desktop, phone])
    const before = await archives()
    await keepArchives(written(), tomorrow)
    expect(await archives()).toEqual(before)
  })

  test('of a purged file leave the archive, and the blob and the copies of the former one are deleted', async () => {
    const { kysely } = server.services.database
    const [kept, purged] = [await makePlayableFile(server), await makePlayableFile(server)]
    await addViews(server, [...someViews(kept, daysAgo(4)), ...someViews(purged, daysAgo(4))])
    const later = daysAgo(-2).getTime()
    await keepArchives(written(), later)
    const breakdown = breakdownOf(server)
    expect(await breakdown(`by=country,device&fileId=${purged.id}`)).toHaveLength(2)
    const former = (await archives()).filter(
      ({ file_ids, state }) => state === 'current' && file_ids.includes(purged.id),
    )
    expect(former).toHaveLength(1)

    await kysely.deleteFrom('media_files').where('id', '=', purged.id).execute()
    await keepArchives(written(), later)
    expect(await breakdown(`by=country,device&fileId=${purged.id}`)).toEqual([])
    expect(await breakdown(`by=country,device&fileId=${kept.id}`)).toEqual([desktop, phone])
    expect(
      (await archives()).filter((one) => one.state === 'current' && one.file_ids.includes(purged.id)),
    ).toEqual([])

    const blob = former[0]?.blob ?? ''
    expect(await server.services.blobs.stat(blob)).not.toBeNull()
    await kysely
      .updateTable('view_archives')
      .set({ changed_at: new Date(Date.now() - 11 * 60_000) })
      .where('blob', '=', blob)
      .execute()
    await keepArchives(written(), later)
    expect(await server.services.blobs.stat(blob)).toBeNull()
    const folder = join(server.dataFolder, 'analytics', 'copies')
    const name = blob.replace('/views/', '-')
    expect(existsSync(join(folder, name))).toBe(true)
    const copies = createArchiveCopies({
      database: server.services.database,
      blobs: server.services.blobs,
      folder,
    })
    await copies.sweep()
    expect(existsSync(join(folder, name))).toBe(false)
    expect(await breakdown(`by=country,device&fileId=${kept.id}`)).toEqual([desktop, phone])
  })

  test('of a month that is over are in one file, to which late views are added', async () => {
    const { kysely } = server.services.database
    const [one, other] = [await makePlayableFile(server), await makePlayableFile(server)]
    const past = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 2, 10, 12))
    const day = (count: number) => new Date(past.getTime() + count * 86_400_000)
    await addViews(server, [
      ...[0, 1, 2].flatMap((count) => someViews(one, day(count))),
      ...times(4, {
        projectId: other.projectId,
        fileId: other.id,
        endedAt: day(3),
        dimensions: { 'data-x': 'y' },
      }),
    ])
    await keepArchives(written(), daysAgo(-4).getTime())
    const current = async () =>
      (await archives()).filter(
        ({ state, file_ids }) =>
          state === 'current' && (file_ids.includes(one.id) || file_ids.includes(other.id)),
      )
    const text = (date: Date) => date.toISOString().slice(0, 10)
    expect(await current()).toMatchObject([{ day: text(day(0)), last_day: text(day(3)), views: 3 * 27 + 4 }])
    const breakdown = breakdownOf(server)
    const from = `from=${day(-1).toISOString()}`
    const tripled = (group: { readonly Views: number; readonly WatchSeconds: number }) => ({
      ...group,
      Views: 3 * group.Views,
      WatchSeconds: 3 * group.WatchSeconds,
    })
    expect(await breakdown(`by=country,device&fileId=${one.id}&${from}`)).toMatchObject([
      { ...tripled(desktop), Rebuffers: 36, Failures: 3 },
      tripled(phone),
    ])
    const noon = `from=${day(1).toISOString()}&to=${day(1.5).toISOString()}`
    expect(await breakdown(`by=file,day&fileId=${one.id},${other.id}&${noon}`)).toMatchObject([
      { Keys: [String(one.id), text(day(1))], Views: 25 },
    ])
    expect(await breakdown(`by=data-x,day&fileId=${other.id}&${from}`)).toEqual([])

    await addViews(server, someViews(one, day(5)))
    await keepArchives(written(), daysAgo(-5).getTime())
    expect(await current()).toMatchObject([{ last_day: text(day(5)), views: 4 * 27 + 4 }])

    // Its older days expire day by day, and a purged file leaves it.
    const keptDays = Math.floor((Date.now() - day(2).getTime()) / 86_400_000 + 0.5)
    await keepArchives({ ...written(), archiveDays: keptDays }, daysAgo(-5).getTime())
    const [left] = await current()
    expect([left?.day, left?.views]).toEqual([text(day(2)), 2 * 27 + 4])
    expect(await breakdown(`by=day&fileId=${one.id}&${from}`)).toMatchObject([
      { Keys: [text(day(2))], Views: 25 },
      { Keys: [text(day(5))], Views: 25 },
    ])
    await kysely.deleteFrom('media_files').where('id', '=', one.id).execute()
    await keepArchives({ ...written(), archiveDays: keptDays }, daysAgo(-5).getTime())
    expect(await current()).toMatchObject([{ views: 4, file_ids: [other.id] }])
    expect(await breakdown(`by=file&fileId=${one.id},${other.id}&${from}`)).toMatchObject([
      { Keys: [String(other.id)], Views: 4 },
    ])
  })

  test('count once while their archive is published', async () => {
    const { kysely } = server.services.database
    const file = await makePlayableFile(server)
    await addViews(server, someViews(file, daysAgo(2)))
    const settings = () =>
      kysely
        .selectFrom('installation_settings')
        .select('value')
        .where('name', '=', 'views_archived')
        .executeTakeFirstOrThrow()
    const before = await settings()
    await keepArchives(written(), daysAgo(-6).getTime())
    const after = await settings()
    // At the end of a month, the archive of the day is merged at once.
    const [archive] = (await archives()).filter(
      ({ file_ids, state }) => state === 'current' && file_ids.includes(file.id),
    )
    const set = async (
      connection: { readonly query: (text: string) => Promise<unknown> },
      state: string,
      { value }: { readonly value: string },
    ) => {
      await connection.query(`update view_archives set state = '${state}' where id = ${archive?.id}`)
      await connection.query(
        `update installation_settings set value = '${value}' where name = 'views_archived'`,
      )
    }
    await server.services.database.onOneConnection(async (connection) => {
      await set(connection, 'writing', before)
      await connection.query('begin')
      await connection.query('lock table view_archives in access exclusive mode')
      const answer = breakdownOf(server)(`by=country,device&fileId=${file.id}`)
      const waiting = async () =>
        (
          await kysely
            .selectFrom('installation_settings')
            .select(
              sql<number>`(select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and query like '%from view_archives%')`.as(
                'count',
              ),
            )
            .limit(1)
            .executeTakeFirstOrThrow()
        ).count
      await expect.poll(waiting).toBeGreaterThan(0)
      await set(connection, 'current', after)
      await connection.query('commit')
      expect(await answer).toEqual([desktop, phone])
    })
  })

  test('of a killed run leave neither blobs nor files behind, and are archived by the next one', async () => {
    const { kysely } = server.services.database
    const { account_id } = await kysely
      .selectFrom('projects')
      .select('account_id')
      .limit(1)
      .executeTakeFirstOrThrow()
    const blob = `a${account_id}/views/2026-01-01-killed.parquet`
    await server.services.blobs.put(blob, Buffer.from('half'))
    await kysely
      .insertInto('view_archives')
      .values({ account_id, blob, day: '2026-01-01', state: 'writing', changed_at: new Date(0) })
      .execute()
    await mkdir(written().workFolder, { recursive: true })
    await keepArchives(written())
    expect(await server.services.blobs.stat(blob)).toBeNull()
    expect((await archives()).filter(({ state }) => state === 'writing')).toEqual([])
    expect(await readdir(written().workFolder)).toEqual([])
  })

  test('that are no longer wanted disappear although a day cannot be archived', async () => {
    const { blobs, database } = server.services
    const file = await makePlayableFile(server)
    await addViews(server, someViews(file, daysAgo(3)))
    const later = daysAgo(-7).getTime()
    const { account_id } = await database.kysely
      .selectFrom('projects')
      .select('account_id')
      .limit(1)
      .executeTakeFirstOrThrow()
    const blob = `a${account_id}/views/2026-01-02-former.parquet`
    await blobs.put(blob, Buffer.from('former'))
    await database.kysely
      .insertInto('view_archives')
      .values({ account_id, blob, day: '2026-01-02', state: 'writing', changed_at: new Date(0) })
      .execute()
    const fail = () => Promise.reject(new Error('the disk is broken'))
    const broken = Object.assign(Object.create(blobs) as typeof blobs, { adopt: fail, put: fail })
    await expect(keepArchives({ ...written(), blobs: broken }, later)).rejects.toThrow('the disk is broken')
    expect(await blobs.stat(blob)).toBeNull()
    await keepArchives(written(), later)
    expect(await breakdownOf(server)(`by=country,device&fileId=${file.id}`)).toEqual([desktop, phone])
  })

  test('get 503 when they cannot be read, and the api process keeps running', async () => {
    const file = await makePlayableFile(server)
    await addViews(server, someViews(file, daysAgo(6)))
    await keepArchives(written(), daysAgo(-8).getTime())
    const blob =
      (await archives()).find(({ file_ids, state }) => state === 'current' && file_ids.includes(file.id))
        ?.blob ?? ''
    const path = join(server.dataFolder, 'analytics', 'copies', blob.replace('/views/', '-'))
    await writeFile(path, 'not Parquet')
    const broken = await server.call('GET', `/analytics/breakdown?by=file&fileId=${file.id}`)
    expect([broken.status, broken.body.error.reason]).toEqual([503, 'analytics_engine_failed'])
    await rm(path)
    expect(await breakdownOf(server)(`by=file&fileId=${file.id}`)).toMatchObject([{ Views: 25 }])
  })
})
