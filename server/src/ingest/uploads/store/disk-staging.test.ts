import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createTestDatabase } from '../../../../test/support/test-database.ts'
import { createDiskBlobStore } from '../../../platform/blobs/disk-blob-store.ts'
import { openDiskStaging } from './disk-staging.ts'
import { describeStagingPromises } from './staging.promises.ts'

describeStagingPromises('a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-staging-'))
  const { database, drop } = await createTestDatabase()
  const blobs = createDiskBlobStore({ folder: join(folder, 'media') })
  return {
    staging: await openDiskStaging(join(folder, 'uploads'), blobs),
    blobs,
    database,
    accountId: 1,
    stop: async () => {
      expect(await readdir(join(folder, 'uploads'))).toEqual([])
      await drop()
      await rm(folder, { recursive: true })
    },
  }
})
