import { expect, it } from 'vitest'
import { formatTotals, totalsOfReport, type VitestReport } from './test-totals.ts'

const green: VitestReport = {
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }],
}

it('counts what ran and what was left out', () => {
  expect(totalsOfReport(green, 0)).toEqual({ passed: 5, failed: 0, skipped: 2 })
})

it('counts a file that could not be loaded as one failure, beside the tests that failed', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'failed' }] },
  ]
  expect(totalsOfReport({ ...green, numFailedTests: 2, testResults }, 1).failed).toBe(3)
})

it('is never green when vitest was not', () => {
  expect(totalsOfReport(green, 1).failed).toBe(1)
  expect(totalsOfReport(undefined, 0).failed).toBe(1)
})

it('names skipped tests only if there are some', () => {
  expect(formatTotals({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
  expect(formatTotals({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
})
