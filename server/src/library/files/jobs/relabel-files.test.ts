import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { createRelabelFilesHandler } from './relabel-files-handler.ts'

let server: TestServer
let projectId: number

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Project' } })).body.Id
})

afterAll(() => server.stop())

const paths = { Category: '/modules/categories', Videotype: '/modules/videotypes', Share: '/modules/shares' }

const createEntry = async (field: keyof typeof paths) =>
  (await server.call('POST', paths[field], { body: { Label: crypto.randomUUID() } })).body

const createFile = async (Metadata: object) =>
  (await server.call('POST', `/projects/${projectId}/files`, { body: { FileName: 'a.mp4', Metadata } })).body

const getFile = async (fileId: number) =>
  (await server.call('GET', `/projects/${projectId}/files/${fileId}`)).body

const eventsOf = (fileId: number) =>
  server.services.database.kysely
    .selectFrom('events')
    .select(['name', 'record', 'sequence'])
    .where('file_id', '=', fileId)
    .orderBy('id')
    .execute()

test.each(['Category', 'Videotype', 'Share'] as const)(
  'renames a %s in every file that refers to it, each with one file.updated',
  async (field) => {
    const entry = await createEntry(field)
    const kept = await createEntry(field)
    const files = await Promise.all(
      [[entry.Id], [kept.Id, entry.Id], [kept.Id]].map((ids) => createFile({ [field]: ids })),
    )
    const Label = crypto.randomUUID()
    await server.call('PUT', `${paths[field]}/${entry.Id}`, { body: { Label } })
    const [one, two] = await waitFor(
      () => Promise.all(files.slice(0, 2).map(({ Id }) => getFile(Id))),
      (read) => read.every(({ Metadata }) => JSON.stringify(Metadata[field]).includes(Label)),
    )
    expect(one.Metadata[field]).toMatchObject([{ Id: entry.Id, Label }])
    expect(two.Metadata[field]).toMatchObject([
      { Id: kept.Id, Label: kept.Label },
      { Id: entry.Id, Label },
    ])
    expect(one.Metadata.Title).toBe(files[0].Metadata.Title)
    for (const { Id } of files.slice(0, 2)) {
      const events = await eventsOf(Id)
      expect(events.map(({ name }) => name)).toEqual(['file.created', 'file.updated'])
      expect(JSON.parse(events[1]?.record ?? '').Metadata[field]).toContainEqual(
        expect.objectContaining({ Id: entry.Id, Label }),
      )
    }
    expect((await eventsOf(files[2].Id)).map(({ name }) => name)).toEqual(['file.created'])
  },
)

test('updates a changed CustomId too, and writes no file after a PUT without changes', async () => {
  const entry = await createEntry('Category')
  const file = await createFile({ Category: [entry.Id] })
  await server.call('PUT', `/modules/categories/${entry.Id}`, { body: { Label: entry.Label } })
  const CustomId = crypto.randomUUID()
  await server.call('PUT', `/modules/categories/${entry.Id}`, { body: { CustomId } })
  await waitFor(
    () => getFile(file.Id),
    ({ Metadata }) => Metadata.Category[0].CustomId === CustomId,
  )
  expect((await eventsOf(file.Id)).map(({ name }) => name)).toEqual(['file.created', 'file.updated'])
})

test('removes a deleted entry from every file and keeps the others', async () => {
  const entry = await createEntry('Category')
  const kept = await createEntry('Category')
  const share = await createEntry('Share')
  const files = await Promise.all(
    Array.from({ length: 5 }, () => createFile({ Category: [entry.Id, kept.Id], Share: [share.Id] })),
  )
  await server.call('DELETE', `/modules/categories/${entry.Id}`)
  const read = await waitFor(
    () => Promise.all(files.map(({ Id }) => getFile(Id))),
    (all) => all.every(({ Metadata }) => Metadata.Category.length === 1),
  )
  for (const { Metadata } of read) {
    expect(Metadata.Category).toMatchObject([{ Id: kept.Id }])
    expect(Metadata.Share).toMatchObject([{ Id: share.Id }])
  }
})

test('leaves the last label in all files after repeated renames', async () => {
  const entry = await createEntry('Category')
  const files = await Promise.all(Array.from({ length: 10 }, () => createFile({ Category: [entry.Id] })))
  for (let round = 0; round < 10; round += 1)
    await server.call('PUT', `/modules/categories/${entry.Id}`, {
      body: { Label: `${entry.Label} ${round}` },
    })
  await waitFor(
    () => Promise.all(files.map(({ Id }) => getFile(Id))),
    (all) => all.every(({ Metadata }) => Metadata.Category[0].Label === `${entry.Label} 9`),
  )
})

test('files written during a rename and a deletion end with the current entries', async () => {
  const renamed = await createEntry('Category')
  const deleted = await createEntry('Category')
  const Label = crypto.randomUUID()
  const create = () => createFile({ Category: [renamed.Id, deleted.Id] })
  const created = (
    await Promise.all([
      create(),
      create(),
      server.call('PUT', `/modules/categories/${renamed.Id}`, { body: { Label } }).then(() => null),
      create(),
      server.call('DELETE', `/modules/categories/${deleted.Id}`).then(() => null),
      create(),
    ])
  ).filter((file) => file?.Id !== undefined)
  await waitFor(
    () => Promise.all(created.map(({ Id }) => getFile(Id))),
    (all) =>
      all.every(
        ({ Metadata }) => JSON.stringify(Metadata.Category).includes(Label) && Metadata.Category.length === 1,
      ),
  )
})

test('updates a deleted file when it is restored', async () => {
  const renamed = await createEntry('Category')
  const deleted = await createEntry('Category')
  const file = await createFile({ Category: [deleted.Id, renamed.Id] })
  const path = `/projects/${projectId}/files/${file.Id}`
  await server.call('DELETE', path)
  const Label = crypto.randomUUID()
  await server.call('PUT', `/modules/categories/${renamed.Id}`, { body: { Label } })
  await server.call('DELETE', `/modules/categories/${deleted.Id}`)
  const restored = await server.call('POST', `${path}/restore`)
  expect(restored.status).toBe(200)
  expect(restored.body.Metadata.Category).toEqual([{ Id: renamed.Id, Label, CustomId: '' }])
  expect((await getFile(file.Id)).Metadata).toEqual(restored.body.Metadata)
})

test('continues an interrupted run, and a repeated run changes nothing', async () => {
  const { database, config } = server.services
  const { account_id: accountId } = await database.kysely
    .selectFrom('projects')
    .select('account_id')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  const entry = await createEntry('Category')
  const files: { Id: number }[] = []
  for (let count = 0; count < 4; count += 1) files.push(await createFile({ Category: [entry.Id] }))
  // Renames the entry as the route does, but without enqueueing the job.
  await database.kysely
    .updateTable('catalog_entries')
    .set({ label: 'Renamed behind' })
    .where('id', '=', entry.Id)
    .execute()
  const run = createRelabelFilesHandler({ database, publicUrl: config.publicUrl })
  const job = { accountId, kind: 'category', entryId: entry.Id } as const
  const cut = new AbortController()
  let checks = 0
  const signal = {
    throwIfAborted: () => {
      checks += 1
      if (checks === 3) cut.abort()
      cut.signal.throwIfAborted()
    },
  } as AbortSignal
  await expect(run(job, signal)).rejects.toThrow()
  const eventCounts = async () =>
    (await Promise.all(files.map(({ Id }) => eventsOf(Id)))).map((all) => all.length)
  expect(await eventCounts()).toEqual([2, 2, 1, 1])
  await run(job, new AbortController().signal)
  expect(await eventCounts()).toEqual([2, 2, 2, 2])
  await run(job, new AbortController().signal)
  expect(await eventCounts()).toEqual([2, 2, 2, 2])
})
