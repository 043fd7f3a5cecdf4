export interface Totals {
  passed: number
  failed: number
  skipped: number
}

/** What is read of the file that vitest's JSON reporter writes (the format is Jest's). */
export interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: readonly { status: string; assertionResults: readonly { status: string }[] }[]
}

export const addTotals = (one: Totals, other: Totals): Totals => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
})

/**
 * The figures of a run. Failures outside of tests count too, so that the totals can't be green when vitest is not: a
 * file that fails to load or in a hook is one, and so is a run that failed as a whole or left no report.
 */
export const totalsOfReport = (report: VitestReport | undefined, exitCode: number): Totals => {
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  ).length
  const failed = report.numFailedTests + brokenFiles
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** The closing line: `12 passed, 0 failed`, and how many were skipped if any were. */
export const formatTotals = ({ passed, failed, skipped }: Totals): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
