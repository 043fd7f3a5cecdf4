import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import { openConnection } from '../db/driver/connection.ts'
import { createPlainTarget } from './backup-target.ts'
import { dumpTable } from './copy-tables.ts'

/** The row count decides whether the last rows find the writer busy; some of these counts do. */
const rowCounts = Array.from({ length: 40 }, (_, index) => 10 + 5 * index)

test('dumps a table whose last rows arrive faster than they are written without blocking the next statement', async () => {
  const database = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-copy-'))
  const connection = await openConnection(database.connection)
  try {
    const row = randomBytes(1_500).toString('base64')
    for (const rowCount of rowCounts) {
      await connection.query(
        `create or replace view big as select '${row}' as text from generate_series(1, ${rowCount})`,
      )
      const table = { Schema: 'public', Name: 'big', Columns: ['text'], File: 'big.copy.gz' }
      await dumpTable(connection, table, createPlainTarget(folder, new AbortController().signal))
      const rows = gunzipSync(await readFile(join(folder, table.File))).toString()
      expect(rows).toBe(`${row}\n`.repeat(rowCount))
    }
  } finally {
    connection.discard()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
})
