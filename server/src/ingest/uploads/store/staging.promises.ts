import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, type TestContext } from 'vitest'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { AppendOptions, StagedBytes, Staging } from './staging.ts'

export interface StagingUnderTest {
  readonly staging: Staging
  readonly blobs: BlobStore
  readonly database: Database
  readonly accountId: number
  readonly stop: () => Promise<void>
}

const MiB = 1024 * 1024

export const newBytes = (accountId: number, changed: Partial<StagedBytes> = {}): StagedBytes => {
  const name = randomUUID()
  return { name, accountId, blob: `a1/p1/f1/source-${name}`, sizeBytes: null, isHashed: false, ...changed }
}

/** Sends `data` in chunks as a socket does; disconnects after `brokenAfter` bytes. */
export async function* bodyOf(data: Buffer, brokenAfter = Infinity): AsyncGenerator<Buffer> {
  for (let start = 0; start < data.length; start += 65_536) {
    if (start >= brokenAfter) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    // A copy, because a staging may free the memory of its chunks.
    yield Buffer.from(data.subarray(start, start + 65_536))
  }
}

/**
 * Tests every promise of `Staging`. `open` may return why the staging is unavailable here, which skips the
 * tests.
 */
export const describeStagingPromises = (
  title: string,
  open: () => Promise<StagingUnderTest | { readonly unavailable: string }>,
): void => {
  describe(`${title} as a staging`, () => {
    let started: StagingUnderTest | { readonly unavailable: string } = { unavailable: 'it was not started' }
    let under: StagingUnderTest

    beforeAll(async () => {
      started = await open()
      if ('staging' in started) under = started
    })
    afterAll(async () => {
      if ('staging' in started) await started.stop()
    })
    beforeEach((context: TestContext) => {
      if ('unavailable' in started) context.skip(started.unavailable)
    })

    const unasked = (): void => {}
    const append = (bytes: StagedBytes, data: Buffer, options: AppendOptions, brokenAfter?: number) =>
      under.staging.hold(bytes, unasked, () =>
        under.staging.append(bytes.name, bodyOf(data, brokenAfter), options),
      )
    const appendAll = async (bytes: StagedBytes, pieces: readonly Buffer[]): Promise<void> => {
      let offset = 0
      for (const piece of pieces) {
        const { sizeBytes } = await append(bytes, piece, {
          offset,
          maxSizeBytes: 100 * MiB,
          sizeBytes: bytes.sizeBytes,
        })
        offset += piece.length
        expect(sizeBytes).toBe(offset)
        expect(await under.staging.sizeOf(bytes.name)).toBe(offset)
      }
    }
    const move = (bytes: StagedBytes) =>
      under.staging.hold(bytes, unasked, async () => {
        const moved = await under.staging.moveToBlob(bytes)
        await under.database.transaction((tx) => under.staging.settle(tx, bytes.name))
        return moved
      })
    const expectBlob = async ({ blob }: StagedBytes, data: Buffer): Promise<void> => {
      expect((await under.blobs.read(blob)).equals(data)).toBe(true)
    }

    it('has no size before the first byte', async () => {
      expect(await under.staging.sizeOf(randomUUID())).toBeNull()
    })

    it.each([
      ['one byte', [1]],
      ['small requests', [100_000, 1, 65_536, 200_000]],
      ['one request larger than a part', [20 * MiB + 5]],
      ['requests that end within parts', [3 * MiB, 7 * MiB, 100, 9 * MiB, 1]],
      ['one request of exactly a part', [8 * MiB]],
    ])('makes the blob of %s, whether the size is known or not', async (_, lengths) => {
      const pieces = lengths.map((length) => randomBytes(length))
      const data = Buffer.concat(pieces)
      for (const sizeBytes of [data.length, null]) {
        const bytes = newBytes(under.accountId, { sizeBytes, isHashed: true })
        await appendAll(bytes, pieces)
        const sha256 = await under.staging.hold(bytes, unasked, () => under.staging.sha256(bytes.name))
        expect(sha256).toBe(createHash('sha256').update(data).digest('hex'))
        expect(await move(bytes)).toEqual({ sizeBytes: data.length })
        await expectBlob(bytes, data)
        expect(await under.staging.sizeOf(bytes.name)).toBeNull()
      }
    })

    it('skips the bytes of a body that it has', async () => {
      const data = randomBytes(300_000)
      const bytes = newBytes(under.accountId)
      await appendAll(bytes, [data.subarray(0, 200_000)])
      await append(bytes, data.subarray(100_000), {
        offset: 200_000,
        skipBytes: 100_000,
        maxSizeBytes: data.length,
      })
      await move(bytes)
      await expectBlob(bytes, data)
    })

    it('keeps the bytes of a sender that disconnects, and continues after them', async () => {
      const data = randomBytes(10 * MiB)
      const bytes = newBytes(under.accountId, { sizeBytes: data.length })
      const broken = await append(bytes, data, { offset: 0, maxSizeBytes: data.length }, 9 * MiB)
      expect(broken).toEqual({ sizeBytes: 9 * MiB, isWhole: false, isAccepted: true })
      const offset = (await under.staging.sizeOf(bytes.name)) ?? 0
      expect(offset).toBe(9 * MiB)
      await append(bytes, data.subarray(offset), { offset, maxSizeBytes: data.length })
      await move(bytes)
      await expectBlob(bytes, data)
    })

    it.each([
      ['refuses', 10 * MiB, { isWhole: true }],
      ['cannot judge, because the sender disconnects', 9 * MiB, { isWhole: false }],
    ])('keeps no byte of a body that its caller %s', async (_, brokenAfter, how) => {
      const start = randomBytes(3 * MiB)
      const rest = randomBytes(10 * MiB)
      const bytes = newBytes(under.accountId, { isHashed: true })
      await appendAll(bytes, [start])
      const at = { offset: start.length, maxSizeBytes: 100 * MiB }
      const refused = await append(bytes, rest, { ...at, isAccepted: () => false }, brokenAfter)
      expect(refused).toEqual({ sizeBytes: start.length, isAccepted: false, ...how })
      expect(await under.staging.sizeOf(bytes.name)).toBe(start.length)
      await append(bytes, rest, { ...at, isAccepted: () => true })
      await move(bytes)
      await expectBlob(bytes, Buffer.concat([start, rest]))
    })

    it('starts over at offset 0', async () => {
      const data = randomBytes(9 * MiB)
      const bytes = newBytes(under.accountId, { isHashed: true })
      await appendAll(bytes, [randomBytes(10 * MiB), randomBytes(100)])
      await append(bytes, data, { offset: 0, maxSizeBytes: data.length })
      expect(await under.staging.sizeOf(bytes.name)).toBe(data.length)
      await move(bytes)
      await expectBlob(bytes, data)
    })

    it('takes a body of tiny chunks', async () => {
      const data = randomBytes(20_000)
      const bytes = newBytes(under.accountId, { sizeBytes: data.length })
      const body = async function* (): AsyncGenerator<Buffer> {
        for (let start = 0; start < data.length; start += 7) yield data.subarray(start, start + 7)
      }
      await under.staging.hold(bytes, unasked, () =>
        under.staging.append(bytes.name, body(), { offset: 0, maxSizeBytes: data.length }),
      )
      await move(bytes)
      await expectBlob(bytes, data)
    })

    it('refuses bytes past the largest size', async () => {
      const bytes = newBytes(under.accountId)
      await expect(append(bytes, randomBytes(200_000), { offset: 0, maxSizeBytes: 150_000 })).rejects.toThrow(
        expect.objectContaining({ code: 'too_large' }),
      )
      await under.staging.remove(bytes.name)
    })

    it('makes the blob again after a crash before its transaction', async () => {
      const data = randomBytes(9 * MiB)
      const bytes = newBytes(under.accountId, { sizeBytes: data.length })
      await appendAll(bytes, [data])
      await under.staging.hold(bytes, unasked, () => under.staging.moveToBlob(bytes))
      expect(await move(bytes)).toEqual({ sizeBytes: data.length })
      await expectBlob(bytes, data)
    })

    it('joins uploads of any size, which stay', async () => {
      const sizes = [100, 6 * MiB, 5 * MiB + 1, 2 * MiB, 2 * MiB, 11 * MiB, 7]
      const data = sizes.map((size) => randomBytes(size))
      const parts = await Promise.all(
        data.map(async (piece) => {
          const name = randomUUID()
          const part = newBytes(under.accountId, {
            name,
            blob: `uploads/${name}/whole`,
            sizeBytes: piece.length,
          })
          await appendAll(part, [piece])
          return part
        }),
      )
      for (const order of [parts, parts.slice(0, 1)]) {
        const whole = newBytes(under.accountId)
        await under.staging.hold(whole, unasked, () => under.staging.join(whole.name, order, 100 * MiB))
        const expected = Buffer.concat(data.slice(0, order.length))
        expect(await move({ ...whole, sizeBytes: expected.length })).toEqual({ sizeBytes: expected.length })
        await expectBlob(whole, expected)
      }
      for (const { name } of parts) await under.staging.remove(name)
    })

    it('removes bytes, also again and when there are none', async () => {
      const bytes = newBytes(under.accountId)
      await appendAll(bytes, [randomBytes(9 * MiB), randomBytes(100)])
      await under.staging.remove(bytes.name)
      expect(await under.staging.sizeOf(bytes.name)).toBeNull()
      await under.staging.remove(bytes.name)
    })
  })
}
