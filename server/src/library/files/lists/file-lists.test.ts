import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import type { MediaFileState } from '../../../platform/db/tables/files.ts'
import { changeMediaFile } from '../record/media-file-store.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ hasMadeUpRecords: true })
})

afterAll(() => server.stop())

const newProject = async (name: string): Promise<string> => {
  const { body } = await server.call('POST', '/projects', { body: { Name: name } })
  return `/projects/${body.Id}/files`
}

interface Given {
  readonly name?: string
  readonly metadata?: object
  readonly useEncoding?: boolean
  readonly state?: MediaFileState
  readonly properties?: object
}

const give = async (path: string, { name = 'clip.mp4', metadata, useEncoding, state, properties }: Given) => {
  const { body } = await server.call('POST', path, {
    body: {
      FileName: name,
      ...(metadata === undefined ? {} : { Metadata: metadata }),
      ...(useEncoding === undefined ? {} : { UseEncoding: useEncoding }),
    },
  })
  if (state !== undefined || properties !== undefined) {
    const { database } = server.services
    const account = await database.kysely
      .selectFrom('accounts')
      .select('id')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    await database.transaction((tx) =>
      changeMediaFile(tx, server.url, { accountId: account.id, fileId: body.Id }, () => ({
        set: {
          ...(state === undefined ? {} : { state, error_message: 'It broke.' }),
          ...(properties === undefined ? {} : { properties: JSON.stringify(properties) }),
        },
      })),
    )
  }
  return body.Id as number
}

const list = (path: string, query = '', options = {}) => server.call('GET', `${path}?${query}`, options)

const titlesOf = async (path: string, query: string): Promise<string[]> => {
  const { status, body, headers } = await list(path, query)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(headers.get('x-ignored-parameters')).toBeNull()
  const titles: string[] = body.Files.map(({ Metadata }: { Metadata: { Title: string } }) => Metadata.Title)
  if (body.NextCursor === null && body.Offset === 0) expect(body.TotalCount).toBe(titles.length)
  return titles
}

const encode = encodeURIComponent

describe('filters', () => {
  let path: string
  const states: MediaFileState[] = [
    'created',
    'uploaded',
    'encoding',
    'playable',
    'finished',
    'failed',
    'degraded',
  ]

  beforeAll(async () => {
    path = await newProject('Filters')
    for (const state of states)
      await give(path, {
        name: `${state}.mp4`,
        state,
        useEncoding: state !== 'finished',
        metadata: {
          ReleaseStatus: state === 'finished' ? 'published' : state === 'failed' ? 'draft' : 'unpublished',
          Tags: state === 'finished' ? ['Über uns', "it's"] : state === 'failed' ? ['news'] : [],
        },
      })
  })

  test.each([
    ['status=finished', ['finished']],
    ['status=finished,failed', ['failed', 'finished']],
    ['releaseStatus=published', ['finished']],
    ['releaseStatus=draft,published', ['failed', 'finished']],
    ['isFinished=true', ['degraded', 'failed', 'finished']],
    ['isFinished=false', ['playable', 'encoding', 'uploaded', 'created']],
    ['isEncoded=true', ['degraded', 'finished', 'playable']],
    ['hasErrors=true', ['degraded', 'failed']],
    ['hasErrors=false&isFinished=true', ['finished']],
    ['hasErrors=true&hasErrors=true'.slice(0, 14), ['degraded', 'failed']],
    ['useEncoding=false', ['finished']],
    ['tag=news', ['failed']],
    [`tag=${encode('über uns')}`, ['finished']],
    [`tag=${encode('UBER UNS')},news`, ['failed', 'finished']],
    [`tag=${encode("it's")}`, ['finished']],
    ['tag=new', []],
    // Longer than a term of PostgreSQL, and than any tag.
    [`tag=${'a'.repeat(3_000)}`, []],
    [`tag=${'a'.repeat(3_000)},news`, ['failed']],
    [`tag=${encode('\ufdfa'.repeat(100))}`, []],
    [`tag=${encode("x' | 'y\\")}`, []],
    ['categoryId=5', []],
    ['videotypeId=5,6', []],
    ['STATUS=finished&ORDERBY=name', ['finished']],
    ['status=finished&tag=news', []],
    ['isFinished=true&search=f', ['failed', 'finished']],
    ['search=', [...states].reverse()],
    ['createdFrom=2020-01-01T00:00:00Z', [...states].reverse()],
    ['createdTo=2020-01-01T00:00:00%2B00:00', []],
    ['updatedFrom=2099-01-01T00:00:00+02:00', []],
    ['updatedTo=2099-01-01T00:00:00.5Z&status=failed', ['failed']],
  ])('%s finds %j', async (query, expected) => {
    expect(await titlesOf(path, query)).toEqual(expected)
  })

  test('do not find a file by a part of a tag that is too long for the index', async () => {
    const long = await newProject('Long tags')
    // Folding turns this character into 33 bytes. PostgreSQL would keep 18 of them of the first tag, and cut the second within a letter.
    const Tags = [`${'\ufdfa'.repeat(80)}ab`, `${'\ufdfa'.repeat(80)}a`, 'news']
    await give(long, { name: 'long.mp4', metadata: { Tags } })
    expect(await titlesOf(long, 'tag=news')).toEqual(['long'])
    expect(await titlesOf(long, `tag=${encode('\ufdfa'.repeat(18))}`)).toEqual([])
    // A backup copies the terms as text, and a restore refuses invalid UTF-8.
    const { sql } = server.services.database
    await expect(
      sql`select convert_from(convert_to(terms::text, 'UTF8'), 'UTF8') from file_list`,
    ).resolves.toHaveLength((await sql`select from file_list`).length)
  })

  test('find only files of the project by ids', async () => {
    const { body } = await list(path, 'limit=3')
    const ids: number[] = body.Files.map(({ Id }: { Id: number }) => Id)
    const stranger = await give(await newProject('Other'), {})
    expect(await titlesOf(path, `ids=${ids[2]},${ids[0]},${stranger},999999999`)).toEqual([
      'degraded',
      'finished',
    ])
  })

  test('include a file at exactly the times that its record shows', async () => {
    const { body } = await list(path, 'status=playable')
    const { CreatedAt, LastUpdateAt } = body.Files[0]
    expect(await titlesOf(path, `createdFrom=${encode(CreatedAt)}&createdTo=${encode(CreatedAt)}`)).toContain(
      'playable',
    )
    expect(
      await titlesOf(path, `updatedFrom=${encode(LastUpdateAt)}&updatedTo=${encode(LastUpdateAt)}`),
    ).toContain('playable')
    expect(await titlesOf(path, `createdTo=${encode(CreatedAt)}`)).not.toContain('degraded')
  })

  test.each([
    ...[
      'status=',
      'status=done',
      'status=finished,',
      'status=,',
      'status=Finished',
      'status=finished&status=failed',
    ],
    ...[
      'releaseStatus=public',
      'isFinished=1',
      'isFinished=yes',
      'isEncoded=TRUE',
      'hasErrors=',
      'useEncoding=null',
    ],
    ...[
      'categoryId=0',
      'categoryId=-1',
      'categoryId=1e3',
      'categoryId=1.0',
      'categoryId=01',
      'categoryId=9223372036854775808',
    ],
    ...[
      'videotypeId=abc',
      'videotypeId=1,,2',
      'ids=',
      'ids=1,x',
      'ids=9007199254740992',
      'ids=%00',
      'ids=1%202',
    ],
    ...['tag=', 'tag=a,,b', 'tag=%00', 'search=%00', 'search=a%00b', `search=${'a'.repeat(10_000)}`],
    ...[
      'createdFrom=yesterday',
      'createdFrom=2026',
      'createdFrom=2026-03-01',
      'createdFrom=2026-02-30T00:00:00Z',
      'createdTo=2026-13-01T00:00:00Z',
      'createdTo=',
    ],
    ...[
      'updatedFrom=1e3',
      'updatedTo=2026-03-01T25:00:00Z',
      'updatedTo=9999-12-31T23:59:59-23:00',
      'updatedFrom=%00',
    ],
    ...[
      'includeDeleted=1',
      'includeDeleted=',
      'isEnabled=no',
      'orderBy=colour',
      'orderBy=Title',
      `ids=${'1,'.repeat(500)}1`,
    ],
  ])('reject %s with 400 and name the parameter', async (query) => {
    const answer = await list(path, query)
    expectProblem(answer, 'invalid')
    const name = query.split('=')[0] as string
    expect(answer.body.error.message).toContain(name)
    expect(answer.body.error.details[0].field).toBe(name)
  })

  test('name the valid values in the error message', async () => {
    expect((await list(path, 'status=done')).body.error.message).toBe(
      'status must be one of created, uploaded, encoding, playable, finished, failed, degraded, several separated by commas, not "done".',
    )
    expect((await list(path, 'ids=1e3')).body.error.message).toMatch(
      /^ids must be a positive integer, .*not "1e3"\.$/,
    )
    expect((await list(path, 'isFinished=1')).body.error.message).toBe(
      'isFinished must be true or false, not "1".',
    )
  })

  test('have their own count, ETag and cursor', async () => {
    const first = await list(path, 'isFinished=true&limit=2')
    expect(first.body).toMatchObject({ TotalCount: 3, Limit: 2 })
    const second = await list(path, `isFinished=true&limit=2&cursor=${first.body.NextCursor}`)
    expect(second.body).toMatchObject({ TotalCount: 3, NextCursor: null })
    expect(second.body.Files).toHaveLength(1)
    const headers = { 'If-None-Match': first.headers.get('etag') ?? '' }
    expect((await list(path, 'isFinished=true&limit=2', { headers })).status).toBe(304)
    expect((await list(path, 'isFinished=false&limit=2', { headers })).status).toBe(200)
    await give(path, { name: 'more.mp4', state: 'finished' })
    const changed = await list(path, 'isFinished=true&limit=2', { headers })
    expect(changed.status).toBe(200)
    expect(changed.body.TotalCount).toBe(4)
  })
})

describe('search', () => {
  let path: string

  beforeAll(async () => {
    path = await newProject('Search')
    const files: Record<string, object> = {
      'Élan vital': { Description: 'Über die Straße', Tags: ['Philosophie', 'zwei Worte'] },
      'Привет мир': { Description: 'Ελλάδα' },
      日本語テスト: {},
      '🎬Klappe': { Description: "O'Neill & Søn: 100% \\ [draft]" },
      plain: { DisplayTitle: 'unseen' },
    }
    for (const [title, metadata] of Object.entries(files))
      await give(path, { name: 'Quarterly_report-2026.MOV', metadata: { Title: title, ...metadata } })
  })

  test.each([
    ['elan', ['Élan vital']],
    ['ÉLAN', ['Élan vital']],
    ['e\u0301lan', ['Élan vital']],
    ['vit', ['Élan vital']],
    ['ital', []],
    ['vital elan', ['Élan vital']],
    ['vital plain', []],
    ['strasse uber', ['Élan vital']],
    ['philosophie', ['Élan vital']],
    ['zwei', ['Élan vital']],
    ['ПРИВЕТ', ['Привет мир']],
    ['ελλαδα', ['Привет мир']],
    ['日本', ['日本語テスト']],
    ['本語', ['日本語テスト']],
    ['klappe', ['🎬Klappe']],
    ['🎬', ['🎬Klappe']],
    ["o'neill", ['🎬Klappe']],
    ['son', ['🎬Klappe']],
    ['100%', ['🎬Klappe']],
    ['quarterly 2026', ['plain', '🎬Klappe', '日本語テスト', 'Привет мир', 'Élan vital']],
    ['report mov plain', ['plain']],
    ['unseen', []],
    ["'", []],
    ['&', []],
    [':*', []],
    ['\\', []],
    ["plain' | 'vital", []],
    ['plain & !vital:*', []],
    ['plain:*', ['plain']],
    ['<-> ( )', []],
    ['x '.repeat(249), []],
    ['\ufeff\u0001\u007f', []],
  ])('%j finds %j', async (words, expected) => {
    expect(await titlesOf(path, `search=${encode(words)}`)).toEqual(expected)
  })

  test('finds a changed file by its new words at once, and no longer by the old ones', async () => {
    const id = await give(path, { metadata: { Title: 'Caterpillar' } })
    expect(await titlesOf(path, 'search=caterpillar')).toEqual(['Caterpillar'])
    await server.call('PUT', `${path}/${id}/metadata`, { body: { Title: 'Butterfly', Tags: ['insect'] } })
    expect(await titlesOf(path, 'search=caterpillar')).toEqual([])
    expect(await titlesOf(path, 'search=butter')).toEqual(['Butterfly'])
    expect(await titlesOf(path, 'tag=insect')).toEqual(['Butterfly'])
    await server.call('DELETE', `${path}/${id}`)
    expect(await titlesOf(path, 'search=butter')).toEqual([])
    expect(await titlesOf(path, 'search=butter&includeDeleted=true')).toEqual(['Butterfly'])
  })

  test('accepts texts of any length and script', async () => {
    const words = Array.from({ length: 1_200 }, (_, index) => `wörd${index}`).join(' ')
    await give(path, {
      name: `${'n'.repeat(250)}.mp4`,
      metadata: {
        Title: 'ﷺ'.repeat(500),
        Description: words.slice(0, 10_000),
        Tags: ['\u0000'.replace('\u0000', '¿'), '🎬'],
      },
    })
    await give(path, { metadata: { Title: 'x'.repeat(500), Description: 'y'.repeat(10_000) } })
    expect((await list(path, `search=word1199&orderBy=title`)).status).toBe(200)
    expect((await list(path, 'search=word7 word8')).body.TotalCount).toBe(1)
    const first = await list(path, 'orderBy=title&limit=1')
    expect((await list(path, `cursor=${first.body.NextCursor}`)).body.Files).toHaveLength(
      first.body.TotalCount - 1,
    )
  })
})

describe('orders', () => {
  let path: string
  const given = [
    { title: 'banana', length: 2, size: 10 },
    { title: 'Äpfel', length: null, size: 30 },
    { title: 'apple', length: 2.5, size: 20 },
    { title: 'banana', length: 2, size: 20 },
    { title: 'Zebra', length: 0.1, size: 5_000_000_000 },
  ]

  beforeAll(async () => {
    path = await newProject('Orders')
    for (const { title, length, size } of given)
      await give(path, { metadata: { Title: title }, properties: { Length: length, Size: size } })
    await give(path, { metadata: { Title: 'éclair' } })
  })

  const ascending: Record<string, string[]> = {
    created: ['banana', 'Äpfel', 'apple', 'banana', 'Zebra', 'éclair'],
    updated: ['banana', 'Äpfel', 'apple', 'banana', 'Zebra', 'éclair'],
    title: ['Äpfel', 'apple', 'banana', 'banana', 'éclair', 'Zebra'],
    name: ['Äpfel', 'apple', 'banana', 'banana', 'éclair', 'Zebra'],
    length: ['Äpfel', 'éclair', 'Zebra', 'banana', 'banana', 'apple'],
    size: ['éclair', 'banana', 'apple', 'banana', 'Äpfel', 'Zebra'],
  }

  test.each(Object.entries(ascending))(
    'sort by %s in both directions, by offset and by cursor, with ties by id',
    async (order, expected) => {
      const read = async (sort: string, limit: number, by: 'offset' | 'cursor') => {
        const files: { Id: number; Metadata: { Title: string } }[] = []
        let page = ''
        do {
          const { body } = await list(path, `orderBy=${order}&sort=${sort}&limit=${limit}${page}`)
          expect(body.TotalCount).toBe(given.length + 1)
          files.push(...body.Files)
          const isLast = by === 'cursor' ? body.NextCursor === null : files.length >= body.TotalCount
          page = isLast ? '' : by === 'cursor' ? `&cursor=${body.NextCursor}` : `&offset=${files.length}`
        } while (page !== '')
        return files
      }
      const whole = await read('asc', 50, 'offset')
      expect(whole.map(({ Metadata }) => Metadata.Title)).toEqual(expected)
      expect(await read('desc', 50, 'offset')).toEqual(whole.toReversed())
      for (const sort of ['asc', 'desc'])
        for (const by of ['offset', 'cursor'] as const)
          expect(await read(sort, 2, by)).toEqual(sort === 'asc' ? whole : whole.toReversed())
    },
  )

  test('accept a cursor of orderBy=name for title', async () => {
    const { body } = await list(path, 'orderBy=name&limit=1')
    expect((await list(path, `orderBy=title&limit=1&cursor=${body.NextCursor}`)).status).toBe(200)
    expect((await list(path, `orderBy=name&limit=1&cursor=${body.NextCursor}`)).status).toBe(200)
    expectProblem(await list(path, `orderBy=size&cursor=${body.NextCursor}`), 'invalid')
  })

  test.each([
    ['updated', 'soon'],
    ['updated', null],
    ['length', 'abc'],
    ['length', '1e999'],
    ['size', '99999999999999999999'],
    ['size', '1.5'],
  ])('never answer 500 to a cursor of %s forged with %j', async (order, key) => {
    const forged = Buffer.from(JSON.stringify([order, 'desc', 5, key])).toString('base64url')
    const answer = await list(path, `cursor=${forged}`)
    if (answer.status !== 200) expectProblem(answer, 'invalid')
  })

  test.each(Object.keys(ascending))(
    'by %s let a cursor neither skip nor repeat unchanged files while others are created, changed and deleted',
    async (order) => {
      const moving = await newProject(`Moving ${order}`)
      const stable: number[] = []
      const passing: number[] = []
      for (let index = 0; index < 8; index += 1) {
        const properties = { Length: index % 3, Size: index % 2 }
        stable.push(await give(moving, { metadata: { Title: `Stable ${index % 4}` }, properties }))
        passing.push(await give(moving, { metadata: { Title: `Passing ${index}` }, properties }))
      }
      const seen: number[] = []
      let expectedCount = 16
      let cursor: string | null = null
      do {
        const next: string = cursor === null ? `orderBy=${order}&sort=asc` : `cursor=${cursor}`
        const { body } = await list(moving, `limit=3&${next}`)
        expect(body.TotalCount).toBe(expectedCount)
        seen.push(...body.Files.map(({ Id }: { Id: number }) => Id))
        cursor = body.NextCursor
        const gone = passing.pop()
        if (gone !== undefined) {
          await server.call('DELETE', `${moving}/${gone}`)
          const changed = passing[0]
          if (changed !== undefined)
            await server.call('PUT', `${moving}/${changed}/metadata`, {
              body: { Title: `Zz ${seen.length}` },
            })
          await give(moving, { metadata: { Title: 'Between' }, properties: { Length: 1, Size: 1 } })
        }
      } while (cursor !== null && seen.length < 100)
      for (const id of stable) expect(seen.filter((one) => one === id)).toEqual([id])
    },
  )
})

describe('deleted files', () => {
  test('are listed and counted only with includeDeleted=true, with IsEnabled false', async () => {
    const path = await newProject('Deleted')
    const kept = await give(path, { metadata: { Title: 'kept' } })
    const gone = await give(path, { metadata: { Title: 'gone' } })
    await server.call('DELETE', `${path}/${gone}`)
    expect((await list(path)).body).toMatchObject({ TotalCount: 1, Files: [{ Id: kept }] })
    expect((await list(path, 'includeDeleted=false')).body.TotalCount).toBe(1)
    const { body } = await list(path, 'includeDeleted=true')
    expect(body).toMatchObject({
      TotalCount: 2,
      Files: [
        { Id: gone, IsEnabled: false },
        { Id: kept, IsEnabled: true },
      ],
    })
    expect(await titlesOf(path, 'includeDeleted=true&orderBy=title&sort=asc')).toEqual(['gone', 'kept'])
    expect(await titlesOf(path, `includeDeleted=true&ids=${gone}`)).toEqual(['gone'])
    expect(await titlesOf(path, 'includeDeleted=true&isEnabled=false')).toEqual(['gone'])
    expect(await titlesOf(path, 'includeDeleted=true&isEnabled=true')).toEqual(['kept'])
    expect(await titlesOf(path, 'isEnabled=false')).toEqual([])
    expect(await titlesOf(path, `ids=${gone}`)).toEqual([])
    const reader = await server.newKey({ role: 'Reader' })
    expect((await list(path, 'includeDeleted=true', { apiKey: reader })).body.TotalCount).toBe(2)
    expectProblem(await server.call('GET', `${path}/${gone}`), 'not_found')
  })

  test('are in no list after their purge', async () => {
    const path = await newProject('Purged')
    const gone = await give(path, {})
    await server.call('DELETE', `${path}/${gone}`)
    expect((await list(path, 'includeDeleted=true')).body.TotalCount).toBe(1)
    await server.services.database.kysely.deleteFrom('media_files').where('id', '=', gone).execute()
    expect((await list(path, 'includeDeleted=true')).body).toMatchObject({ TotalCount: 0, Files: [] })
  })

  test('answer 404 when their project is deleted', async () => {
    const path = await newProject('Gone')
    const id = await give(path, {})
    expect((await server.call('GET', `${path}/${id}`)).status).toBe(200)
    await server.call('DELETE', `${path.replace('/files', '')}?cascade=true`)
    expectProblem(await list(path), 'not_found')
    expectProblem(await list(path, 'includeDeleted=true'), 'not_found')
    expectProblem(await server.call('GET', `${path}/${id}`), 'not_found')
  })
})

describe('a long list', () => {
  const count = 5_000
  let path: string
  let ids: number[]

  beforeAll(async () => {
    path = await newProject('Long')
    const projectId = Number(path.split('/')[2])
    const neighbour = Number((await newProject('Neighbour')).split('/')[2])
    const { sql } = server.services.database
    // Every third row belongs to another project, and some rows are deleted.
    await sql`
      insert into media_files (account_id, project_id, original_file_name, use_encoding, encoding_priority, metadata, record)
      select p.account_id, case when n % 3 = 0 then ${neighbour}::bigint else p.id end, 'long.mp4', true, 50,
        jsonb_build_object('Title', 'Long ' || n, 'ReleaseStatus', 'draft'), '{"Number":' || n || '}'
      from generate_series(1, ${count}::int) n, projects p where p.id = ${projectId}`
    await sql`update media_files set deleted_at = now(), version = 2 where project_id = ${projectId} and id % 7 = 0`
    await sql`delete from project_counts`
    await sql`update projects p set file_count = (select count(*) from media_files where project_id = p.id and deleted_at is null)`
    const rows = await sql<{ id: number }[]>`
      select id from media_files where project_id = ${projectId} and deleted_at is null order by id desc`
    ids = rows.map(({ id }) => id)
  })

  const numbersOf = (body: { Files: { Number: number }[] }) => body.Files.map((file) => file.Number)

  test.each([
    0, 1, 1_023, 1_024, 1_025, 1_500, 2_000, 2_047, 2_048, 2_500, 2_800, 2_855, 2_856, 2_857, 2_858, 1e9,
  ])('returns the right page at offset %i', async (offset) => {
    const { sql } = server.services.database
    for (const sort of ['desc', 'asc']) {
      const { status, body } = await list(path, `limit=20&offset=${offset}&sort=${sort}`)
      expect(status).toBe(200)
      expect(body.TotalCount).toBe(ids.length)
      const wanted = (sort === 'desc' ? ids : ids.toReversed()).slice(offset, offset + 20)
      const rows = await sql<{ id: number; record: string }[]>`
          select id, record from media_files where id = any(${wanted}::bigint[])`
      const numbers = new Map(rows.map(({ id, record }) => [id, JSON.parse(record).Number]))
      expect(numbersOf(body)).toEqual(wanted.map((id) => numbers.get(id)))
      expect(body.NextCursor === null).toBe(offset + 20 >= ids.length)
    }
  })

  test('keeps the block counts correct when files are created, deleted and restored', async () => {
    const { sql } = server.services.database
    const deviating = () => sql`
      select * from (
        select project_id, id >> 10 as block, count(*) filter (where deleted_at is null) as counted from media_files group by 1, 2
      ) counted full join (
        select project_id, block, sum(file_count) as file_count from (
          select project_id, block, file_count from file_blocks
          union all select project_id, block, file_count from file_block_counts
        ) parts group by 1, 2
      ) blocks using (project_id, block)
      where coalesce(counted, 0) <> coalesce(file_count, 0)`
    expect(await deviating()).toEqual([])
    const projectId = Number(path.split('/')[2])
    await sql`update media_files set deleted_at = null, version = version + 1 where project_id = ${projectId} and id % 14 = 0 and deleted_at is not null`
    expect(await deviating()).toEqual([])
  })
})

test('file_list copies every column of the files correctly', async () => {
  const { sql } = server.services.database
  expect(
    await sql`
      select l.file_id from file_list l join media_files f on f.id = l.file_id cross join lateral listed_file(f) as now
      where to_jsonb(now) - 'changed_in' <> to_jsonb(l) - 'changed_in'`,
  ).toEqual([])
  expect(
    await sql`select id from media_files f where not exists (select from file_list where file_id = f.id)`,
  ).toEqual([])
})
