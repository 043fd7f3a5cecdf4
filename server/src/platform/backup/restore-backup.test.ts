import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import { openConnection } from '../db/driver/connection.ts'
import type { BackupManifest } from './backup-manifest.ts'
import { verifyChecksums, writeChecksums } from './checksums.ts'
import { setSequences } from './copy-tables.ts'
import { restoreBackup } from './restore-backup.ts'

/** Forged backups: another party may have created or changed them. */

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

let base: string
let folder: string
let dataFolder: string

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'zoetrope-restore-'))
  folder = join(base, 'backup')
  dataFolder = join(base, 'data')
  await mkdir(join(folder, 'data'), { recursive: true })
  await writeFile(join(folder, 'data/master.key'), 'key', { mode: 0o644 })
})

afterEach(() => rm(base, { recursive: true, force: true }))

const manifest: BackupManifest = {
  Format: 1,
  CreatedAt: '2026-03-01T12:00:00.000Z',
  Version: '1.0.0',
  PostgresVersion: '18.0',
  Migrations: [{ Name: '0001-first.sql', Checksum: sha256('') }],
  QueueVersion: 1,
  Tables: [{ Schema: 'public', Name: 'a', Columns: ['id'], File: 'database/public.a.copy.gz' }],
  Sequences: [{ Schema: 'public', Name: 'a_id_seq', LastValue: '9223372036854775807' }],
  Media: 'folder',
  MasterKeyFingerprint: '',
  FileCount: 1,
  SizeBytes: 3,
  ChecksumsSha256: '',
}

const list = `${sha256('key')}  data/master.key\n`

const write = async (changes: unknown = {}, checksums = list): Promise<void> => {
  await writeFile(join(folder, 'files.sha256'), checksums)
  const whole = { ...manifest, ChecksumsSha256: sha256(checksums), ...(changes as object) }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(changes === null ? null : whole))
}

const restore = (
  openDatabase = async (): Promise<never> => Promise.reject(new Error('ENOSPC')),
  signal = new AbortController().signal,
) =>
  restoreBackup({
    folder,
    dataFolder,
    identities: null,
    openDatabase,
    checkMasterKey: () => {},
    checkSettings: () => {},
    signal,
    onProgress: () => {},
  })

const [table] = manifest.Tables
const [sequence] = manifest.Sequences

test.each([
  ['nothing at all', null],
  ['no tables', { Tables: undefined }],
  ['SQL for a sequence', { Sequences: [{ ...sequence, Name: `a', 1); create table taken (); --` }] }],
  ['SQL for a value', { Sequences: [{ ...sequence, LastValue: '1); drop table a; --' }] }],
  ['SQL for a table', { Tables: [{ ...table, Name: 'a" (id) from stdin; --' }] }],
  ['rows from elsewhere', { Tables: [{ ...table, File: 'database/../../../etc/passwd' }] }],
  ['a version that speaks to the terminal', { Version: '\u001b[2J' }],
])('reports a manifest with %s as damaged', async (_what, changes) => {
  await write(changes)
  await expect(restore()).rejects.toThrow('manifest.json is damaged')
  await expect(stat(dataFolder)).rejects.toThrow('ENOENT')
})

test('reports a backup of a newer Zoetrope as such, whatever it contains', async () => {
  await write({ Format: 2, Tables: 'elsewhere' })
  await expect(restore()).rejects.toThrow('A newer Zoetrope made the backup')
})

test.each([
  ['a folder', 'data/media', '/etc'],
  ['a file', 'data/cli.json', '/etc/passwd'],
])('refuses a link to %s outside', async (_what, path, target) => {
  await symlink(target, join(folder, path))
  await write()
  await expect(restore()).rejects.toThrow(`${path} is not a file`)
  await expect(stat(dataFolder)).rejects.toThrow('ENOENT')
})

test('reads nothing outside of the folder, whatever path the list names', async () => {
  const outside = '../../../../../../dev/zero'
  await write({}, `${list}${sha256('')}  ${outside}\n`)
  await expect(restore()).rejects.toThrow(`${outside} is missing`)
})

test('does not count files outside of the folder as progress, whatever path the list names', async () => {
  const text = `${list}${sha256('')}  ../../../../../../etc/passwd\n`
  await writeFile(join(folder, 'files.sha256'), text)
  const progress: number[] = []
  const verified = verifyChecksums(folder, sha256(text), (doneBytes) => void progress.push(doneBytes))
  await expect(verified).rejects.toThrow('etc/passwd is missing')
  expect(progress).toEqual(['key'.length])
})

test('counts the sizes of all files as the size of a backup', async () => {
  const sizes = Array.from({ length: 40 }, (_none, index) => 1_000 * index)
  await Promise.all(sizes.map((size) => writeFile(join(folder, `data/${size}`), Buffer.alloc(size))))
  const total = sizes.reduce((sum, size) => sum + size, 0) + 'key'.length
  expect(await writeChecksums(folder, () => {})).toEqual({ fileCount: 41, sizeBytes: total })
})

test('leaves the folder empty when a restore fails, so that it can be retried', async () => {
  await write()
  await expect(restore()).rejects.toThrow('ENOSPC')
  expect(await readdir(dataFolder)).toEqual([])
})

test('an interrupted restore leaves the folder empty', async () => {
  await write()
  const stopping = new AbortController()
  const interrupted = restore(async () => {
    stopping.abort()
    return Promise.reject(stopping.signal.reason as Error)
  }, stopping.signal)
  await expect(interrupted).rejects.toThrow('The restore was interrupted. The data folder is empty again.')
  expect(await readdir(dataFolder)).toEqual([])
})

test('reports a disk that fills up under the database', async () => {
  await write()
  const cause = new Error('could not write to file "pg_wal/xlogtemp.1": No space left on device')
  const lost = Object.assign(new Error('Lost the connection to the database.', { cause }), {
    code: 'CONNECTION_CLOSED',
  })
  await expect(restore(async () => Promise.reject(lost))).rejects.toThrow(
    /^The disk is full \(could not write .*\)\. The data folder is empty again\.$/,
  )
})

test('prints no control characters and no long texts of a backup', async () => {
  await write({}, `${list}${sha256('')}  \u001b[2J${'x'.repeat(100_000)}\n`)
  const isHarmless: unknown = expect.not.stringMatching(/(?!\n)\p{Cc}|x{1000}/u)
  await expect(restore()).rejects.toMatchObject({ message: isHarmless })
  await write()
  const quoted = `invalid input syntax for type uuid: "\u001b[2J${'x'.repeat(100_000)}"`
  const refused = Object.assign(new Error(quoted), { code: 'CONNECTION_CLOSED' })
  await expect(restore(async () => Promise.reject(refused))).rejects.toMatchObject({ message: isHarmless })
})

test('restores keys readable by their owner alone, also from a disk without permissions', async () => {
  await chmod(join(folder, 'data/master.key'), 0o644)
  await write()
  let mode = 0
  const look = async (): Promise<never> => {
    mode = (await stat(join(dataFolder, '.restoring/master.key'))).mode & 0o777
    throw new Error('seen')
  }
  await expect(restore(look)).rejects.toThrow('seen')
  expect(mode).toBe(0o600)
})

test('passes the name of a sequence as a parameter, not as part of the statement', async () => {
  const database = await createTestDatabase()
  const connection = await openConnection(database.connection)
  try {
    const hostile = {
      Schema: 'public',
      Name: `projects_id_seq"', 1); create table taken (); --`,
      LastValue: '1',
    }
    await expect(setSequences(connection, [hostile])).rejects.toThrow()
    const good = { Schema: 'public', Name: 'projects_id_seq', LastValue: '9007199254740993' }
    await setSequences(connection, [good])
    const [row] = await connection.rows(
      `select last_value::text as value, to_regclass('taken')::text as taken from projects_id_seq`,
    )
    expect(row).toEqual({ value: good.LastValue, taken: null })
  } finally {
    connection.discard()
    await database.drop()
  }
})
