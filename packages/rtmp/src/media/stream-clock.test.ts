import { expect, test } from 'vitest'
import { StreamClock } from './stream-clock.ts'

type Sent = readonly ['video' | 'audio', number]

const timesOf = (sent: readonly Sent[]) => {
  const clock = new StreamClock()
  return sent.map(([kind, timestamp]) => clock.advance(kind, timestamp).timestampMs)
}

test.each<[string, readonly Sent[], readonly number[]]>([
  [
    'timestamps continue as sent',
    [
      ['video', 0],
      ['audio', 10],
      ['video', 40],
    ],
    [0, 10, 40],
  ],
  [
    'a stream may begin anywhere',
    [
      ['video', 0x100_0000],
      ['audio', 0x100_0010],
    ],
    [0x100_0000, 0x100_0010],
  ],
  [
    'time goes on past 32 bits',
    [
      ['video', 2 ** 32 - 10],
      ['video', 20],
      ['audio', 15],
    ],
    [2 ** 32 - 10, 2 ** 32 + 20, 2 ** 32 + 15],
  ],
  [
    'sound may lag behind the picture across the turn',
    [
      ['video', 5],
      ['audio', 2 ** 32 - 5],
      ['video', 45],
    ],
    [5, 0, 45],
  ],
  [
    'a kind never runs backwards',
    [
      ['video', 100],
      ['video', 90],
      ['video', 110],
    ],
    [100, 100, 110],
  ],
  [
    'a clock that is set back goes on',
    [
      ['video', 100_000],
      ['audio', 100_010],
      ['video', 0],
      ['audio', 10],
      ['video', 40],
    ],
    [100_000, 100_010, 100_010, 100_020, 100_050],
  ],
  [
    'a clock that leaps by an hour goes on',
    [
      ['video', 0],
      ['video', 3_600_000],
      ['video', 3_600_040],
    ],
    [0, 0, 40],
  ],
  [
    'a pause of a minute is a pause',
    [
      ['video', 0],
      ['video', 60_000],
    ],
    [0, 60_000],
  ],
])('stream clock: %s', (_, sent, times) => {
  expect(timesOf(sent)).toEqual(times)
})

test('StreamClock stays correct after a hundred wraparounds of 49.7 days', () => {
  const clock = new StreamClock()
  const stepMs = 599_999
  const steps = Math.ceil((100 * 2 ** 32) / stepMs)
  let last = 0
  for (let step = 0; step <= steps; step++)
    last = clock.advance('video', (step * stepMs) % 2 ** 32).timestampMs
  expect(last).toBe(steps * stepMs)
})

test('StreamClock reports a jump once, with its size', () => {
  const clock = new StreamClock()
  const jumps = [50_000, 50_040, 1_000, 1_040].map((sent) => clock.advance('video', sent).jumpedMs)
  expect(jumps).toEqual([0, 0, -49_040, 0])
})
