import { sql } from 'kysely'
import { types } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresProxy } from '../../../test/support/postgres-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { openConnection } from './driver/connection.ts'
import { openDatabase, type Database } from './database.ts'

let world: TestDatabase
let database: Database

beforeAll(async () => {
  world = await createTestDatabase()
  database = openDatabase(world.connection, { maxConnections: 1 })
})

afterAll(async () => {
  await database.close()
  await world.drop()
})

describe('values of a row', () => {
  const values = `
    select true as bool, 9007199254740991::int8 as int8, 1::int2 as int2, 2::int4 as int4, 0.5::float4 as float4,
      1e100::float8 as float8, 'NaN'::float8 as nan, 12345678901234567890.5::numeric as numeric, 'ü,"{}\\' as text,
      '\\x00ff'::bytea as bytea, '2026-01-05 01:02:03.123456+00'::timestamptz as timestamptz, '2026-01-05'::date as date,
      '{"a":[1,null]}'::json as json, '"text"'::jsonb as jsonb, 'null'::jsonb as json_null, null::jsonb as sql_null,
      interval '1 day' as interval, '00000000-0000-4000-8000-000000000000'::uuid as uuid,
      array['a', null, 'b,"c"', ''] as texts, array[1, 2]::int8[] as int8s, array[true, false] as bools, '{}'::int4[] as none,
      array['{"a":1}'::jsonb] as jsons, array['2026-01-05T00:00:00Z'::timestamptz] as instants,
      array['00000000-0000-4000-8000-000000000000'::uuid] as uuids`
  const expected = {
    bool: true,
    int8: 9_007_199_254_740_991,
    int2: 1,
    int4: 2,
    float4: 0.5,
    float8: 1e100,
    nan: NaN,
    numeric: '12345678901234567890.5',
    text: 'ü,"{}\\',
    bytea: Buffer.from([0, 255]),
    timestamptz: new Date('2026-01-05T01:02:03.123Z'),
    date: '2026-01-05',
    json: { a: [1, null] },
    jsonb: 'text',
    json_null: null,
    sql_null: null,
    interval: '1 day',
    uuid: '00000000-0000-4000-8000-000000000000',
    texts: ['a', null, 'b,"c"', ''],
    int8s: [1, 2],
    bools: [true, false],
    none: [],
    jsons: [{ a: 1 }],
    instants: [new Date('2026-01-05T00:00:00Z')],
    uuids: ['00000000-0000-4000-8000-000000000000'],
  }

  test('have the same types in the pool and in a pipelined statement', async () => {
    const { rows } = await sql.raw(values).execute(database.kysely)
    expect(rows).toEqual([expected])
    const connection = await openConnection(world.connection, { pipeline: true })
    expect(await connection.rows(values)).toEqual([expected])
    connection.discard()
  })

  test('are written and read back unchanged', async () => {
    const written = {
      number: 7,
      text: `'";\\`,
      flag: false,
      at: new Date('2026-01-05T01:02:03.456Z'),
      bytes: Buffer.from([0, 1, 255]),
      json: { a: ['"', '\\', null] },
      texts: ['a', '"b"', '\\', '', 'null', '{c,d}'],
      ids: [1, 9_007_199_254_740_991],
      none: null,
    }
    const { number, text, flag, at, bytes, json, texts, ids, none } = written
    const [row] = await database.sql`
      select ${number}::int8 as number, ${text}::text as text, ${flag}::boolean as flag, ${at}::timestamptz as at,
        ${bytes}::bytea as bytes, ${JSON.stringify(json)}::jsonb as json, ${texts}::text[] as texts, ${ids}::bigint[] as ids,
        ${none}::text as none`
    expect(row).toEqual(written)
  })

  test('keep their types in the job queue, which uses the same driver', () => {
    expect(types.getTypeParser(types.builtins.INT8)('1')).toBe('1')
  })
})

describe('a prepared statement', () => {
  test('works on after a migration has changed its result', async () => {
    await sql`create table changing (id int)`.execute(database.kysely)
    await sql`insert into changing values (1)`.execute(database.kysely)
    const inPool = async () =>
      (await sql`select * from changing where id = ${1}`.execute(database.kysely)).rows
    const inPipeline = () => database.sql`select * from changing where id = ${1}`
    expect([await inPool(), await inPipeline()]).toEqual([[{ id: 1 }], [{ id: 1 }]])
    await sql`alter table changing add column name text`.execute(database.kysely)
    const changed = [{ id: 1, name: null }]
    expect([await inPool(), await inPipeline()]).toEqual([changed, changed])
    expect(await Promise.all([inPipeline(), inPool(), inPipeline()])).toEqual([changed, changed, changed])
  })

  test('fails no transaction after a migration has added a column', async () => {
    await sql`create table growing (id int)`.execute(database.kysely)
    const write = () =>
      database.transaction(async (tx) => {
        const added = await sql`insert into growing values (${1}) returning *`.execute(tx)
        const joined = await sql`select g.*, ${2}::int as two from growing g where id = ${1}`.execute(tx)
        return [added.rows[0], joined.rows[0]]
      })
    expect(await write()).toEqual([{ id: 1 }, { id: 1, two: 2 }])
    await sql`alter table growing add column name text`.execute(database.kysely)
    expect(await write()).toEqual([
      { id: 1, name: null },
      { id: 1, name: null, two: 2 },
    ])
  })

  test('is not kept for each number of values in a list until PostgreSQL is out of memory', async () => {
    let largest = 0
    for (let count = 1; count <= 500; count += 1) {
      const names = Array.from({ length: count }, (_, index) => sql`${index}::int`)
      const { rows } = await sql<{ characters: number; sum: number }>`
        select (select sum(length(statement))::int from pg_prepared_statements) as characters,
          (select sum(one)::int from unnest(array[${sql.join(names)}]) as one) as sum`.execute(
        database.kysely,
      )
      expect(rows[0]?.sum).toBe((count * (count - 1)) / 2)
      largest = Math.max(largest, rows[0]?.characters ?? 0)
    }
    expect(largest).toBeGreaterThan(900_000)
    expect(largest).toBeLessThan(1_100_000)
  })

  test('fails alone when it is sent together with others', async () => {
    const results = await Promise.allSettled(
      [1, 0, 2, 0].map((divisor) => database.sql`select 2 / ${divisor}::int as value`),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
    expect(await database.sql`select ${1}::int as value`).toEqual([{ value: 1 }])
  })
})

test('statements of one transaction that are sent together run in order', async () => {
  const values = await database.transaction((tx) =>
    Promise.all([1, 2, 3].map(async (value) => (await sql`select ${value}::int as value`.execute(tx)).rows)),
  )
  expect(values).toEqual([[{ value: 1 }], [{ value: 2 }], [{ value: 3 }]])
})

test('a discarded connection fails its running statement at once', async () => {
  for (const pipeline of [false, true]) {
    const connection = await openConnection(world.connection, { pipeline })
    const sleeping = connection.query('select pg_sleep(60)')
    connection.discard()
    await expect(sleeping).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    await expect(connection.query('select 1')).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  }
})

test('the URL of an external server may name a search path', async () => {
  if ('url' in world.connection) throw new Error('tests have a database on a socket')
  const { host, user, password, database: name } = world.connection
  const proxy = await openPostgresProxy(host)
  const connection = await openConnection({
    url: `${proxy.urlOf(user, name, password)}?search_path=other%2Cpublic`,
  })
  expect(await connection.rows('show search_path')).toEqual([{ search_path: 'other,public' }])
  connection.discard()
  proxy.close()
})
