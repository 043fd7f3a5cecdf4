import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startS3Server } from '../../../../test/support/s3-server.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { createDiskBlobStore } from '../../../platform/blobs/disk-blob-store.ts'
import { createTwoBlobStores } from '../../../platform/blobs/two-blob-stores.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { addressesOf, makePlayableFile } from '../../../playback/test-support/playable-file.ts'
import { diskNameOf } from '../media/disk-name.ts'
import { blobPrefixOf } from '../record/media-file-store.ts'
import { moveMedia } from './move-media.ts'

const forever = new AbortController().signal
const log = { warn: () => {} }
const disk = 'this one'

describe('moving the media of a file', () => {
  let server: TestServer
  let folder: string
  let fileId: number
  let prefix: string
  let former: BlobStore
  let present: BlobStore
  let both: BlobStore
  const names = ['source', 'video/init.mp4', 'video/0.m4s']

  beforeAll(async () => {
    server = await startTestServer()
    folder = await mkdtemp(join(tmpdir(), 'zoetrope-move-'))
    former = createDiskBlobStore({ folder: join(folder, 'former') })
    present = createDiskBlobStore({ folder: join(folder, 'present') })
    both = createTwoBlobStores({
      disk: former,
      s3: present,
      present: 's3',
      lendingFolder: join(folder, 'former', 'temporary'),
    })
    const file = await makePlayableFile(server, { state: 'finished' })
    fileId = file.id
    prefix = blobPrefixOf({ accountId: 1, projectId: file.projectId, fileId })
  })
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const fill = async (): Promise<void> => {
    await both.deletePrefix(prefix)
    for (const name of names) await former.put(prefix + name, Buffer.from(name))
  }

  const move = (stores: { former: BlobStore; present: BlobStore } = { former, present }) =>
    moveMedia({ database: server.services.database, ...stores, disk, log }, forever)

  const expectMoved = async (expected: readonly string[]): Promise<void> => {
    expect(await former.list(prefix)).toEqual([])
    expect((await present.list(prefix)).sort()).toEqual(expected.map((name) => prefix + name).sort())
    for (const name of expected) expect((await present.read(prefix + name)).toString()).toBe(name)
    expect(await server.services.database.kysely.selectFrom('media_moves').selectAll().execute()).toEqual([])
  }

  /**
   * Wraps both stores to run `before` with the number of each call; an error that it throws fails the call.
   */
  const counted = (before: (count: number) => Promise<void> | void) => {
    let count = 0
    const wrap = (store: BlobStore): BlobStore =>
      Object.fromEntries(
        Object.entries(store).map(([name, act]) => [
          name,
          async (...parameters: unknown[]) => {
            count += 1
            await before(count)
            return (act as (...all: unknown[]) => unknown)(...parameters)
          },
        ]),
      ) as unknown as BlobStore
    return { former: wrap(former), present: wrap(present), calls: () => count }
  }

  const killedAt = (step: number) =>
    counted((count) => {
      if (count >= step) throw new Error('killed')
    })

  const countCalls = async (): Promise<number> => {
    await fill()
    const stores = counted(() => {})
    await move(stores)
    return stores.calls()
  }

  test('moves every blob and keeps none in the former store', async () => {
    await fill()
    expect(await move()).toMatchObject({ movedFiles: 1, movedBytes: names.join('').length, waitingFiles: 0 })
    await expectMoved(names)
    expect(await move()).toMatchObject({ movedFiles: 0 })
  })

  test('loses and leaks nothing when killed at any step and restarted, even with deletions in between', async () => {
    const steps = await countCalls()
    expect(steps).toBeGreaterThan(15)
    for (let step = 1; step <= steps; step += 1) {
      await fill()
      await move(killedAt(step)).catch(() => {})
      for (const name of names) expect((await both.read(prefix + name)).toString()).toBe(name)
      await move()
      await expectMoved(names)

      await fill()
      await move(killedAt(step)).catch(() => {})
      await both.delete(`${prefix}video/0.m4s`)
      await move()
      await expectMoved(names.slice(0, 2))

      await fill()
      await move(killedAt(step)).catch(() => {})
      await both.deletePrefix(prefix)
      await move()
      await expectMoved([])
    }
  })

  test('restores no blob that is deleted during the move', async () => {
    const steps = await countCalls()
    for (let step = 2; step <= steps; step += 1) {
      await fill()
      await move(
        counted(async (count) => {
          if (count === step) await both.delete(`${prefix}video/0.m4s`)
        }),
      )
      await expectMoved(names.slice(0, 2))
    }
  })

  test('loses nothing when the former store does not find a blob for a moment', async () => {
    const look = async (missingAt: number): Promise<number> => {
      let count = 0
      await fill()
      await move({
        former: {
          ...former,
          stat: async (key) => {
            count += 1
            return count === missingAt ? null : former.stat(key)
          },
        },
        present,
      })
      return count
    }
    const looks = await look(0)
    expect(looks).toBe(2 * names.length)
    for (let missingAt = 1; missingAt <= looks; missingAt += 1) {
      await look(missingAt)
      for (const name of names) expect((await both.read(prefix + name)).toString()).toBe(name)
      await move()
      await expectMoved(names)
    }
  })

  test('a superseded run deletes nothing', async () => {
    await fill()
    let isReplaced = false
    await move(
      counted(async (count) => {
        if (count !== 8 || isReplaced) return
        isReplaced = true
        await move()
      }),
    )
    await expectMoved(names)
  })

  test('waits until the file is finished', async () => {
    await fill()
    const set = (state: 'playable' | 'finished') =>
      server.services.database.kysely
        .updateTable('media_files')
        .set({ state })
        .where('id', '=', fileId)
        .execute()
    await set('playable')
    expect(await move()).toMatchObject({ movedFiles: 0, waitingFiles: 1 })
    expect(await present.list(prefix)).toEqual([])
    await set('finished')
    expect(await move()).toMatchObject({ movedFiles: 1, waitingFiles: 0 })
    await expectMoved(names)
  })

  test('keeps a blob that cannot be copied, and moves it in a later run', async () => {
    await fill()
    const broken: BlobStore = { ...present, put: (key) => present.put(key, Buffer.from('x')) }
    expect(await move({ former, present: broken })).toMatchObject({ movedFiles: 0, failedFiles: 1 })
    expect((await former.list(prefix)).length).toBe(names.length)
    expect(await move()).toMatchObject({ movedFiles: 1, failedFiles: 0 })
    await expectMoved(names)
  })

  test('continues with other files when one cannot be settled or listed', async () => {
    const other = await makePlayableFile(server, { state: 'finished' })
    const otherPrefix = blobPrefixOf({ accountId: 1, projectId: other.projectId, fileId: other.id })
    await fill()
    await move(killedAt(12)).catch(() => {})
    const moves = await server.services.database.kysely.selectFrom('media_moves').selectAll().execute()
    expect(moves).toMatchObject([{ file_id: fileId, disk }])
    const refuse = (key: string): void => {
      if (key.startsWith(prefix)) throw new Error('cannot be read')
    }
    for (const part of ['stat', 'list'] as const) {
      await former.put(`${otherPrefix}source`, Buffer.from(part))
      const broken: BlobStore = {
        ...former,
        [part]: async (key: string) => {
          refuse(key)
          return former[part](key)
        },
      }
      expect(await move({ former: broken, present })).toMatchObject({ movedFiles: 1, failedFiles: 1 })
      expect((await present.read(`${otherPrefix}source`)).toString()).toBe(part)
    }
    await move()
    await expectMoved(names)
  })

  test('ignores interrupted moves of other disks', async () => {
    await fill()
    await move(killedAt(12)).catch(() => {})
    const copied = await present.list(prefix)
    const elsewhere = createDiskBlobStore({ folder: join(folder, 'elsewhere') })
    const { kysely } = server.services.database
    const moved = moveMedia(
      { database: server.services.database, former: elsewhere, present, disk: 'another one', log },
      forever,
    )
    expect(await moved).toMatchObject({ movedFiles: 0, failedFiles: 0 })
    expect(await present.list(prefix)).toEqual(copied)
    expect(await kysely.selectFrom('media_moves').select('disk').execute()).toEqual([{ disk }])
    await move()
    await expectMoved(names)
  })
})

test('a data folder gets one name under concurrent first calls', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-disk-'))
  const names = await Promise.all(Array.from({ length: 5 }, () => diskNameOf(folder)))
  expect(new Set([...names, await diskNameOf(folder)]).size).toBe(1)
  expect(await readdir(folder)).toEqual(['disk.name'])
  await rm(folder, { recursive: true })
})

test('a viewer gets every byte while media moves from disk to S3', async (context) => {
  const s3 = await startS3Server()
  if ('unavailable' in s3) return context.skip(s3.unavailable)
  const server = await startTestServer({
    environment: {
      ZOETROPE_STORAGE: 's3',
      ZOETROPE_FORMER_STORAGE: 'disk',
      ZOETROPE_MEDIA_MEMORY_BYTES: '0',
      S3_BUCKET: s3.bucket,
      S3_ENDPOINT: s3.endpoint,
      S3_REGION: s3.region,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    },
  })
  const { moving, blobs, database } = server.services
  if (moving === null) throw new Error('there is nothing to move between')
  const file = await makePlayableFile(server, { state: 'finished' })
  // Restores the state before the change of store.
  const keys = await blobs.list('a1/')
  for (const key of keys) {
    await moving.former.put(key, await moving.present.read(key))
    await moving.present.delete(key)
  }

  let isMoving = true
  const moved = moveMedia({ database, ...moving, disk, log }, forever).finally(() => {
    isMoving = false
  })
  while (isMoving)
    for (const address of addressesOf(file)) {
      const { status } = await request(server.url + address, 'GET')
      expect(`${address} ${status}`).toBe(`${address} 200`)
    }
  expect(await moved).toMatchObject({ movedFiles: 1, failedFiles: 0 })
  expect((await moving.present.list('a1/')).sort()).toEqual(keys.sort())
  expect(await readdir(join(server.dataFolder, 'media', 'blobs'))).toEqual([])

  await s3.stop()
  const without = await request(server.url + addressesOf(file).at(-1)!, 'GET')
  expectProblem(without, 'unavailable')
  expect(without.body.error.message).toBe('The media storage is not available. Try again in a few seconds.')
  expect(without.headers.get('retry-after')).toBe('5')
  await server.stop()
})
