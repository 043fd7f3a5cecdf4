import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runningServerOn } from '../../../server/src/platform/db/embedded-postgres/embedded-postgres-password.ts'
import { openDatabase, type ConnectionOptions } from '../../../server/src/platform/db/database.ts'
import type { Sql } from '../../../server/src/platform/db/hand-written-sql.ts'
import type { BenchContext } from '../harness/context.ts'
import type { Product } from '../harness/product.ts'

/** The ids of the files are consecutive. */
export interface ManyFiles {
  readonly projectId: number
  readonly count: number
  readonly firstId: number
}

const batch = 5_000

/** The connection to the embedded PostgreSQL, with all rights. */
export const connectionOf = async (product: Product): Promise<ConnectionOptions> => {
  const environment = readFileSync(`/proc/${product.apiProcessId}/environ`, 'utf8').split('\0')
  const name = 'ZOETROPE_DATA='
  const dataFolder = environment.find((line) => line.startsWith(name))?.slice(name.length) ?? ''
  const connection = await runningServerOn(join(dataFolder, 'postgres'))
  if (connection === null) throw new Error('The product has no embedded PostgreSQL.')
  return connection
}

/** Copies a file in SQL, once for each number, and returns the ids. */
export const copyFile = async (
  sql: Sql,
  modelId: number,
  numbers: { readonly from: number; readonly to: number },
): Promise<number[]> => {
  const rows = await sql<{ id: number }[]>`
    insert into media_files (
      account_id, project_id, state, original_file_name, use_encoding, encoding_priority, metadata, properties, record
    )
    select
      account_id, project_id, 'finished', original_file_name, use_encoding, encoding_priority,
      metadata || jsonb_build_object('Title', concat_ws(' ', 'Interview take' || n, case when n % 5 = 0 then 'mountains' end)),
      jsonb_build_object('Length', n % 3600, 'Size', n::bigint * 1000), record
    from media_files, generate_series(${numbers.from}::int, ${numbers.to}::int) as n
    where id = ${modelId}
    order by n
    returning id`
  return rows.map(({ id }) => id)
}

/**
 * Creates a project with a hundred thousand files by copying one file of the API in SQL. All titles contain
 * `interview`, each has its own `take<n>`, and every fifth contains `mountains`.
 */
export const makeManyFiles = async (context: BenchContext, product: Product): Promise<ManyFiles> => {
  const count = context.isQuick ? 20_000 : 100_000
  context.say(`${count} files are made`)
  const project = await product.call('POST', '/projects', { Name: 'Archive' })
  const projectId = project.body.Id as number
  const model = await product.call('POST', `/projects/${projectId}/files`, {
    FileName: 'news/interview.mp4',
    FileSize: 1_000_000,
    Metadata: { Description: 'A conversation about the weather of the week.', Tags: ['news', 'weather'] },
  })
  const firstId = model.body.Id as number
  const database = openDatabase(await connectionOf(product), { maxConnections: 1 })
  try {
    const { sql } = database
    for (let made = 1; made < count; made += batch)
      await copyFile(sql, firstId, { from: made, to: Math.min(made + batch, count) - 1 })
    await sql`update media_files set record = replace(record, ${`{"Id":${firstId},`}, '{"Id":' || id || ',') where project_id = ${projectId}`
    await sql`delete from project_counts where project_id = ${projectId}`
    await sql`update projects set file_count = ${count} where id = ${projectId}`
    await sql`vacuum analyze media_files, file_list, file_blocks, file_block_counts`
  } finally {
    await database.close()
  }
  return { projectId, count, firstId }
}
