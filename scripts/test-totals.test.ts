import { expect, it } from 'vitest'
import {
  filesToRepeat,
  formatTotals,
  namesOfFailures,
  totalsAfterRepeat,
  totalsOfReport,
  type VitestReport,
} from './test-totals.ts'

const green: VitestReport = {
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [
    { name: 'a.test.ts', status: 'passed', assertionResults: [{ status: 'passed', fullName: 'a' }] },
  ],
}

const failedFile = (name: string, ...failures: readonly string[]) => ({
  name,
  status: 'failed',
  assertionResults: failures.map((fullName) => ({ status: 'failed', fullName })),
})

it('counts executed and skipped tests', () => {
  expect(totalsOfReport(green, 0)).toEqual({ passed: 5, failed: 0, skipped: 2, flaky: 0 })
})

it('counts a file that failed to load as one failure, beside the failed tests', () => {
  const testResults = [
    { name: 'broken.test.ts', status: 'failed', assertionResults: [] },
    failedFile('b.test.ts', 'one', 'two'),
  ]
  expect(totalsOfReport({ ...green, numFailedTests: 2, testResults }, 1).failed).toBe(3)
})

it('fails whenever vitest failed', () => {
  expect(totalsOfReport(green, 1).failed).toBe(1)
  expect(totalsOfReport(undefined, 0).failed).toBe(1)
})

it('mentions skipped tests only if there are any', () => {
  expect(formatTotals({ passed: 3, failed: 0, skipped: 0, flaky: 0 })).toBe('3 passed, 0 failed')
  expect(formatTotals({ passed: 3, failed: 1, skipped: 2, flaky: 0 })).toBe('3 passed, 1 failed, 2 skipped')
})

it('repeats failed files when they are few, and none when they are many', () => {
  const files = Array.from({ length: 11 }, (_, index) => failedFile(`${index}.test.ts`, 'x'))
  const few = files.slice(0, 10)
  expect(filesToRepeat({ ...green, testResults: [...green.testResults, ...few] })).toEqual(
    few.map(({ name }) => name),
  )
  expect(filesToRepeat({ ...green, testResults: files })).toEqual([])
  expect(filesToRepeat(undefined)).toEqual([])
})

it('reports tests that pass the second time as flaky by name, and the others as failed', () => {
  const first = { passed: 5, failed: 2, skipped: 1, flaky: 0 }
  expect(totalsAfterRepeat(first, { passed: 2, failed: 0, skipped: 0, flaky: 0 })).toEqual({
    passed: 7,
    failed: 0,
    skipped: 1,
    flaky: 2,
  })
  expect(totalsAfterRepeat(first, { passed: 1, failed: 1, skipped: 0, flaky: 0 })).toEqual(first)
  expect(
    namesOfFailures({ ...green, testResults: [failedFile('b.test.ts', 'one'), failedFile('c.test.ts')] }),
  ).toEqual(['b.test.ts > one', 'c.test.ts'])
})
