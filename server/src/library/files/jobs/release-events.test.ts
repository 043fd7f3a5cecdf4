import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSample } from '../../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { startReleaseAnnouncer } from './announce-releases.ts'
import { changeMediaFile } from '../record/media-file-store.ts'

let server: TestServer
let projectId: number

afterAll(() => server.stop())

interface Announced {
  readonly name: string
  readonly atMs: number
}

const releasesOf = async (fileId: number): Promise<Announced[]> =>
  (
    await server.services.database.kysely
      .selectFrom('events')
      .select(['name', 'occurred_at'])
      .where('file_id', '=', fileId)
      .where('name', 'in', ['file.released', 'file.unreleased'])
      .orderBy('id')
      .execute()
  ).map(({ name, occurred_at }) => ({ name, atMs: occurred_at.getTime() }))

const namesOf = async (fileId: number): Promise<string[]> =>
  (await releasesOf(fileId)).map(({ name }) => name)

const allNamesOf = async (fileId: number): Promise<string[]> =>
  (
    await server.services.database.kysely
      .selectFrom('events')
      .select('name')
      .where('file_id', '=', fileId)
      .orderBy('id')
      .execute()
  ).map(({ name }) => name)

const untilReleases = (fileId: number, count: number): Promise<Announced[]> =>
  waitFor(
    () => releasesOf(fileId),
    (events) => events.length >= count,
  )

const fromNow = (ms: number): { readonly text: string; readonly atMs: number } => {
  const atMs = Date.now() + ms
  return { text: new Date(atMs).toISOString().replace('Z', '+00:00'), atMs }
}

const pathOf = (fileId: number): string => `/projects/${projectId}/files/${fileId}`

const put = async (fileId: number, metadata: object) => {
  const answer = await server.call('PUT', `${pathOf(fileId)}/metadata`, { body: metadata })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer
}

const newProject = async (): Promise<void> => {
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Releases' } })).body.Id
}

describe('with a worker', () => {
  let sample: Buffer

  beforeAll(async () => {
    server = await startTestServer({ withWorker: true })
    await newProject()
    sample = await makeSample({ seconds: 2, size: '160x90' })
  })

  const upload = async (metadata: object): Promise<{ id: number; hls: string }> => {
    const { body } = await server.call('POST', `/projects/${projectId}/files`, {
      body: { FileName: 'clip.mp4', UseEncoding: false, Metadata: metadata },
    })
    await request(body.Upload.URI, 'PUT', { body: sample })
    const { body: done } = await waitFor(
      () => server.call('GET', pathOf(body.Id)),
      // A worker writes the storyboard last.
      ({ body: file }) => file.IsFinished && file.Playouts[0].Storyboard !== null,
    )
    expect(done.ErrorMessage).toBeNull()
    return { id: body.Id, hls: done.Playouts[0].HLS }
  }

  const statusOf = async (hls: string): Promise<number> => (await request(hls, 'GET')).status

  test('sends file.released when a published file becomes playable, not before', async () => {
    const { id } = await upload({ ReleaseStatus: 'published' })
    const names = await allNamesOf(id)
    expect(names.filter((name) => name === 'file.released')).toHaveLength(1)
    expect(names.indexOf('file.released')).toBe(names.indexOf('file.playable') + 1)
  })

  test('sends file.released at IsPublicAt and file.unreleased at IsPublicUntil, once and within a second', async () => {
    const { id, hls } = await upload({})
    const others = [1, 2].map(() => startReleaseAnnouncer(server.services))
    const publicAt = fromNow(3_000)
    const publicUntil = fromNow(5_500)
    await put(id, {
      ReleaseStatus: 'published',
      IsPublicAt: publicAt.text,
      IsPublicUntil: publicUntil.text,
    })
    const etag = (await server.call('GET', pathOf(id))).headers.get('etag')
    expect(await releasesOf(id)).toEqual([])
    expect(await statusOf(hls)).toBe(404)
    const [released] = await untilReleases(id, 1)
    expect(await statusOf(hls)).toBe(200)
    expect(released?.name).toBe('file.released')
    expect(released?.atMs).toBeGreaterThanOrEqual(publicAt.atMs)
    expect(released?.atMs).toBeLessThan(publicAt.atMs + 1_000)
    const [, unreleased] = await untilReleases(id, 2)
    expect(await statusOf(hls)).toBe(404)
    expect(unreleased?.name).toBe('file.unreleased')
    expect(unreleased?.atMs).toBeGreaterThanOrEqual(publicUntil.atMs)
    expect(unreleased?.atMs).toBeLessThan(publicUntil.atMs + 1_000)
    // The announcement does not change the record.
    expect((await server.call('GET', pathOf(id))).headers.get('etag')).toBe(etag)
    await Promise.all(others.map((one) => one.stop()))
    const { body: log } = await server.call('GET', `/events?fileId=${id}&sort=asc&limit=100`)
    const sequences = log.Events.map(({ Sequence }: { Sequence: number }) => Sequence)
    expect(sequences).toEqual(sequences.map((_sequence: number, index: number) => index + 1))
    expect(await namesOf(id)).toEqual(['file.released', 'file.unreleased'])
  })

  test('announces only the new time of a window that is moved before it begins', async () => {
    const { id } = await upload({})
    await put(id, { ReleaseStatus: 'published', IsPublicAt: fromNow(3_000).text })
    const later = fromNow(4_500)
    await put(id, { IsPublicAt: later.text })
    const [released] = await untilReleases(id, 1)
    expect(released?.atMs).toBeGreaterThanOrEqual(later.atMs)
    await put(id, { IsPublicAt: fromNow(3_600_000).text })
    expect(await namesOf(id)).toEqual(['file.released', 'file.unreleased'])
    await put(id, { IsPublicAt: null })
    expect(await namesOf(id)).toEqual(['file.released', 'file.unreleased', 'file.released'])
  })

  test('sends file.unreleased before file.deleted, and file.released when the file is restored', async () => {
    const { id } = await upload({ ReleaseStatus: 'published' })
    await server.call('DELETE', pathOf(id))
    expect((await allNamesOf(id)).slice(-2)).toEqual(['file.unreleased', 'file.deleted'])
    await server.call('POST', `${pathOf(id)}/restore`)
    expect((await allNamesOf(id)).slice(-2)).toEqual(['file.restored', 'file.released'])
  })
})

describe('without a worker', () => {
  beforeAll(async () => {
    await server.stop()
    server = await startTestServer({ hasMadeUpRecords: true })
    await newProject()
  })

  const finished = async (metadata: object): Promise<number> => {
    const { body } = await server.call('POST', `/projects/${projectId}/files`, {
      body: { FileName: 'a.mp4', Metadata: metadata },
    })
    const { database } = server.services
    const account = await database.kysely.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
    await database.transaction((tx) =>
      changeMediaFile(tx, server.url, { accountId: account.id, fileId: body.Id }, () => ({
        set: { state: 'finished' },
      })),
    )
    return body.Id
  }

  test('announces a window that began without a worker once, when workers start', async () => {
    const [at, until] = [fromNow(4_000), fromNow(4_200)]
    const window = { ReleaseStatus: 'published', IsPublicAt: at.text }
    const begun = await finished(window)
    const over = await finished({ ...window, IsPublicUntil: until.text })
    const gone = await finished(window)
    await server.call('DELETE', pathOf(gone))
    await delay(until.atMs + 100 - Date.now())
    expect(await namesOf(begun)).toEqual([])
    for (let round = 0; round < 2; round += 1) {
      const workers = [1, 2, 3].map(() => startReleaseAnnouncer(server.services))
      await untilReleases(begun, 1)
      await waitFor(
        () =>
          server.services.database.kysely
            .selectFrom('media_files')
            .select('id')
            .where('release_changes_at', 'is not', null)
            .execute(),
        (due) => due.length === 0,
      )
      await Promise.all(workers.map((one) => one.stop()))
    }
    expect(await namesOf(begun)).toEqual(['file.released'])
    expect(await namesOf(over)).toEqual([])
    expect(await namesOf(gone)).toEqual([])
  })

  test('announces nothing for files that are not playable', async () => {
    const { body } = await server.call('POST', `/projects/${projectId}/files`, {
      body: { FileName: 'a.mp4', Metadata: { ReleaseStatus: 'published' } },
    })
    expect(await allNamesOf(body.Id)).toEqual(['file.created'])
  })
})
