import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'

let server: TestServer

const defaultEncoderSettings = {
  UseEncoding: true,
  EncodingPriority: 50,
  Renditions: [],
  VideoCodecs: ['h264'],
  NormalizeLoudness: false,
  KeepOriginal: true,
  LadderMode: 'auto',
}

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

const create = (body: object = {}) => server.call('POST', '/projects', { body: { Name: 'Project', ...body } })
const put = (id: number, body: object) => server.call('PUT', `/projects/${id}`, { body })
const get = (id: number) => server.call('GET', `/projects/${id}`)

const everything = {
  Name: 'Ünïcode 🎬',
  Description: 'Two\nlines',
  DefaultReleaseStatus: 'published',
  TokenSecurity: true,
  AllowedDomains: ['example.com', '*.example.org', 'localhost:8080'],
  AnalyticsDimensions: ['campaign', 'tariff-2'],
  PlayerTheme: { Color: '#e0457b' },
  EncoderSettings: {
    UseEncoding: false,
    EncodingPriority: 70,
    Renditions: [{ Height: 720, VideoBitRate: 2_000_000 }],
    VideoCodecs: ['h264', 'hevc', 'av1'],
    NormalizeLoudness: true,
    KeepOriginal: false,
    LadderMode: 'auto',
  },
  MetadataFields: [{ Name: 'season', Type: 'number' }],
  StorageQuotaBytes: 5_000_000_000,
}

test('a new project needs only a name and has all its fields', async () => {
  const answer = await create({ Name: '  Spring ' })
  expect(answer.status).toBe(201)
  const { body } = answer
  expect(answer.headers.get('location')).toBe(`${server.url}/v3/projects/${body.Id}`)
  expect(body).toEqual({
    Id: expect.any(Number),
    ExternalId: null,
    Name: 'Spring',
    Description: '',
    DefaultReleaseStatus: 'unpublished',
    TokenSecurity: false,
    AllowedDomains: [],
    AnalyticsDimensions: [],
    PlayerTheme: { Color: null, HasHeatMap: false, Logo: null },
    EncoderSettings: defaultEncoderSettings,
    MetadataFields: [],
    IsLive: false,
    FileCount: 0,
    StorageBytes: 0,
    StorageQuotaBytes: null,
    IsEnabled: true,
    IsRestoring: false,
    DeletedAt: null,
    PurgeAt: null,
    CreatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/),
    LastUpdateAt: expect.stringMatching(/\+00:00$/),
  })
  expect((await get(body.Id)).body).toEqual(body)
})

test('every setting is stored as written', async () => {
  const { status, body } = await create(everything)
  expect(status).toBe(201)
  expect(body).toMatchObject(everything)
})

test('internationalized domains are stored in the ASCII form that browsers send', async () => {
  const { body } = await create({
    Name: 'Umlauts',
    AllowedDomains: [
      'www.müller.example',
      '*.BÜCHER.example:8443',
      'xn--mller-kva.example',
      'Www.Example.com',
    ],
  })
  expect(body.AllowedDomains).toEqual([
    'www.xn--mller-kva.example',
    '*.xn--bcher-kva.example:8443',
    'xn--mller-kva.example',
    'Www.Example.com',
  ])
  expect((await put(body.Id, body)).body.AllowedDomains).toEqual(body.AllowedDomains)
})

test.each<[string, object]>([
  ['no name', { Name: undefined }],
  ['an empty name', { Name: '' }],
  ['a blank name', { Name: ' \t' }],
  ['a name of 256 characters', { Name: 'a'.repeat(256) }],
  ['an unknown release status', { DefaultReleaseStatus: 'public' }],
  ['a domain with a scheme', { AllowedDomains: ['https://example.com'] }],
  ['a domain with a directive', { AllowedDomains: ["example.com; script-src 'unsafe-inline'"] }],
  ['a domain with a line break', { AllowedDomains: ['example.com\nevil.com'] }],
  ['a domain whose ASCII form has a semicolon', { AllowedDomains: ['exämple.com；script-src'] }],
  ['a domain without an ASCII form', { AllowedDomains: ['a\u2028b.com'] }],
  ['101 domains', { AllowedDomains: Array.from({ length: 101 }, () => 'example.com') }],
  ['a dimension with a capital letter', { AnalyticsDimensions: ['Campaign'] }],
  ['a dimension with a space', { AnalyticsDimensions: ['my campaign'] }],
  ['a dimension of 31 characters', { AnalyticsDimensions: ['a'.repeat(31)] }],
  ['eleven dimensions', { AnalyticsDimensions: Array.from({ length: 11 }, (_, index) => `d${index}`) }],
  ['a colour by its name', { PlayerTheme: { Color: 'red' } }],
  ['a colour of three digits', { PlayerTheme: { Color: '#e47' } }],
  ['a colour with a quote after it', { PlayerTheme: { Color: '#e0457b"' } }],
  ['a colour with a line break', { PlayerTheme: { Color: '#e0457b\n' } }],
  ['a theme that is a colour', { PlayerTheme: '#e0457b' }],
  ['a priority of 101', { EncoderSettings: { EncodingPriority: 101 } }],
  ['a priority of -1', { EncoderSettings: { EncodingPriority: -1 } }],
  ['a priority of 1.5', { EncoderSettings: { EncodingPriority: 1.5 } }],
  ['a codec that nobody encodes', { EncoderSettings: { VideoCodecs: ['vp9'] } }],
  [
    'defaults that no file can have',
    {
      MetadataFields: Array.from({ length: 10 }, (_, index) => ({
        ...{ Name: `field${index}`, Type: 'string', Default: 'x'.repeat(4_000) },
      })),
    },
  ],
  ['a codec twice', { EncoderSettings: { VideoCodecs: ['av1', 'av1'] } }],
  ['loudness that is no boolean', { EncoderSettings: { NormalizeLoudness: -16 } }],
  ['a source that is kept a little', { EncoderSettings: { KeepOriginal: 'a little' } }],
  ['an unknown ladder mode', { EncoderSettings: { LadderMode: 'later' } }],
  ['a rendition without a height', { EncoderSettings: { Renditions: [{}] } }],
  ['a rendition of 10 lines', { EncoderSettings: { Renditions: [{ Height: 10 }] } }],
  ['a metadata field of an unknown type', { MetadataFields: [{ Name: 'a', Type: 'colour' }] }],
  ['a metadata field without a name', { MetadataFields: [{ Name: '', Type: 'string' }] }],
  ['a negative quota', { StorageQuotaBytes: -1 }],
  ['a quota of 2^53', { StorageQuotaBytes: 2 ** 53 }],
  ['a quota of 1e300', { StorageQuotaBytes: 1e300 }],
])('%s answers 400', async (_what, body) => {
  expectProblem(await create(body), 'invalid')
  const { body: project } = await create()
  if (!('Name' in body && body.Name === undefined)) expectProblem(await put(project.Id, body), 'invalid')
  expect((await get(project.Id)).body).toEqual(project)
})

test('a name of 255 characters is accepted for any characters', async () => {
  for (const Name of ['a'.repeat(255), '🎬'.repeat(255)])
    expect((await create({ Name })).body.Name).toBe(Name)
})

describe('PUT', () => {
  test('keeps absent fields', async () => {
    const { body: before } = await create(everything)
    const { status, body } = await put(before.Id, { Description: 'New' })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, Description: 'New', LastUpdateAt: body.LastUpdateAt })
    expect(Date.parse(body.LastUpdateAt)).toBeGreaterThanOrEqual(Date.parse(before.LastUpdateAt))
    expect((await put(before.Id, {})).body).toMatchObject({ ...everything, Description: 'New' })
  })

  test('keeps absent encoder settings', async () => {
    const { body: before } = await create(everything)
    const { body } = await put(before.Id, { EncoderSettings: { EncodingPriority: 10 } })
    expect(body.EncoderSettings).toEqual({ ...everything.EncoderSettings, EncodingPriority: 10 })
  })

  test('stores colours in lower case, and an empty theme changes nothing', async () => {
    const { body: before } = await create({ PlayerTheme: { Color: '#E0457B' } })
    expect(before.PlayerTheme).toEqual({ Color: '#e0457b', HasHeatMap: false, Logo: null })
    expect((await put(before.Id, { PlayerTheme: {} })).body).toEqual(before)
    const { body } = await put(before.Id, { PlayerTheme: { Color: null } })
    expect(body.PlayerTheme).toEqual({ Color: null, HasHeatMap: false, Logo: null })
    const on = await put(before.Id, { PlayerTheme: { HasHeatMap: true } })
    expect(on.body.PlayerTheme).toEqual({ Color: null, HasHeatMap: true, Logo: null })
    expect((await put(before.Id, { PlayerTheme: null })).body.PlayerTheme.HasHeatMap).toBe(false)
  })

  test('clears fields with null', async () => {
    const { body: before } = await create(everything)
    const cleared = {
      Description: null,
      AllowedDomains: null,
      PlayerTheme: null,
      EncoderSettings: null,
      MetadataFields: null,
      StorageQuotaBytes: null,
    }
    expect((await put(before.Id, cleared)).body).toMatchObject({
      Name: everything.Name,
      Description: '',
      AllowedDomains: [],
      PlayerTheme: { Color: null },
      EncoderSettings: defaultEncoderSettings,
      MetadataFields: [],
      StorageQuotaBytes: null,
    })
  })

  test('accepts a record that was read, changed and sent back whole', async () => {
    const { body: before } = await create(everything)
    const { status, body } = await put(before.Id, { ...before, Name: 'Renamed' })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, Name: 'Renamed', LastUpdateAt: body.LastUpdateAt })
  })
})

test('unknown and read-only fields are ignored at every level', async () => {
  const forbidden = {
    Id: 999_999,
    AccountId: 999_999,
    IsLive: true,
    FileCount: 7,
    StorageBytes: 7,
    IsEnabled: false,
    CreatedAt: '2000-01-01T00:00:00+00:00',
    LastUpdateAt: 'nonsense',
    DeletedAt: '2000-01-01T00:00:00+00:00',
    Colour: 'blue',
  }
  const nested = {
    EncoderSettings: { EncodingPriority: 60, Colour: 'blue', Renditions: [{ Height: 480, Colour: 'blue' }] },
    MetadataFields: [{ Name: 'a', Type: 'string', Colour: 'blue' }],
  }
  const created = await create({ ...forbidden, ...nested })
  expect(created.status).toBe(201)
  const changed = await put(created.body.Id, { ...forbidden, ...nested })
  expect(changed.status).toBe(200)
  for (const { body } of [created, changed]) {
    expect(body).toMatchObject({ IsLive: false, FileCount: 0, StorageBytes: 0, IsEnabled: true })
    expect(body.Id).not.toBe(999_999)
    expect(Date.parse(body.CreatedAt)).toBeGreaterThan(Date.parse('2020-01-01'))
    expect(JSON.stringify(body)).not.toContain('blue')
    expect(body.EncoderSettings.Renditions).toEqual([{ Height: 480 }])
  }
})

describe('DELETE', () => {
  test('answers 200 with the deleted project, whose resources then answer 404', async () => {
    const { body: project } = await create()
    const answer = await server.call('DELETE', `/projects/${project.Id}`)
    expect(answer).toMatchObject({ status: 200, body: { Id: project.Id, IsEnabled: false } })
    expect(answer.body.DeletedAt).toMatch(/\+00:00$/)
    expect(Object.keys(answer.body)).toEqual(['Id', 'IsEnabled', 'DeletedAt', 'PurgeAt'])
    expectProblem(await get(project.Id), 'not_found')
    expectProblem(await put(project.Id, { Name: 'a' }), 'not_found')
    expectProblem(await server.call('DELETE', `/projects/${project.Id}`), 'not_found')
    expectProblem(await server.call('GET', `/projects/${project.Id}/files`), 'not_found')
    expectProblem(
      await server.call('POST', `/projects/${project.Id}/files`, { body: { FileName: 'a.mp4' } }),
      'not_found',
    )
    const { body } = await server.call('GET', '/projects?limit=500')
    expect(body.Projects.map(({ Id }: { Id: number }) => Id)).not.toContain(project.Id)
  })

  test('answers 409 for a project with files and deletes nothing', async () => {
    const { body: project } = await create()
    const { body: file } = await server.call('POST', `/projects/${project.Id}/files`, {
      body: { FileName: 'a.mp4' },
    })
    for (const query of ['', '?cascade=false']) {
      const answer = await server.call('DELETE', `/projects/${project.Id}${query}`)
      expectProblem(answer, 'conflict')
      expect(answer.body.error.message).toContain('cascade=true')
    }
    expect((await server.call('GET', `/projects/${project.Id}/files/${file.Id}`)).status).toBe(200)
  })

  test.each(['cascade=true', 'Cascade=true'])('with %s deletes the files too', async (query) => {
    const { body: project } = await create()
    const { body: file } = await server.call('POST', `/projects/${project.Id}/files`, {
      body: { FileName: 'a.mp4' },
    })
    expect((await server.call('DELETE', `/projects/${project.Id}?${query}`)).status).toBe(200)
    expectProblem(await server.call('GET', `/projects/${project.Id}/files/${file.Id}`), 'not_found')
    const upload = await fetch(file.Upload.URI, { method: 'HEAD' })
    expect(upload.status).toBe(404)
  })

  test.each(['yes', '2', 'cascade', ''])('answers 400 for cascade=%s', async (value) => {
    const { body: project } = await create()
    expectProblem(await server.call('DELETE', `/projects/${project.Id}?cascade=${value}`), 'invalid')
  })

  test('answers 409 for a live project', async () => {
    const { body: project } = await create()
    await server.services.database.kysely
      .updateTable('projects')
      .set({ is_live: true })
      .where('id', '=', project.Id)
      .execute()
    expectProblem(await server.call('DELETE', `/projects/${project.Id}?cascade=true`), 'conflict')
  })

  test('needs no cascade when all files of the project are deleted', async () => {
    const { body: project } = await create()
    const { body: file } = await server.call('POST', `/projects/${project.Id}/files`, {
      body: { FileName: 'a.mp4' },
    })
    await server.call('DELETE', `/projects/${project.Id}/files/${file.Id}`)
    expect((await server.call('DELETE', `/projects/${project.Id}`)).status).toBe(200)
  })
})

test('a project whose record would be too large for a webhook is refused, and one that is too large can shrink', async () => {
  const fields = (count: number) => ({
    MetadataFields: Array.from({ length: count }, (_, index) => ({
      ...{ Name: `field${index}`, Type: 'string' },
      Values: Array.from({ length: 50 }, (_none, value) => `${value}${'字'.repeat(60)}`),
    })),
  })
  const { body } = await server.call('POST', '/projects', { body: { Name: 'Large', ...fields(5) } })
  const change = (fieldsOf: object) => server.call('PUT', `/projects/${body.Id}`, { body: fieldsOf })
  expectProblem(await change(fields(8)), 'invalid')
  expectProblem(await server.call('POST', '/projects', { body: { Name: 'Large', ...fields(8) } }), 'invalid')
  const before = await server.call('GET', `/projects/${body.Id}`)
  expect(before.body.MetadataFields).toHaveLength(5)
  // A project of an older release.
  await server.services.database.sql`
    update projects set metadata_fields = ${JSON.stringify(fields(9).MetadataFields)}::jsonb where id = ${body.Id}`
  expect((await change(fields(9))).status).toBe(200)
  expect((await change(fields(8))).status).toBe(200)
  expectProblem(await change(fields(9)), 'invalid')
})

test('each change emits one event in order, with the record at that time', async () => {
  const { body: project } = await create({ Name: 'First' })
  await put(project.Id, { Name: 'Second' })
  await put(project.Id, { Name: '' })
  await server.call('POST', `/projects/${project.Id}/files`, { body: { FileName: 'a.mp4' } })
  await server.call('DELETE', `/projects/${project.Id}`)
  await server.call('DELETE', `/projects/${project.Id}?cascade=true`)
  const events = await server.services.database.kysely
    .selectFrom('events')
    .select(['name', 'sequence', 'record', 'subject'])
    .where('project_id', '=', project.Id)
    .orderBy('id')
    .execute()
  expect(events.map(({ name, subject, sequence }) => `${name} ${subject} ${sequence}`)).toEqual([
    'project.new Project 1',
    'project.updated Project 2',
    'file.created File 1',
    'project.deleted Project 3',
  ])
  expect(JSON.parse(events[0]?.record ?? '')).toMatchObject({ Id: project.Id, Name: 'First' })
  expect(JSON.parse(events[3]?.record ?? '')).toMatchObject({
    Name: 'Second',
    IsEnabled: false,
    FileCount: 1,
  })
})
