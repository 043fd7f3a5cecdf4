import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ReadPacer } from './read-pacer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Each read returns as many bytes as the next entry says, and asks for no further read by itself, as a socket does. */
const startSource = (pacer: ReadPacer, sizes: readonly number[]) => {
  const left = [...sizes]
  const received: number[] = []
  const source = new Readable({
    read: () => {
      const size = left.shift()
      if (size !== undefined) setImmediate(() => source.push(size === 0 ? null : Buffer.alloc(size)))
    },
  })
  pacer.add(source)
  source.on('data', ({ length }: Buffer) => received.push(length))
  return { source, received }
}

test('ReadPacer reads all sockets once in each interval', async () => {
  const pacer = new ReadPacer(40)
  const [one, other] = [startSource(pacer, [1, 2, 3]), startSource(pacer, [4, 5])]
  await vi.advanceTimersByTimeAsync(45)
  expect([one.received, other.received]).toEqual([[1], [4]])
  await vi.advanceTimersByTimeAsync(45)
  expect([one.received, other.received]).toEqual([
    [1, 2],
    [4, 5],
  ])
})

test('ReadPacer reads again at once after a large read, until all is read', async () => {
  const { source, received } = startSource(new ReadPacer(40), [65_536, 40_000, 7, 0])
  await vi.advanceTimersByTimeAsync(45)
  expect(received).toEqual([65_536, 40_000, 7])
  await vi.advanceTimersByTimeAsync(45)
  expect(source.readableEnded).toBe(true)
})

test('ReadPacer does not read a destroyed socket', async () => {
  const { source, received } = startSource(new ReadPacer(40), [1, 2])
  await vi.advanceTimersByTimeAsync(45)
  source.destroy()
  await vi.advanceTimersByTimeAsync(90)
  expect(received).toEqual([1])
})
