import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ByteRange } from './blob-store.ts'
import { mergeRanges, missingRanges } from './byte-ranges.ts'
import { createLocalCopies, type OpenRange } from './local-copies.ts'

const KiB = 1024
const MiB = 1024 * KiB
const data = randomBytes(4 * MiB)
const blob = { key: 'a/source', etag: '"1"', sizeBytes: data.length }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'zoetrope-copies-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const range = (start: number, end: number): ByteRange => ({ start, end })

/** Serves `data`, and remembers the requests. */
const createStore = (
  answer: (wanted: ByteRange) => Buffer = ({ start, end }) => data.subarray(start, end),
) => {
  const requests: ByteRange[] = []
  const openRange: OpenRange = async (_blob, wanted) => {
    requests.push(wanted)
    const bytes = answer(wanted)
    return (async function* () {
      for (let at = 0; at < bytes.length; at += 300_000) yield bytes.subarray(at, at + 300_000)
    })()
  }
  const copies = createLocalCopies({
    folder,
    openRange,
    toError: (error) => new Error('unavailable', { cause: error }),
  })
  return { copies, requests }
}

test('merges ranges, and finds the missing ones', () => {
  expect(mergeRanges([range(5, 9), range(0, 2), range(8, 12), range(3, 3), range(2, 4)])).toEqual([
    range(0, 4),
    range(5, 12),
  ])
  expect(mergeRanges([range(0, 2), range(6, 8), range(20, 21)], 4)).toEqual([range(0, 8), range(20, 21)])
  const known = [range(10, 20), range(30, 40)]
  expect(missingRanges([range(0, 50)], known)).toEqual([range(0, 10), range(20, 30), range(40, 50)])
  expect(missingRanges([range(12, 18), range(35, 36)], known)).toEqual([])
  expect(missingRanges([range(15, 35)], known)).toEqual([range(20, 30)])
  expect(missingRanges([], known)).toEqual([])
})

test('fetches only the planned bytes and those that the plan reads, each once', async () => {
  const { copies, requests } = createStore()
  const planned = [range(2 * MiB, 2 * MiB + 10), range(2 * MiB + 100 * KiB, 3 * MiB)]
  await copies.lend(
    blob,
    async (local, isWhole) => {
      const bytes = await readFile(local)
      expect(isWhole).toBe(false)
      expect(bytes).toHaveLength(data.length)
      expect(bytes.subarray(2 * MiB, 3 * MiB).equals(data.subarray(2 * MiB, 3 * MiB))).toBe(true)
      expect(bytes.subarray(0, 64 * KiB).equals(data.subarray(0, 64 * KiB))).toBe(true)
      expect(bytes.subarray(64 * KiB, 2 * MiB).some((byte) => byte !== 0)).toBe(false)
      // Not on tmpfs, but everywhere else holes take no space.
      expect((await stat(local)).blocks * 512).toBeLessThan(data.length / 2)
      await copies.lend(
        blob,
        async (same) => expect(same).toBe(local),
        async () => [range(2 * MiB, 3 * MiB + 1)],
      )
    },
    async (source) => {
      expect(source.sizeBytes).toBe(data.length)
      expect((await source.read(4, 8)).equals(data.subarray(4, 12))).toBe(true)
      expect((await source.read(20, 8)).equals(data.subarray(20, 28))).toBe(true)
      expect(await source.read(data.length, 8)).toHaveLength(0)
      return planned
    },
  )
  expect(requests).toEqual([range(0, 64 * KiB), range(2 * MiB, 3 * MiB), range(3 * MiB, 3 * MiB + 1)])
  expect(await readdir(folder)).toEqual([])
})

test('fetches the rest for a user of the whole blob, and for a plan without ranges', async () => {
  const { copies, requests } = createStore()
  const partly = Promise.withResolvers<void>()
  const part = copies.lend(
    blob,
    () => partly.promise,
    async () => [range(MiB, 2 * MiB)],
  )
  const isEqual = await copies.lend(
    blob,
    async (local, isWhole) => isWhole && (await readFile(local)).equals(data),
  )
  expect(isEqual).toBe(true)
  expect(requests).toEqual([range(MiB, 2 * MiB), range(0, MiB), range(2 * MiB, 4 * MiB)])
  await copies.lend(
    blob,
    async (_local, isWhole) => expect(isWhole).toBe(true),
    async () => null,
  )
  expect(requests).toHaveLength(3)
  partly.resolve()
  await part
  expect(await readdir(folder)).toEqual([])
})

test('does not fetch what a plan names after the end', async () => {
  const { copies, requests } = createStore()
  const isWhole = await copies.lend(
    blob,
    async (_local, whole) => whole,
    async () => [range(3 * MiB, 5 * MiB), range(9 * MiB, 10 * MiB)],
  )
  expect({ isWhole, requests }).toEqual({ isWhole: false, requests: [range(3 * MiB, 4 * MiB)] })
})

test('resumes a range where the connection broke', async () => {
  const { copies, requests } = createStore(({ start, end }) =>
    data.subarray(start, Math.min(end, start + MiB)),
  )
  const isEqual = await copies.lend(blob, async (local) => (await readFile(local)).equals(data))
  expect(isEqual).toBe(true)
  expect(requests.map(({ start }) => start)).toEqual([0, MiB, 2 * MiB, 3 * MiB])
})

test.each([
  ['nothing', () => Buffer.alloc(0)],
  ['the whole blob for a range', () => data],
])('rejects a server that answers with %s, and leaves no file', async (_what, answer) => {
  const { copies } = createStore(answer)
  const lent = copies.lend(
    blob,
    async () => 'used',
    async () => [range(MiB, 2 * MiB)],
  )
  await expect(lent).rejects.toThrow('unavailable')
  expect(await readdir(folder)).toEqual([])
})

test('rejects each user when the folder cannot be written', async () => {
  const copies = createLocalCopies({
    folder: '/dev/null/copies',
    openRange: async () => [] as unknown as AsyncIterable<Buffer>,
    toError: (error) => error,
  })
  const users = [
    copies.lend(blob, async () => 1),
    copies.lend(
      blob,
      async () => 2,
      async () => [],
    ),
  ]
  for (const user of users) await expect(user).rejects.toThrow('ENOTDIR')
})

test('a download whose connections each bring a part of it completes, however many are lost', async () => {
  const copies = createLocalCopies({
    folder,
    openRange: async (_blob, { start, end }) =>
      (async function* () {
        yield data.subarray(start, Math.min(end, start + 300_000))
        if (start + 300_000 < end) throw new Error('lost')
      })(),
    toError: (error) => error,
  })
  await copies.lend(blob, async (local) => {
    expect((await readFile(local)).equals(data)).toBe(true)
  })
})

test('a download whose connections bring nothing fails after five of them, and leaves no copy', async () => {
  let connections = 0
  const copies = createLocalCopies({
    folder,
    openRange: async () => {
      connections += 1
      throw new Error('lost')
    },
    toError: (error) => new Error('unavailable', { cause: error }),
  })
  await expect(copies.lend(blob, async () => 1)).rejects.toThrow('unavailable')
  expect(connections).toBe(5)
  expect(await readdir(folder)).toEqual([])
})
