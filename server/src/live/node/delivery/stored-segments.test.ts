import { expect, test } from 'vitest'
import { createStoredSegments } from './stored-segments.ts'

/** Segments of 100 bytes. Counts the reads, and fails those of segments in `gone`. */
const makeRendition = () => {
  const rendition = {
    gone: new Set<number>(),
    reads: [] as number[],
    segment: () => ({ sizeBytes: 100 }),
    read: async (number: number) => {
      rendition.reads.push(number)
      if (rendition.gone.has(number)) throw new Error('ENOENT')
      return [Buffer.alloc(100, number)]
    },
  }
  return rendition
}

const open = (limits = { heldBytes: 300, idleBytes: 200 }) => {
  const clock = { nowMs: 0 }
  const stored = createStoredSegments(() => clock.nowMs, limits)
  return { stored, clock, rendition: makeRendition() }
}

test('viewers at the same position share one read, concurrently and in sequence', async () => {
  const { stored, rendition } = open()
  const [one, other] = [stored.take(rendition, 1), stored.take(rendition, 1)]
  expect((await one.pieces)[0]).toBe((await other.pieces)[0])
  one.release()
  other.release()
  await one.pieces
  await stored.take(rendition, 1).pieces
  expect(rendition.reads).toEqual([1])
  await stored.take(makeRendition(), 1).pieces
  expect(rendition.reads).toEqual([1])
})

test('rejects reads beyond the memory limit until bytes have been sent', async () => {
  const { stored, rendition } = open()
  const taken = [1, 2, 3].map((number) => stored.take(rendition, number))
  expect(() => stored.take(rendition, 4)).toThrow(/Too many viewers/)
  // Another viewer of an in-flight segment needs no further memory.
  stored.take(rendition, 1)
  taken[1]?.release()
  await taken[1]?.pieces
  await stored.take(rendition, 4).pieces
  expect(rendition.reads).toEqual([1, 2, 3, 4])
})

test('keeps unused segments up to the idle limit, for 30 seconds', async () => {
  const { stored, rendition, clock } = open()
  const readAll = async (...numbers: number[]) => {
    for (const number of numbers) {
      const { pieces, release } = stored.take(rendition, number)
      await pieces
      release()
      await pieces
    }
  }
  await readAll(1, 2, 3)
  await readAll(2, 3)
  expect(rendition.reads).toEqual([1, 2, 3])
  await readAll(1, 3)
  expect(rendition.reads).toEqual([1, 2, 3, 1])
  clock.nowMs += 29_999
  stored.sweep()
  await readAll(3)
  clock.nowMs += 1
  stored.sweep()
  await readAll(3)
  expect(rendition.reads).toEqual([1, 2, 3, 1])
  await readAll(1)
  expect(rendition.reads).toEqual([1, 2, 3, 1, 1])
})

test('a dropped segment is not found, frees its bytes, and is read again on the next request', async () => {
  const { stored, rendition } = open({ heldBytes: 100, idleBytes: 100 })
  rendition.gone.add(1)
  for (let round = 0; round < 2; round++) {
    const { pieces, release } = stored.take(rendition, 1)
    await expect(pieces).rejects.toMatchObject({ code: 'not_found' })
    release()
    await pieces.catch(() => {})
  }
  rendition.gone.clear()
  await stored.take(rendition, 1).pieces
  expect(rendition.reads).toEqual([1, 1, 1])
})
