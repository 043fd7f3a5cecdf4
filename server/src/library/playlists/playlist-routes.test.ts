import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type CallOptions, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { purgePlaylists } from './purge-playlists.ts'

let server: TestServer
let projectId: number
let otherProjectId: number
let files: number[]
let otherFile: number

const makeProject = async (body: object = {}): Promise<number> =>
  (await server.call('POST', '/projects', { body: { Name: 'Project', ...body } })).body.Id

const makeFile = async (project: number, title: string): Promise<number> =>
  (
    await server.call('POST', `/projects/${project}/files`, {
      body: { FileName: 'a.mp4', Metadata: { Title: title } },
    })
  ).body.Id

beforeAll(async () => {
  server = await startTestServer()
  projectId = await makeProject()
  otherProjectId = await makeProject()
  files = []
  for (const title of ['One', 'Two', 'Three']) files.push(await makeFile(projectId, title))
  otherFile = await makeFile(otherProjectId, 'Elsewhere')
})

afterAll(() => server.stop())

const path = '/modules/playlists'
const create = (body: object = {}, options: CallOptions = {}) =>
  server.call('POST', path, { body: { Name: 'Playlist', ...body }, ...options })
const made = async (body: object = {}) => {
  const answer = await create(body)
  expect(answer.status).toBe(201)
  return answer.body
}
const get = (id: number, options: CallOptions = {}) => server.call('GET', `${path}/${id}`, options)
const put = (id: number, body: object, options: CallOptions = {}) =>
  server.call('PUT', `${path}/${id}`, { body, ...options })
const remove = (id: number, options: CallOptions = {}) => server.call('DELETE', `${path}/${id}`, options)
const restore = (id: number) => server.call('POST', `${path}/${id}/restore`)
const add = (id: number, body: object) => server.call('POST', `${path}/${id}/elements`, { body })
const fileIds = ({ Elements }: { Elements: { FileId: number }[] }) => Elements.map(({ FileId }) => FileId)
const first = () => files[0] ?? 0

test('a new playlist requires only a name and has all fields', async () => {
  const answer = await create({ Name: '  Spring ' })
  expect(answer.status).toBe(201)
  const { body } = answer
  expect(answer.headers.get('location')).toBe(`${server.url}/v3${path}/${body.Id}`)
  const playoutId = body.Playouts[0].Id
  expect(playoutId).toMatch(/^[0-9a-f-]{36}$/)
  expect(body).toEqual({
    Id: expect.any(Number),
    ExternalId: null,
    Name: 'Spring',
    Description: '',
    Type: 'manual',
    ProjectId: null,
    ReleaseStatus: 'unpublished',
    Rules: null,
    ElementCount: 0,
    TotalLength: 0,
    Playouts: [
      { Id: playoutId, Label: 'Default', IsDefault: true, HLS: null, DASH: null, MP4: null, EmbedURI: null },
    ],
    FeedURIs: {
      JSON: `${server.url}/v/${playoutId}/feed.json`,
      MRSS: `${server.url}/v/${playoutId}/feed.xml`,
      HLS: null,
    },
    IsEnabled: true,
    DeletedAt: null,
    PurgeAt: null,
    CreatedAt: expect.stringMatching(/\+00:00$/),
    LastUpdateAt: expect.stringMatching(/\+00:00$/),
    Elements: [],
  })
  const read = await get(body.Id)
  expect(read.body).toEqual(body)
  expect(read.headers.get('etag')).toBe(answer.headers.get('etag'))
})

test('elements keep their order and may repeat, as objects or ids', async () => {
  const [one = 0, two = 0, three = 0] = files
  const body = await made({ Elements: [{ FileId: three }, one, { FileId: three, Title: 'ignored' }, two] })
  expect(fileIds(body)).toEqual([three, one, three, two])
  expect(body.Elements[1]).toEqual({
    Position: 2,
    FileId: one,
    ProjectId: projectId,
    Title: 'One',
    Length: null,
    ThumbURI: null,
    ReleaseStatus: 'unpublished',
    IsPlayable: false,
  })
  expect(body.ElementCount).toBe(4)
})

test.each<[string, () => object, string]>([
  ['no name', () => ({ Name: undefined }), 'Name'],
  ['an empty name', () => ({ Name: '' }), 'Name'],
  ['a blank name', () => ({ Name: ' ' }), 'Name'],
  ['a name of 256 characters', () => ({ Name: 'a'.repeat(256) }), 'Name'],
  ['an unknown type', () => ({ Type: 'magic' }), 'Type'],
  ['an unknown release status', () => ({ ReleaseStatus: 'public' }), 'ReleaseStatus'],
  ['an unknown project', () => ({ ProjectId: 999_999 }), 'ProjectId'],
  ['a project of 0', () => ({ ProjectId: 0 }), 'ProjectId'],
  ['a project of 2^53', () => ({ ProjectId: 2 ** 53 }), 'ProjectId'],
  ['an unknown file', () => ({ Elements: [first(), { FileId: 999_999 }] }), 'Elements[1].FileId'],
  ['a file that is text', () => ({ Elements: [{ FileId: '1' }] }), 'Elements[0].FileId'],
  ['a file of another project', () => ({ ProjectId: projectId, Elements: [otherFile] }), 'Elements[0]'],
  ['elements that are no list', () => ({ Elements: 'all' }), 'Elements'],
  ['1001 elements', () => ({ Elements: Array.from({ length: 1001 }, first) }), 'Elements'],
  ['rules of a manual one', () => ({ Rules: {} }), 'Rules'],
  ['an automatic one without rules', () => ({ Type: 'automatic' }), 'Rules'],
  ['elements of an automatic one', () => ({ Type: 'automatic', Rules: {}, Elements: [first()] }), 'Elements'],
])('%s answers 400 naming the field', async (_what, body, field) => {
  const answer = await create(body())
  expectProblem(answer, 'invalid')
  expect(answer.body.error.details[0].field).toBe(field)
})

test('a playlist accepts 1000 elements', async () => {
  const body = await made({ Elements: Array.from({ length: 1000 }, first) })
  expect(body.ElementCount).toBe(1000)
})

test('files of another account are rejected like unknown files', async () => {
  const stranger = await server.newKey({ inNewAccount: true })
  const answer = await create({ Elements: [first()] }, { apiKey: stranger })
  expectProblem(answer, 'invalid')
  expect(answer.body.error.message).toBe(`Elements[0] names the file ${first()}, which does not exist.`)
})

describe('PUT', () => {
  test('accepts a changed record that was read before, for both types', async () => {
    for (const body of [
      { ProjectId: projectId, Elements: files, Description: 'a' },
      { Type: 'automatic', Rules: { Conditions: [{ Field: 'Title', Operator: 'contains', Value: 'one' }] } },
    ]) {
      const before = await made(body)
      const { status, body: after } = await put(before.Id, { ...before, Name: 'Renamed' })
      expect(status).toBe(200)
      expect(after).toEqual({ ...before, Name: 'Renamed', LastUpdateAt: after.LastUpdateAt })
    }
  })

  test('leaves absent fields unchanged and clears fields with null', async () => {
    const before = await made({ Description: 'a', ReleaseStatus: 'published', Elements: files })
    expect((await put(before.Id, {})).body).toMatchObject({ Description: 'a', ElementCount: 3 })
    expect(
      (await put(before.Id, { Description: null, Elements: null, ReleaseStatus: null })).body,
    ).toMatchObject({ Description: '', Elements: [], ReleaseStatus: 'unpublished' })
  })

  test('rejects a description that is too large for a webhook, unless it was larger before', async () => {
    const control = (length: number) => ({ Description: '\u0001'.repeat(length) })
    expectProblem(await create(control(9_000)), 'invalid')
    const { Id } = await made({ Description: '\u{1f600}'.repeat(10_000) })
    const answer = await put(Id, control(9_000))
    expectProblem(answer, 'invalid')
    expect(answer.body.error.details[0].field).toBe('Description')
    // A playlist of an older release.
    await server.services.database.sql`
      update playlists set description = ${control(9_500).Description} where id = ${Id}`
    expect((await put(Id, { Name: 'Renamed' })).status).toBe(200)
    expect((await put(Id, control(9_500))).status).toBe(200)
    expect((await put(Id, control(9_000))).status).toBe(200)
    expectProblem(await put(Id, control(9_500)), 'invalid')
  })

  test("resets the release status to the project's default with null", async () => {
    const published = await makeProject({ DefaultReleaseStatus: 'published' })
    const playlist = await made({ ProjectId: published })
    expect(playlist.ReleaseStatus).toBe('published')
    await put(playlist.Id, { ReleaseStatus: 'draft' })
    expect((await put(playlist.Id, { ReleaseStatus: null })).body.ReleaseStatus).toBe('published')
  })

  test('rejects a change of the type and of fields of the other type', async () => {
    const manual = await made({ Elements: files })
    const automatic = await made({ Type: 'automatic', Rules: {} })
    for (const [id, body] of [
      [manual.Id, { Type: 'automatic', Rules: {} }],
      [manual.Id, { Rules: { Limit: 1 } }],
      [automatic.Id, { Type: 'manual' }],
      [automatic.Id, { Elements: files.slice(0, 1) }],
      [automatic.Id, { Rules: null }],
    ] as const)
      expectProblem(await put(id, body), 'invalid')
    expect((await get(manual.Id)).body).toEqual(manual)
    expect((await get(automatic.Id)).body).toEqual(automatic)
  })

  test('moves a playlist into a project only with files of that project', async () => {
    const playlist = await made({ Elements: [first(), otherFile] })
    expectProblem(await put(playlist.Id, { ProjectId: projectId }), 'invalid')
    const moved = await put(playlist.Id, { ProjectId: projectId, Elements: files })
    expect(moved.body).toMatchObject({ ProjectId: projectId, ElementCount: 3 })
    expect((await put(playlist.Id, { ProjectId: null })).body.ProjectId).toBeNull()
  })

  test('ignores unknown and read-only fields', async () => {
    const { body } = await create({
      Id: 99,
      IsEnabled: false,
      ElementCount: 7,
      TotalLength: 7,
      Colour: 'blue',
    })
    expect(body).toMatchObject({ IsEnabled: true, ElementCount: 0, TotalLength: 0 })
    expect(body.Id).not.toBe(99)
    expect(JSON.stringify(body)).not.toContain('blue')
  })

  test('rejects a stale If-Match, even when only a file has changed', async () => {
    const file = await makeFile(projectId, 'Before')
    const playlist = await made({ Elements: [file] })
    const etag = (await get(playlist.Id)).headers.get('etag') ?? ''
    expect((await get(playlist.Id, { headers: { 'If-None-Match': etag } })).status).toBe(304)
    await server.call('PUT', `/projects/${projectId}/files/${file}`, {
      body: { Metadata: { Title: 'After' } },
    })
    expectProblem(await put(playlist.Id, {}, { headers: { 'If-Match': etag } }), 'stale')
    expectProblem(await remove(playlist.Id, { headers: { 'If-Match': etag } }), 'stale')
    const fresh = (await get(playlist.Id)).headers.get('etag') ?? ''
    expect((await put(playlist.Id, { Name: 'b' }, { headers: { 'If-Match': fresh } })).status).toBe(200)
  })
})

describe('adding elements', () => {
  test('inserts files at the end or at a position', async () => {
    const [one = 0, two = 0, three = 0] = files
    const { Id } = await made({ Elements: [one] })
    const added = await add(Id, { Elements: [{ FileId: two }] })
    expect(added.status).toBe(201)
    expect(added.headers.get('location')).toBe(`${server.url}/v3${path}/${Id}`)
    expect(fileIds(added.body)).toEqual([one, two])
    expect(fileIds((await add(Id, { Elements: [three, three], Position: 1 })).body)).toEqual([
      three,
      three,
      one,
      two,
    ])
    expect(fileIds((await add(Id, { Elements: [one], Position: 5 })).body).at(-1)).toBe(one)
  })

  test('keeps the positions of deleted files', async () => {
    const [one = 0, two = 0] = files
    const gone = await makeFile(projectId, 'Gone')
    const { Id } = await made({ Elements: [one, gone, one, two] })
    await server.call('DELETE', `/projects/${projectId}/files/${gone}`)
    expect(fileIds((await add(Id, { Elements: [two], Position: 2 })).body)).toEqual([one, two, one, two])
    await server.call('POST', `/projects/${projectId}/files/${gone}/restore`)
    expect(fileIds((await get(Id)).body)).toEqual([one, gone, two, one, two])
  })

  test.each<[string, object]>([
    ['nothing', { Elements: [] }],
    ['an unknown file', { Elements: [999_999] }],
    ['a position of 0', { Elements: [1], Position: 0 }],
    ['a position after the end', { Elements: [1], Position: 3 }],
    ['no elements', {}],
  ])('with %s answers 400', async (_what, body) => {
    const { Id } = await made({ Elements: [first()] })
    expectProblem(await add(Id, body), 'invalid')
    expect((await get(Id)).body.ElementCount).toBe(1)
  })

  test('beyond the limit of a playlist answers 400', async () => {
    const { Id } = await made({ Elements: Array.from({ length: 1000 }, first) })
    expectProblem(await add(Id, { Elements: [first()] }), 'invalid')
  })

  test('counts deleted files, which can be restored', async () => {
    const gone = await makeFile(projectId, 'Restorable')
    const { Id } = await made({ Elements: [gone, ...Array.from({ length: 999 }, first)] })
    await server.call('DELETE', `/projects/${projectId}/files/${gone}`)
    expect((await get(Id)).body.ElementCount).toBe(999)
    expectProblem(await add(Id, { Elements: [first()] }), 'invalid')
    await server.call('POST', `/projects/${projectId}/files/${gone}/restore`)
    const { body } = await get(Id)
    expect(body.ElementCount).toBe(1000)
    expect((await put(Id, body)).status).toBe(200)
  })

  test('to an automatic playlist answers 409', async () => {
    const { Id } = await made({ Type: 'automatic', Rules: {} })
    expectProblem(await add(Id, { Elements: [first()] }), 'conflict')
  })

  test('concurrently loses none', async () => {
    const { Id } = await made()
    const answers = await Promise.all(files.map((id) => add(Id, { Elements: [id] })))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(fileIds((await get(Id)).body))).toEqual(new Set(files))
  })
})

describe('a deleted file', () => {
  test('leaves every playlist at once and returns to its position when restored', async () => {
    const [one = 0, two = 0] = files
    const file = await makeFile(projectId, 'Short-lived')
    const playlist = await made({ Elements: [one, file, two, file] })
    const before = (await get(playlist.Id)).headers.get('etag')
    await server.call('DELETE', `/projects/${projectId}/files/${file}`)
    const without = await get(playlist.Id)
    expect(fileIds(without.body)).toEqual([one, two])
    expect(without.body.Elements[1].Position).toBe(2)
    expect(without.headers.get('etag')).not.toBe(before)
    expect((await server.call('GET', `${path}?limit=500`)).body.Playlists).toContainEqual(
      expect.objectContaining({ Id: playlist.Id, ElementCount: 2 }),
    )
    expectProblem(await create({ Elements: [file] }), 'invalid')
    await server.call('POST', `/projects/${projectId}/files/${file}/restore`)
    expect(fileIds((await get(playlist.Id)).body)).toEqual([one, file, two, file])
  })

  test('updates the manual playlists that contain it, as does a restored one', async () => {
    const file = await makeFile(projectId, 'Short-lived')
    const holding = await made({ Elements: [first(), file] })
    const other = await made({ Elements: [first()] })
    const updates = async () => {
      const { body } = await server.call('GET', '/events?after=0&limit=500')
      return body.Events.filter(
        ({ Event, Playlist }: { Event: string; Playlist?: { Id: number } }) =>
          Event === 'playlist.updated' && [holding.Id, other.Id].includes(Playlist?.Id ?? 0),
      ).map(({ Playlist }: { Playlist: { Id: number; ElementCount: number } }) => Playlist)
    }
    await server.call('DELETE', `/projects/${projectId}/files/${file}`)
    const without = (await get(holding.Id)).body
    expect(Date.parse(without.LastUpdateAt)).toBeGreaterThan(Date.parse(holding.LastUpdateAt))
    expect(await updates()).toEqual([expect.objectContaining({ Id: holding.Id, ElementCount: 1 })])
    await server.call('POST', `/projects/${projectId}/files/${file}/restore`)
    const back = (await get(holding.Id)).body
    expect(Date.parse(back.LastUpdateAt)).toBeGreaterThan(Date.parse(without.LastUpdateAt))
    expect(await updates()).toEqual([
      expect.objectContaining({ Id: holding.Id, ElementCount: 1 }),
      expect.objectContaining({ Id: holding.Id, ElementCount: 2 }),
    ])
    expect((await get(other.Id)).body.LastUpdateAt).toBe(other.LastUpdateAt)
  })

  test("leaves playlists when its project is deleted, along with the project's playlists", async () => {
    const project = await makeProject()
    const file = await makeFile(project, 'With its project')
    const across = await made({ Elements: [first(), file] })
    const within = await made({ ProjectId: project, Elements: [file] })
    await server.call('DELETE', `/projects/${project}?cascade=true`)
    expect(fileIds((await get(across.Id)).body)).toEqual([first()])
    expectProblem(await get(within.Id), 'not_found')
    expectProblem(await put(within.Id, {}), 'not_found')
    expectProblem(await create({ ProjectId: project }), 'invalid')
  })
})

describe('DELETE', () => {
  test('answers 200 with the deleted playlist, which then answers 404 until it is restored', async () => {
    const playlist = await made({ Elements: files })
    const answer = await remove(playlist.Id)
    expect(answer).toMatchObject({ status: 200, body: { Id: playlist.Id, IsEnabled: false } })
    expect(Object.keys(answer.body)).toEqual(['Id', 'IsEnabled', 'DeletedAt', 'PurgeAt'])
    for (const again of [
      await get(playlist.Id),
      await put(playlist.Id, {}),
      await remove(playlist.Id),
      await add(playlist.Id, { Elements: files }),
    ])
      expectProblem(again, 'not_found')
    const restored = await restore(playlist.Id)
    expect(restored.status).toBe(200)
    expect(restored.body).toEqual({ ...playlist, LastUpdateAt: restored.body.LastUpdateAt })
    expectProblem(await restore(playlist.Id), 'conflict')
    expectProblem(await restore(999_999), 'not_found')
  })

  test('hides the playlist from lists without includeDeleted', async () => {
    const { Id } = await made({ Name: 'Deleted one' })
    await remove(Id)
    const listed = async (query: string) =>
      (await server.call('GET', `${path}?search=deleted&${query}`)).body.Playlists
    expect(await listed('')).toEqual([])
    expect(await listed('includeDeleted=true')).toEqual([expect.objectContaining({ Id, IsEnabled: false })])
  })

  test('is final after the retention period', async () => {
    const { Id } = await made()
    await remove(Id)
    const { database } = server.services
    // Also when the retention time becomes shorter.
    for (const retentionDays of [7, 0]) await purgePlaylists(database, retentionDays)
    expect((await restore(Id)).status).toBe(200)
    await remove(Id)
    await database.sql`update playlists set purge_at = now() - interval '1 second' where id = ${Id}`
    await purgePlaylists(database, 7)
    expectProblem(await restore(Id), 'not_found')
  })
})

describe('the list of playlists', () => {
  const names = async (query: string) =>
    (await server.call('GET', `${path}?${query}`)).body.Playlists.map(({ Name }: { Name: string }) => Name)

  beforeAll(async () => {
    await made({ Name: 'Zebra ßtripes', Description: 'listed ÄÖ' })
    await made({ Name: 'apple', Description: 'listed', ProjectId: projectId, ReleaseStatus: 'published' })
    await made({ Name: 'Birne', Description: 'listed', Type: 'automatic', Rules: {} })
  })

  test('searches, filters and sorts', async () => {
    expect(await names('search=LISTED')).toEqual(['Birne', 'apple', 'Zebra ßtripes'])
    expect(await names('search=listed&orderBy=name&sort=asc')).toEqual(['apple', 'Birne', 'Zebra ßtripes'])
    expect(await names('search=listed&orderBy=title')).toEqual(['Zebra ßtripes', 'Birne', 'apple'])
    expect(await names('search=list%20%C3%A4%C3%B6')).toEqual(['Zebra ßtripes'])
    expect(await names("search='%25_")).toEqual([])
    expect(await names('search=listed&type=automatic')).toEqual(['Birne'])
    expect(await names(`search=listed&projectId=${projectId},999999`)).toEqual(['apple'])
    expect(await names('search=listed&releaseStatus=draft,published')).toEqual(['apple'])
  })

  test('pages without gaps and counts exactly', async () => {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query = `search=listed&limit=1&orderBy=name${cursor === '' ? '' : `&cursor=${cursor}`}`
      const { body } = await server.call('GET', `${path}?${query}`)
      expect(body.TotalCount).toBe(3)
      seen.push(body.Playlists[0].Name)
      cursor = body.NextCursor
    }
    expect(seen).toEqual(['Zebra ßtripes', 'Birne', 'apple'])
  })

  test('contains records without elements', async () => {
    const { body } = await server.call('GET', `${path}?limit=1`)
    const { Elements: _, ...summary } = (await get(body.Playlists[0].Id)).body
    expect(body.Playlists[0]).toEqual(summary)
  })

  test.each([
    'type=magic',
    'type=',
    'projectId=0',
    'projectId=1e3',
    'releaseStatus=public',
    'includeDeleted=1',
  ])('answers 400 for %s', async (query) => {
    expectProblem(await server.call('GET', `${path}?${query}`), 'invalid')
  })
})

describe('an API key restricted to projects', () => {
  test('reads and creates only playlists of these projects', async () => {
    const apiKey = await server.newKey({ projectIds: [projectId] })
    const own = await made({ ProjectId: projectId, Name: 'Own' })
    const foreign = await made({ ProjectId: otherProjectId, Name: 'Foreign' })
    const ofAll = await made({ Name: 'Of all' })
    expect((await get(own.Id, { apiKey })).status).toBe(200)
    for (const { Id } of [foreign, ofAll]) {
      expectProblem(await get(Id, { apiKey }), 'not_found')
      expectProblem(await put(Id, {}, { apiKey }), 'not_found')
    }
    const { body } = await server.call('GET', `${path}?limit=500`, { apiKey })
    expect(body.Playlists.every(({ ProjectId }: { ProjectId: number }) => ProjectId === projectId)).toBe(true)
    expectProblem(await create({}, { apiKey }), 'invalid')
    expectProblem(await create({ ProjectId: otherProjectId }, { apiKey }), 'invalid')
    expectProblem(await put(own.Id, { ProjectId: null }, { apiKey }), 'invalid')
    expect((await create({ ProjectId: projectId }, { apiKey })).status).toBe(201)
  })
})

test('publishing a playlist requires files:publish', async () => {
  const apiKey = await server.newKey({ role: 'JuniorEditor' })
  expectProblem(await create({ ReleaseStatus: 'published' }, { apiKey }), 'forbidden')
  const { body } = await create({}, { apiKey })
  expectProblem(await put(body.Id, { ReleaseStatus: 'published' }, { apiKey }), 'forbidden')
  await put(body.Id, { ReleaseStatus: 'published' })
  expectProblem(await put(body.Id, { ReleaseStatus: 'draft' }, { apiKey }), 'forbidden')
  expect((await put(body.Id, { ReleaseStatus: 'published', Name: 'b' }, { apiKey })).status).toBe(200)
})

test('moving a published playlist requires files:publish in the new project, and unpublishing it in the old one', async () => {
  const { body: user } = await server.call('POST', '/users', {
    body: {
      Email: `${crypto.randomUUID()}@example.com`,
      Role: 'SeniorEditor',
      ProjectRoles: [{ ProjectId: otherProjectId, Role: 'JuniorEditor' }],
    },
  })
  const key = await server.call('POST', '/apikeys', { body: { Label: 'a', UserId: user.Id } })
  const apiKey: string = key.body.Token
  const here = await made({ ProjectId: projectId, ReleaseStatus: 'published' })
  for (const change of [{}, { ReleaseStatus: 'published' }, { Elements: [] }])
    expectProblem(await put(here.Id, { ...change, ProjectId: otherProjectId }, { apiKey }), 'forbidden')
  expect((await get(here.Id)).body.ProjectId).toBe(projectId)
  const there = await made({ ProjectId: otherProjectId, ReleaseStatus: 'published' })
  const withdrawn = { ProjectId: projectId, ReleaseStatus: 'unpublished' }
  expectProblem(await put(there.Id, withdrawn, { apiKey }), 'forbidden')
  expect((await put(there.Id, { ProjectId: projectId }, { apiKey })).status).toBe(200)
  const unpublished = { ProjectId: otherProjectId, ReleaseStatus: 'unpublished' }
  expect((await put(here.Id, unpublished, { apiKey })).body).toMatchObject(unpublished)
})

test('each change writes one event, in order, with the record as lists show it', async () => {
  const playlist = await made({ Name: 'First', ProjectId: projectId, Elements: files })
  await put(playlist.Id, { Name: 'Second' })
  await put(playlist.Id, { Name: '' })
  await add(playlist.Id, { Elements: files })
  await remove(playlist.Id)
  await restore(playlist.Id)
  const events = await server.services.database.kysely
    .selectFrom('events')
    .select(['name', 'sequence', 'record', 'project_id'])
    .where('subject', '=', 'Playlist')
    .orderBy('id')
    .execute()
  const own = events
    .map((event) => ({ ...event, record: JSON.parse(event.record) }))
    .filter(({ record }) => record.Id === playlist.Id)
  expect(own.map(({ name, sequence }) => `${name} ${sequence}`)).toEqual([
    'playlist.new 1',
    'playlist.updated 2',
    'playlist.updated 3',
    'playlist.deleted 4',
    'playlist.updated 5',
    'playlist.restored 6',
  ])
  const { Elements: _, ...summary } = playlist
  expect(own[0]).toMatchObject({ record: summary, project_id: projectId })
  expect(own[2]?.record).toMatchObject({ Name: 'Second', ElementCount: 6 })
  expect(own[3]?.record.IsEnabled).toBe(false)
})
