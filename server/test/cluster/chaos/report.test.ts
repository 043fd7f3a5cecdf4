import { expect, test } from 'vitest'
import type { Entry, Logged } from '../workload/journal.ts'
import { reportOf } from './report.ts'

const at = (seconds: number, entry: Entry): Logged => ({ ...entry, atMs: seconds * 1_000 })
const mark = (seconds: number, fault: string, isEnd: boolean): Logged =>
  at(seconds, { kind: 'fault', fault, target: 'api1', isEnd })
const read = (seconds: number, isGood = true): Logged =>
  at(seconds, { kind: 'probe', probe: 'read', isGood, tookMs: 5 })

test('reports the longest time without an answer for each fault, and what was lost', () => {
  const journal = [
    ...[read(0), read(1), mark(2, 'freeze', false), read(3, false), read(5), mark(6, 'freeze', true)],
    ...[read(7), mark(8, 'kill', false), read(8.5), mark(9, 'kill', true), read(20)],
  ]
  const report = reportOf(journal, { findings: [{ kind: 'lost', text: 'file 1' }], figures: { files: 3 } })
  expect(report).toContain('lost 1, wrong 0\n  LOST file 1\n')
  expect(report).toContain('files: 3')
  expect(report).toContain('| freeze | 1 | 4.0 | 0.0 | 0.0 | 0.0 |')
  expect(report).toContain('| kill | 1 | 11.5 |')
})
