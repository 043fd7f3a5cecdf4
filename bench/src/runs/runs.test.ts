import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeRow } from '../harness/row.ts'
import { changesOf, formatChanges } from './compare.ts'
import { confidenceOf } from './confidence.ts'
import { drawLine, formatHistory, keep, readHistory } from './history.ts'
import type { RunResult } from './run-result.ts'

const runOf = (commit: string, milliseconds: number, ratio: number): RunResult => ({
  facts: {
    ...{ cpu: 'AMD EPYC (2 cores)', cores: 2, memoryGigabytes: 24, kernel: '6', fileSystem: 'ext4' },
    ...{ node: 'v26', ffmpeg: '7', commit, startedAt: '2026-01-01T00:00:00.000Z', loadBefore: 0 },
  },
  isQuick: false,
  failures: [],
  groups: [
    {
      name: 'reads',
      seconds: 1,
      coresOfOthers: 0.03,
      rows: [
        makeRow({ name: 'GET', value: milliseconds, unit: 'ms', limit: { name: 'node', value: 1 }, ratio }),
        makeRow({ name: 'alone', value: milliseconds * 2, unit: 'ms' }),
      ],
    },
  ],
})

test('a confidence interval holds the geometric mean, and is wide for few pairs that differ', () => {
  const { ratio, low, high } = confidenceOf([0.5, 2])
  expect(ratio).toBeCloseTo(1)
  expect(low).toBeLessThan(0.01)
  expect(high).toBeGreaterThan(100)
  // Logarithms of mean 0.1 and standard deviation 0.1: half of the interval is 2.776 · 0.1 / √5.
  const logarithms = [0, 0.05, 0.1, 0.15, 0.2].map(
    (value) => 0.1 + (value - 0.1) * (0.1 / Math.sqrt(0.00625)),
  )
  const known = confidenceOf(logarithms.map(Math.exp))
  expect(Math.log(known.ratio)).toBeCloseTo(0.1)
  expect(Math.log(known.high)).toBeCloseTo(0.1 + (2.776 * 0.1) / Math.sqrt(5))
  expect(() => confidenceOf([1])).toThrow('two pairs')
})

test('a comparison names the change of each figure that both sides have, and says where none is seen', () => {
  const before = [100, 110, 90].map((value) => runOf('a', value, 1))
  const faster = [50, 55.1, 44.9].map((value) => runOf('b', value, 1))
  const [get, alone] = changesOf(before, faster)
  expect(get).toMatchObject({ name: 'GET ÷ node', before: 100, after: 50 })
  expect(get!.high).toBeLessThan(0.6)
  expect(alone).toMatchObject({ name: 'alone', before: 200, after: 100 })
  expect(formatChanges([get!])).toContain('-50.0 %')
  const same = [90, 110, 100].map((value) => runOf('b', value, 1))
  expect(formatChanges(changesOf(before, same))).toContain('no change seen')
  const without = before.map((one) => ({ ...one, groups: [] }))
  expect(changesOf(without, faster)).toEqual([])
})

test('kept figures have the commit and the processor, and are drawn in their order', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-history-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  expect(await readHistory(folder)).toEqual([])
  for (const [commit, ratio] of [
    ['a1', 2],
    ['b2', 4],
    ['c3', 3],
  ] as const)
    await keep(runOf(commit, 10 * ratio, ratio), folder)
  const kept = await readHistory(folder)
  expect(kept).toHaveLength(6)
  expect(kept[0]).toEqual({
    ...{ at: '2026-01-01T00:00:00.000Z', commit: 'a1', cpu: 'AMD EPYC (2 cores)', cores: 2, group: 'reads' },
    ...{ name: 'GET ÷ node', unit: 'ms', value: 20, ratio: 2, coresOfOthers: 0.03 },
  })
  const text = formatHistory(kept)
  expect(text).toMatch(
    /AMD EPYC \(2 cores\) *\| reads *\| GET ÷ node *\| 3 *\| ×2\.00 \(a1\) *\| ×3\.00 \(c3\) *\| ▁█▅/,
  )
  expect(text).toMatch(/alone *\| 3 *\| 40\.0 ms \(a1\) *\| 60\.0 ms \(c3\)/)
  expect(drawLine([5, 5])).toBe('▁▁')
})
