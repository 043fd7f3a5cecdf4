import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'

let server: TestServer
let files: string

beforeAll(async () => {
  server = await startTestServer()
  const { body } = await server.call('POST', '/projects', { body: { Name: 'Files' } })
  files = `/projects/${body.Id}/files`
})

afterAll(() => server.stop())

const create = (body: object = {}) =>
  server.call('POST', files, { body: { FileName: 'interview.mp4', ...body } })

const newFile = async (body: object = {}) =>
  (await server.call('GET', `${files}/${(await create(body)).body.Id}`)).body
const put = (id: number, body: object, apiKey = server.apiKey) =>
  server.call('PUT', `${files}/${id}`, { body, apiKey })

const emptyMetadata = {
  StandardFilePicture: null,
  Title: 'interview',
  Description: '',
  DisplayTitle: '',
  DisplayTitleSecondLine: '',
  ReleaseStatus: 'unpublished',
  Category: [],
  IABCategory: [],
  Share: [],
  Videotype: [],
  Tags: [],
  IsPublicAt: null,
  IsPublicUntil: null,
  Genre: '',
  Series: '',
  NativeLanguage: '',
  ProgramId: '',
  Rating: '',
  Latitude: null,
  Longitude: null,
  OriginalFileName: 'interview.mp4',
  CustomMetadata: { adsDisabled: false },
}

const everything = {
  Title: 'Title',
  Description: 'Description',
  DisplayTitle: 'Shown',
  DisplayTitleSecondLine: 'Below',
  ReleaseStatus: 'draft',
  Tags: ['a', 'b'],
  IsPublicAt: '2026-03-01T12:00:00.000+00:00',
  IsPublicUntil: '2027-03-01T12:00:00.000+00:00',
  Genre: 'Drama',
  Series: 'Series',
  NativeLanguage: 'de-AT',
  ProgramId: 'P1',
  Rating: '12',
  Latitude: -90,
  Longitude: 180,
  CustomMetadata: { adsDisabled: true, deep: { list: [1, null, 'x'] } },
}

test('returns every field of the API for a new file', async () => {
  const record = await newFile()
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/)
  expect(record).toEqual({
    Id: expect.any(Number),
    ProjectId: expect.any(Number),
    ExternalId: null,
    DeletedAt: null,
    PurgeAt: null,
    CreatedBy: expect.any(Number),
    Captions: [],
    Name: expect.stringMatching(/interview\.mp4$/),
    Status: 'created',
    IsFinished: false,
    IsEncoded: false,
    IsPlayable: false,
    IsEnabled: true,
    UseEncoding: true,
    EncodingPriority: 50,
    EncodingProgress: 0,
    EstimatedReadyAt: null,
    HasErrors: false,
    ErrorMessage: null,
    ErrorReason: null,
    ErrorParams: null,
    LadderMode: 'auto',
    Warnings: [],
    Metadata: emptyMetadata,
    Properties: null,
    Renditions: [],
    Playouts: [
      {
        Id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        Label: 'Default',
        IsDefault: true,
        HLS: null,
        DASH: null,
        MP4: null,
        EmbedURI: null,
        Storyboard: null,
        M4A: null,
        ThumbnailURI: null,
        AnimatedURI: null,
      },
    ],
    Checksum: null,
    Source: { Kind: 'upload', URI: null },
    Timings: { UploadedAt: null, PlayableAt: null, EncodedAt: null },
    CreatedAt: timestamp,
    LastUpdateAt: timestamp,
  })
})

test('inherits the settings of the project unless the request overrides them', async () => {
  const { body: project } = await server.call('POST', '/projects', {
    body: {
      Name: 'Settings',
      DefaultReleaseStatus: 'published',
      EncoderSettings: { UseEncoding: false, EncodingPriority: 80 },
    },
  })
  const path = `/projects/${project.Id}/files`
  const inherited = await server.call('POST', path, { body: { FileName: 'a.mp4' } })
  expect(inherited.body).toMatchObject({
    UseEncoding: false,
    EncodingPriority: 80,
    Metadata: { ReleaseStatus: 'published' },
  })
  const body = {
    FileName: 'a.mp4',
    UseEncoding: true,
    EncodingPriority: 0,
    Metadata: { ReleaseStatus: 'draft' },
  }
  const own = await server.call('POST', path, { body })
  expect(own.body).toMatchObject({
    UseEncoding: true,
    EncodingPriority: 0,
    Metadata: { ReleaseStatus: 'draft' },
  })
  const reset = await server.call('PUT', `${path}/${own.body.Id}`, {
    body: { UseEncoding: null, EncodingPriority: null, Metadata: { ReleaseStatus: null } },
  })
  expect(reset.body).toMatchObject({
    UseEncoding: false,
    EncodingPriority: 80,
    Metadata: { ReleaseStatus: 'published' },
  })
})

describe('PUT', () => {
  test('keeps absent fields', async () => {
    const before = await newFile({ Metadata: everything, EncodingPriority: 7 })
    const { status, body } = await put(before.Id, { Metadata: { Title: 'New' } })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      Metadata: { ...before.Metadata, ...everything, Title: 'New' },
      LastUpdateAt: body.LastUpdateAt,
    })
    expect((await put(before.Id, {})).body.Metadata).toEqual(body.Metadata)
  })

  test('clears fields with null', async () => {
    const before = await newFile({ Metadata: everything })
    const nulls = Object.fromEntries(
      [...Object.keys(everything), 'Category', 'IABCategory', 'Share', 'Videotype'].map((name) => [
        name,
        null,
      ]),
    )
    expect((await put(before.Id, { Metadata: nulls })).body.Metadata).toEqual(emptyMetadata)
  })

  test('accepts a changed record sent back whole', async () => {
    const before = await newFile({ Metadata: everything })
    const { status, body } = await put(before.Id, {
      ...before,
      Metadata: { ...before.Metadata, Series: 'Other' },
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      Metadata: { ...before.Metadata, Series: 'Other' },
      LastUpdateAt: body.LastUpdateAt,
    })
  })

  test('ignores unknown and read-only fields', async () => {
    const before = await newFile()
    const forged = {
      Id: 1,
      ProjectId: 999,
      AccountId: 999,
      Name: '../../etc/passwd',
      Status: 'finished',
      IsFinished: true,
      IsEncoded: true,
      IsPlayable: true,
      IsEnabled: false,
      HasErrors: true,
      ErrorMessage: 'x',
      Properties: { Size: 5 },
      Renditions: [{}],
      Playouts: [],
      Checksum: 'x',
      CreatedAt: 'x',
      Colour: 'blue',
      Metadata: {
        StandardFilePicture: { URI: 'https://evil.example' },
        OriginalFileName: 'x',
        Colour: 'blue',
      },
    }
    const { status, body } = await put(before.Id, forged)
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, LastUpdateAt: body.LastUpdateAt })
  })

  test('of the metadata accepts them without a wrapper, and returns the whole file', async () => {
    const before = await newFile()
    const { status, body } = await server.call('PUT', `${files}/${before.Id}/metadata`, {
      body: { Title: 'Alone', Tags: ['x'] },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      Id: before.Id,
      Status: 'created',
      Metadata: { Title: 'Alone', Tags: ['x'] },
    })
  })

  test('merges CustomMetadata by field', async () => {
    const before = await newFile({ Metadata: { CustomMetadata: { a: 1, adsDisabled: true } } })
    const { body } = await put(before.Id, { Metadata: { CustomMetadata: { b: 2 } } })
    expect(body.Metadata.CustomMetadata).toEqual({ a: 1, adsDisabled: true, b: 2 })
  })

  test('writes times in UTC with a numeric offset', async () => {
    const before = await newFile()
    const { body } = await put(before.Id, { Metadata: { IsPublicAt: '2026-03-01T12:00:00+02:00' } })
    expect(body.Metadata.IsPublicAt).toMatch(/^2026-03-01T10:00:00(\.000)?\+00:00$/)
  })
})

test.each<[string, object]>([
  ['a priority of 101', { EncodingPriority: 101 }],
  ['a priority as text', { EncodingPriority: '5' }],
  ['UseEncoding as a number', { UseEncoding: 1 }],
  ['metadata that are a list', { Metadata: [] }],
  ['a title that is a number', { Metadata: { Title: 5 } }],
  ['a title of 501 characters', { Metadata: { Title: 'a'.repeat(501) } }],
  ['an unknown release status', { Metadata: { ReleaseStatus: 'Published' } }],
  ['a tag that is empty', { Metadata: { Tags: [''] } }],
  ['tags as text', { Metadata: { Tags: 'a,b' } }],
  ['an unknown category', { Metadata: { Category: [5] } }],
  ['an unknown category as an object', { Metadata: { Category: [{ Id: 5, Label: 'x' }] } }],
  ['a category without an id', { Metadata: { Category: [{ Label: 'x' }] } }],
  ['an unknown share', { Metadata: { Share: [5] } }],
  ['an unknown video type', { Metadata: { Videotype: [5] } }],
  ['an unknown IAB category', { Metadata: { IABCategory: [5] } }],
  ['a latitude of 91', { Metadata: { Latitude: 91 } }],
  ['a longitude of -180.1', { Metadata: { Longitude: -180.1 } }],
  ['adsDisabled as text', { Metadata: { CustomMetadata: { adsDisabled: 'yes' } } }],
  ['custom metadata that are a list', { Metadata: { CustomMetadata: [] } }],
  ['a time without an offset', { Metadata: { IsPublicAt: '2026-03-01T12:00:00' } }],
  ['a date alone', { Metadata: { IsPublicAt: '2026-03-01' } }],
  ['a leap second', { Metadata: { IsPublicAt: '2026-12-31T23:59:60Z' } }],
  ['an offset of hours only', { Metadata: { IsPublicAt: '2026-03-01T12:00:00+01' } }],
  ['a year beyond 9999', { Metadata: { IsPublicUntil: '9999-12-31T23:59:59-12:00' } }],
  [
    'an end before the start',
    { Metadata: { IsPublicAt: '2026-03-02T00:00:00Z', IsPublicUntil: '2026-03-01T00:00:00Z' } },
  ],
  [
    'an end at the start',
    { Metadata: { IsPublicAt: '2026-03-01T00:00:00Z', IsPublicUntil: '2026-03-01T01:00:00+01:00' } },
  ],
])('rejects %s with 400, at creation and later, and changes nothing', async (_what, body) => {
  expectProblem(await create(body), 'invalid')
  const before = await newFile()
  expectProblem(await put(before.Id, body), 'invalid')
  expect((await server.call('GET', `${files}/${before.Id}`)).body).toEqual(before)
})

test('a record can be sent back whole before the job has removed a deleted category from it', async () => {
  const { body: category } = await server.call('POST', '/modules/categories', { body: { Label: 'Gone' } })
  const { Id } = await newFile({ Metadata: { Category: [category.Id] } })
  expect((await server.call('DELETE', `/modules/categories/${category.Id}`)).status).toBe(200)
  const { body: record } = await server.call('GET', `${files}/${Id}`)
  expect(record.Metadata.Category).toMatchObject([{ Id: category.Id }])
  expect((await put(Id, record)).body.Metadata.Category).toEqual([])
  expectProblem(await put(Id, { Metadata: { Category: [category.Id] } }), 'invalid')
})

test('answers 400 for an end before the stored start', async () => {
  const { Id } = await newFile({ Metadata: { IsPublicAt: '2026-03-02T00:00:00Z' } })
  expectProblem(await put(Id, { Metadata: { IsPublicUntil: '2026-03-01T00:00:00Z' } }), 'invalid')
})

describe('releasing a file', () => {
  const junior = () => server.newKey({ role: 'JuniorEditor' })

  test('requires a SeniorEditor, at creation too and through any field', async () => {
    const apiKey = await junior()
    const uploader = await server.newKey({ role: 'Uploader' })
    const { Id } = await newFile()
    expectProblem(await put(Id, { Metadata: { ReleaseStatus: 'published' } }, apiKey), 'forbidden')
    expectProblem(
      await server.call('PUT', `${files}/${Id}/metadata`, { body: { ReleaseStatus: 'published' }, apiKey }),
      'forbidden',
    )
    const body = { FileName: 'a.mp4', Metadata: { ReleaseStatus: 'published' } }
    expectProblem(await server.call('POST', files, { body, apiKey: uploader }), 'forbidden')
    expect(
      (await put(Id, { Metadata: { Title: 'By a junior', ReleaseStatus: 'draft' } }, apiKey)).status,
    ).toBe(200)
    const senior = await server.newKey({ role: 'SeniorEditor' })
    expect((await put(Id, { Metadata: { ReleaseStatus: 'published' } }, senior)).status).toBe(200)
    expectProblem(await put(Id, { Metadata: { ReleaseStatus: 'draft' } }, apiKey), 'forbidden')
    expectProblem(await put(Id, { Metadata: { IsPublicUntil: '2020-01-01T00:00:00Z' } }, apiKey), 'forbidden')
    expect(
      (await put(Id, { Metadata: { Title: 'Still released' } }, apiKey)).body.Metadata.ReleaseStatus,
    ).toBe('published')
  })
})

describe('DELETE', () => {
  test('answers 200 with the deletion, and the file answers 404 afterwards', async () => {
    const { Id } = await newFile()
    const before = (await server.call('GET', files)).body.TotalCount
    const answer = await server.call('DELETE', `${files}/${Id}`)
    expect(answer).toMatchObject({
      status: 200,
      body: { Id, IsEnabled: false, DeletedAt: expect.stringMatching(/\+00:00$/) },
    })
    expect(Object.keys(answer.body)).toEqual(['Id', 'IsEnabled', 'DeletedAt', 'PurgeAt'])
    expectProblem(await server.call('GET', `${files}/${Id}`), 'not_found')
    expectProblem(await server.call('GET', `${files}/${Id}/playouts`), 'not_found')
    expectProblem(await put(Id, {}), 'not_found')
    expectProblem(await server.call('PUT', `${files}/${Id}/metadata`, { body: {} }), 'not_found')
    expectProblem(await server.call('DELETE', `${files}/${Id}`), 'not_found')
    expect((await server.call('GET', files)).body.TotalCount).toBe(before - 1)
  })

  test('deletes once for concurrent requests', async () => {
    const { Id } = await newFile()
    const answers = await Promise.all([1, 2, 3].map(() => server.call('DELETE', `${files}/${Id}`)))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 404, 404])
  })
})

test('sends one event per change, in order, with the record at that time', async () => {
  const { Id } = await newFile()
  await put(Id, { Metadata: { Title: 'One' } })
  await put(Id, { Metadata: { Title: 5 } })
  await put(Id, { Metadata: { ReleaseStatus: 'published' } })
  await put(Id, { Metadata: { ReleaseStatus: 'published', Title: 'Two' } })
  await put(Id, { Metadata: { ReleaseStatus: 'draft' } })
  await server.call('DELETE', `${files}/${Id}`)
  await server.call('DELETE', `${files}/${Id}`)
  const events = await server.services.database.kysely
    .selectFrom('events')
    .select(['name', 'sequence', 'record'])
    .where('file_id', '=', Id)
    .orderBy('id')
    .execute()
  expect(events.map(({ name }) => name)).toEqual([
    ...['file.created', 'file.updated', 'file.updated', 'file.updated'],
    ...['file.updated', 'file.deleted'],
  ])
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, index) => index + 1))
  const titles = events.map(({ record }) => JSON.parse(record).Metadata.Title)
  expect(titles).toEqual(['interview', 'One', 'One', 'Two', 'Two', 'Two'])
  expect(JSON.parse(events.at(-1)?.record ?? '').IsEnabled).toBe(false)
})

test('lists show every acknowledged change at once under concurrent reads and writes', async () => {
  const project = await server.call('POST', '/projects', { body: { Name: 'Fresh lists' } })
  const path = `/projects/${project.body.Id}/files`
  const created = await Promise.all(
    [1, 2, 3].map((number) => server.call('POST', path, { body: { FileName: `${number}.mp4` } })),
  )
  const changeAndRead = async (id: number, round: number): Promise<void> => {
    await server.call('PUT', `${path}/${id}/metadata`, { body: { Title: `Round ${round}` } })
    const list = await server.call('GET', path)
    const record = list.body.Files.find((file: { Id: number }) => file.Id === id)
    expect(record.Metadata.Title).toBe(`Round ${round}`)
    const one = await server.call('GET', `${path}/${id}`)
    expect(one.body).toEqual(record)
  }
  for (let round = 1; round <= 20; round += 1)
    await Promise.all(created.map(({ body }) => changeAndRead(body.Id, round)))
})
