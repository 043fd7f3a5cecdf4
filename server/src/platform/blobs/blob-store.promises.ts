import { randomBytes } from 'node:crypto'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it, type TestContext } from 'vitest'
import { BlobNotFoundError, type BlobStore } from './blob-store.ts'

export interface StoreUnderTest {
  readonly store: BlobStore
  readonly stop: () => Promise<void>
}

/**
 * A negative age also sweeps blobs begun just now, even on a store whose clock rounds up to whole seconds.
 */
const inTheFutureMs = -2_000

const exists = async (filePath: string): Promise<boolean> =>
  await access(filePath).then(
    () => true,
    () => false,
  )

const inPieces = async function* (data: Buffer, pieceBytes: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < data.length; start += pieceBytes) yield data.subarray(start, start + pieceBytes)
}

/**
 * Tests every promise of `BlobStore`. `start` may return why the store is unavailable here, which skips the
 * tests.
 */
export const describeBlobStorePromises = (
  name: string,
  start: () => Promise<StoreUnderTest | { readonly unavailable: string }>,
): void => {
  describe(`${name} as a blob store`, () => {
    let started: StoreUnderTest | { readonly unavailable: string } = { unavailable: 'it was not started' }
    let store: BlobStore
    let folder: string
    let testNumber = 0
    let base = ''

    beforeAll(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'zoetrope-blobs-'))
      started = await start()
      if ('store' in started) store = started.store
    })
    afterAll(async () => {
      if ('store' in started) await started.stop()
      await rm(folder, { recursive: true, force: true })
    })
    beforeEach((context: TestContext) => {
      if ('unavailable' in started) context.skip(started.unavailable)
      testNumber += 1
      base = `t${String(testNumber)}`
    })

    const localFile = async (content: Buffer): Promise<string> => {
      const filePath = path.join(folder, `${base}-local`)
      await writeFile(filePath, content)
      return filePath
    }

    it.each([
      ['no byte', 0],
      ['one byte', 1],
      ['one byte more than 5 MiB', 5 * 1024 * 1024 + 1],
      ['20 MiB', 20 * 1024 * 1024],
    ])('reads a blob of %s back unchanged, whatever form it was put in', async (_, sizeBytes) => {
      const data = randomBytes(sizeBytes)
      const half = sizeBytes >> 1
      const forms = {
        whole: data,
        parts: [data.subarray(0, half), data.subarray(half)],
        pieces: inPieces(data, 300_001),
      }
      for (const [form, value] of Object.entries(forms)) {
        const key = `${base}/${form}`
        expect(await store.put(key, value)).toEqual({ sizeBytes })
        expect((await store.read(key)).equals(data)).toBe(true)
        expect((await buffer(await store.stream(key))).equals(data)).toBe(true)
        expect(await store.withLocalFile(key, async (local) => (await readFile(local)).equals(data))).toBe(
          true,
        )
        const stat = await store.stat(key)
        expect(stat?.sizeBytes).toBe(sizeBytes)
        expect(Math.abs((stat?.modifiedAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
      }
    })

    it('stores hundreds of small buffers as one blob', async () => {
      const pieces = Array.from({ length: 3_000 }, (_, index) => Buffer.from(`${String(index)},`))
      await store.put(`${base}/many`, pieces)
      expect((await store.read(`${base}/many`)).equals(Buffer.concat(pieces))).toBe(true)
    })

    it('truncates a range at the end of the blob', async () => {
      const data = Buffer.from('0123456789')
      const key = `${base}/digits`
      await store.put(key, data)
      const cases = [
        [0, 1, '0'],
        [0, 10, '0123456789'],
        [3, 6, '345'],
        [9, 10, '9'],
        [8, 50, '89'],
        [4, 4, ''],
        [0, 0, ''],
        [10, 12, ''],
        [50, 60, ''],
      ] as const
      for (const [from, end, expected] of cases) {
        expect((await store.read(key, { start: from, end })).toString()).toBe(expected)
        expect((await buffer(await store.stream(key, { start: from, end }))).toString()).toBe(expected)
      }
      await expect(store.read(key, { start: 3, end: 2 })).rejects.toThrow(RangeError)
      await expect(store.stream(key, { start: -1, end: 2 })).rejects.toThrow(RangeError)
    })

    it('returns no bytes for a range of an empty blob', async () => {
      await store.put(`${base}/empty`, Buffer.alloc(0))
      expect((await store.read(`${base}/empty`, { start: 0, end: 10 })).length).toBe(0)
    })

    it('shows a reader the whole old or the whole new blob during an overwrite', async () => {
      const key = `${base}/contended`
      const sizeBytes = 2 * 1024 * 1024
      await store.put(key, Buffer.alloc(sizeBytes, 0))
      const reading = await store.stream(key)
      let isWriting = true
      const write = async (): Promise<void> => {
        for (let value = 1; value <= 6; value += 1) await store.put(key, Buffer.alloc(sizeBytes, value))
        isWriting = false
      }
      const look = async (): Promise<void> => {
        while (isWriting) {
          const seen = await store.read(key)
          expect(seen.length).toBe(sizeBytes)
          expect(seen.equals(Buffer.alloc(sizeBytes, seen[0]))).toBe(true)
        }
      }
      await Promise.all([write(), look()])
      expect((await buffer(reading)).equals(Buffer.alloc(sizeBytes, 0))).toBe(true)
      expect((await store.read(key))[0]).toBe(6)
    })

    it('leaves no new blob and keeps the old one when the source of a put fails', async () => {
      const failing = async function* (): AsyncGenerator<Buffer> {
        yield* inPieces(randomBytes(12 * 1024 * 1024), 1024 * 1024)
        throw new Error('the encoder died')
      }
      await expect(store.put(`${base}/new`, failing())).rejects.toThrow('the encoder died')
      expect(await store.stat(`${base}/new`)).toBeNull()
      await store.put(`${base}/old`, Buffer.from('old'))
      await expect(store.put(`${base}/old`, failing())).rejects.toThrow('the encoder died')
      expect((await store.read(`${base}/old`)).toString()).toBe('old')
      expect(await store.sweepTemporary(inTheFutureMs)).toBe(0)
    })

    it('moves an adopted file into the store and removes the local file', async () => {
      const data = randomBytes(9 * 1024 * 1024)
      const local = await localFile(data)
      expect(await store.adopt(local, `${base}/source/0`)).toEqual({ sizeBytes: data.length })
      expect(await exists(local)).toBe(false)
      expect((await store.read(`${base}/source/0`)).equals(data)).toBe(true)
    })

    it('adopts the same file again after a crash, but rejects a file that never existed', async () => {
      const local = await localFile(Buffer.from('source'))
      await store.adopt(local, `${base}/source/0`)
      expect(await store.adopt(local, `${base}/source/0`)).toEqual({ sizeBytes: 6 })
      await expect(store.adopt(local, `${base}/source/1`)).rejects.toThrow('Neither')
    })

    it('joins bytes, small blobs and ranges of large blobs, and may join them again', async () => {
      const MiB = 1024 * 1024
      const large = [randomBytes(6 * MiB), randomBytes(7 * MiB + 1)]
      const small = [randomBytes(10), randomBytes(1_000)]
      await Promise.all([...large, ...small].map((data, index) => store.put(`${base}/piece-${index}`, data)))
      const rangeOf = (index: number, first: number, end: number) => ({
        key: `${base}/piece-${String(index)}`,
        range: { start: first, end },
      })
      const head = Buffer.from('head')
      const pieces = [
        head,
        rangeOf(0, 4, 6 * MiB),
        rangeOf(1, 0, 7 * MiB),
        rangeOf(2, 0, 10),
        rangeOf(0, 0, 5 * MiB),
        rangeOf(3, 1, 1),
        rangeOf(3, 500, 1_000),
        Buffer.from('end'),
      ]
      const expected = Buffer.concat([
        head,
        large[0]!.subarray(4),
        large[1]!.subarray(0, 7 * MiB),
        small[0]!,
        large[0]!.subarray(0, 5 * MiB),
        small[1]!.subarray(500),
        Buffer.from('end'),
      ])
      for (let attempt = 0; attempt < 2; attempt++) {
        expect(await store.join(`${base}/joined`, pieces)).toEqual({ sizeBytes: expected.length })
        expect((await store.read(`${base}/joined`)).equals(expected)).toBe(true)
      }
      await store.join(`${base}/short`, [head, rangeOf(2, 0, 5)])
      expect(
        (await store.read(`${base}/short`)).equals(Buffer.concat([head, small[0]!.subarray(0, 5)])),
      ).toBe(true)
      await expect(
        store.join(`${base}/broken`, [rangeOf(0, 0, 6 * MiB), rangeOf(9, 0, 6 * MiB), head]),
      ).rejects.toBeInstanceOf(BlobNotFoundError)
      expect(await store.stat(`${base}/broken`)).toBeNull()
    })

    it('deletes a prefix without its siblings, and may delete it again', async () => {
      const doomed = [`${base}/1/a`, `${base}/1/b/c`, `${base}/1/b/d`]
      const spared = [`${base}/10/a`, `${base}/11`, `${base}/2/a`]
      for (const key of [...doomed, ...spared]) await store.put(key, Buffer.from(key))
      expect(await store.deletePrefix(`${base}/1/`)).toBe(3)
      for (const key of doomed) expect(await store.stat(key)).toBeNull()
      for (const key of spared) expect((await store.read(key)).toString()).toBe(key)
      expect(await store.deletePrefix(`${base}/1/`)).toBe(0)
      expect(await store.deletePrefix(`${base}/11/`)).toBe(0)
      expect(await store.stat(`${base}/11`)).not.toBeNull()
      await store.put(`${base}/1/a`, Buffer.from('again'))
      expect((await store.read(`${base}/1/a`)).toString()).toBe('again')
    })

    it('deletes blobs and prefixes together, also missing ones, without their siblings', async () => {
      const doomed = [`${base}/1/a`, `${base}/1/b/c`, `${base}/2`, `${base}/3/a`]
      const spared = [`${base}/10/a`, `${base}/20`, `${base}/3/b`]
      for (const key of [...doomed, ...spared]) await store.put(key, Buffer.from(key))
      const names = [`${base}/1/`, `${base}/2`, `${base}/3/a`, `${base}/3/c`, `${base}/4/`, `${base}/10`]
      for (let time = 0; time < 2; time += 1) {
        await store.deleteAll(names)
        for (const key of doomed) expect(await store.stat(key)).toBeNull()
        for (const key of spared) expect((await store.read(key)).toString()).toBe(key)
      }
      await store.deleteAll([])
    })

    it('lists the blobs below a prefix, but none of its siblings', async () => {
      const listed = [`${base}/1/a`, `${base}/1/b/c`]
      for (const key of [...listed, `${base}/10/a`]) await store.put(key, Buffer.from(key))
      expect((await store.list(`${base}/1/`)).sort()).toEqual(listed)
      expect(await store.list(`${base}/2/`)).toEqual([])
      await expect(store.list(base)).rejects.toThrow(TypeError)
    })

    it('deletes a blob that is already gone without an error', async () => {
      await store.put(`${base}/a/b`, Buffer.from('x'))
      await store.delete(`${base}/a/b`)
      expect(await store.stat(`${base}/a/b`)).toBeNull()
      await store.delete(`${base}/a/b`)
    })

    it('reports a missing blob at once, also when a folder has its name', async () => {
      await store.put(`${base}/folder/blob`, Buffer.from('x'))
      for (const key of [`${base}/nothing`, `${base}/folder`, `${base}/folder/blob/below`]) {
        expect(await store.stat(key)).toBeNull()
        await expect(store.read(key)).rejects.toThrow(BlobNotFoundError)
        await expect(store.read(key, { start: 1, end: 1 })).rejects.toThrow(BlobNotFoundError)
        await expect(store.stream(key)).rejects.toThrow(BlobNotFoundError)
        await expect(store.withLocalFile(key, async () => 1)).rejects.toThrow(BlobNotFoundError)
        await store.delete(key)
      }
    })

    it.each(['', '/', 'a//b', '/a', 'a/', '../a', 'a/../b', 'a/./b', 'a b', 'ä', 'a\0b', 'a\\b', 'a\n'])(
      'refuses %j as a key',
      async (key) => {
        await expect(store.put(key, Buffer.from('x'))).rejects.toThrow(TypeError)
        await expect(store.adopt('unused', key)).rejects.toThrow(TypeError)
        await expect(store.stat(key)).rejects.toThrow(TypeError)
        await expect(store.read(key)).rejects.toThrow(TypeError)
        await expect(store.stream(key)).rejects.toThrow(TypeError)
        await expect(store.withLocalFile(key, async () => 1)).rejects.toThrow(TypeError)
        await expect(store.delete(key)).rejects.toThrow(TypeError)
        await expect(store.deletePrefix(`${key}/`)).rejects.toThrow(TypeError)
        if (key !== 'a/') await expect(store.deleteAll([key])).rejects.toThrow(TypeError)
      },
    )

    it('refuses a prefix that does not end with a slash', async () => {
      await expect(store.deletePrefix('a')).rejects.toThrow(TypeError)
    })

    it('handles sixty concurrent puts and deletions', async () => {
      const keyOf = (index: number): string => `${base}/${String(index % 7)}/seg-${String(index)}.m4s`
      const indexes = Array.from({ length: 60 }, (_, index) => index)
      await Promise.all(
        indexes.map(async (index) => {
          await store.put(keyOf(index), Buffer.alloc(50_000, index))
          if (index % 3 === 0) await store.delete(keyOf(index))
        }),
      )
      for (const index of indexes) {
        if (index % 3 === 0) expect(await store.stat(keyOf(index))).toBeNull()
        else expect((await store.read(keyOf(index))).equals(Buffer.alloc(50_000, index))).toBe(true)
      }
      expect(await store.deletePrefix(`${base}/`)).toBe(40)
    })

    it('shares one local file between concurrent users, and keeps the blob when it is released', async () => {
      await store.put(`${base}/source`, Buffer.from('media'))
      const userCount = 4
      const allAreIn = Promise.withResolvers<void>()
      let usersIn = 0
      const useTogether = async (local: string): Promise<string> => {
        usersIn += 1
        if (usersIn === userCount) allAreIn.resolve()
        await allAreIn.promise
        expect((await readFile(local)).toString()).toBe('media')
        return local
      }
      const paths = await Promise.all(
        Array.from(
          { length: userCount },
          async () => await store.withLocalFile(`${base}/source`, useTogether),
        ),
      )
      expect(new Set(paths).size).toBe(1)
      const failed = store.withLocalFile(
        `${base}/source`,
        async () => await Promise.reject(new Error('ffmpeg failed')),
      )
      await expect(failed).rejects.toThrow('ffmpeg failed')
      expect((await store.read(`${base}/source`)).toString()).toBe('media')
      expect(await store.sweepTemporary(inTheFutureMs)).toBe(0)
    })

    it('lends a local file that has the planned bytes and the size of the blob', async () => {
      const data = randomBytes(300_000)
      const key = `${base}/planned`
      await store.put(key, data)
      const check = async (local: string, isWhole: boolean): Promise<boolean> => {
        const bytes = await readFile(local)
        expect(bytes).toHaveLength(data.length)
        return isWhole
          ? bytes.equals(data)
          : bytes.subarray(200_000, 250_000).equals(data.subarray(200_000, 250_000))
      }
      expect(await store.withLocalFile(key, check, async () => [{ start: 200_000, end: 250_000 }])).toBe(true)
      expect(await store.withLocalFile(key, check, async () => null)).toBe(true)
      expect(await store.withLocalFile(key, async (_local, isWhole) => isWhole)).toBe(true)
    })

    it('passes the health check when the store is healthy', async () => {
      await store.checkHealth()
    })
  })
}
