import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BackupManifest } from '../../platform/backup/backup-manifest.ts'
import { loadConfig } from '../config/config.ts'
import { restore } from './backup-command.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const settings = 'DATABASE_URL=postgres://app@db.invalid/app\n'
const key = 'key'

let base: string

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'zoetrope-restore-settings-'))
  const sums = `${sha256(key)}  data/master.key\n${sha256(settings)}  data/zoetrope.config\n`
  const manifest: BackupManifest = {
    Format: 1,
    CreatedAt: '2026-03-01T12:00:00.000Z',
    Version: '1.0.0',
    PostgresVersion: '18.0',
    // This migration does not exist, so a restore that is not refused stops here, before it writes rows.
    Migrations: [{ Name: 'none.sql', Checksum: sha256('') }],
    QueueVersion: 1,
    Tables: [],
    Sequences: [],
    Media: 'folder',
    MasterKeyFingerprint: '',
    FileCount: 2,
    SizeBytes: 0,
    ChecksumsSha256: sha256(sums),
  }
  await mkdir(join(base, 'backup/data'), { recursive: true })
  await writeFile(join(base, 'backup/data/master.key'), key)
  await writeFile(join(base, 'backup/data/zoetrope.config'), settings)
  await writeFile(join(base, 'backup/files.sha256'), sums)
  await writeFile(join(base, 'backup/manifest.json'), JSON.stringify(manifest))
})

afterEach(() => rm(base, { recursive: true, force: true }))

const restoreWith = (environment: NodeJS.ProcessEnv): Promise<void> =>
  restore(
    loadConfig({ ZOETROPE_DATA: join(base, 'data'), ...environment }),
    {
      folder: join(base, 'backup'),
      identityFile: undefined,
      isDatabaseChosen: environment['DATABASE_URL'] !== undefined,
    },
    { progress: () => {}, result: () => {} },
    new AbortController().signal,
  )

test('refuses the embedded database when the restored settings name another one', async () => {
  await expect(restoreWith({})).rejects.toThrow('zoetrope.config of the backup contains a DATABASE_URL')
})

test('says that the database does not respond', async () => {
  await expect(restoreWith({ DATABASE_URL: 'postgres://app@127.0.0.1:1/app' })).rejects.toThrow(
    /^The database does not respond \(connect ECONNREFUSED 127\.0\.0\.1:1\)\. Check DATABASE_URL/,
  )
})

test('restores into the embedded database when DATABASE_URL is empty on purpose', async () => {
  await expect(restoreWith({ DATABASE_URL: '' })).rejects.not.toThrow('zoetrope.config of the backup')
})
