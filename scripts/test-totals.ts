export interface Totals {
  passed: number
  failed: number
  skipped: number
  /** Of those that passed: what failed first, and passed when it was run again alone. */
  flaky: number
}

/** What is read of the file that vitest's JSON reporter writes (the format is Jest's). */
export interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: readonly {
    /** Path of the file. */
    name: string
    status: string
    assertionResults: readonly { status: string; fullName: string }[]
  }[]
}

export const addTotals = (one: Totals, other: Totals): Totals => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
  flaky: one.flaky + other.flaky,
})

/**
 * The figures of a run. Failures outside of tests count too, so that the totals can't be green when vitest is not: a
 * file that fails to load or in a hook is one, and so is a run that failed as a whole or left no report.
 */
export const totalsOfReport = (report: VitestReport | undefined, exitCode: number): Totals => {
  if (!report) return { passed: 0, failed: 1, skipped: 0, flaky: 0 }
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  ).length
  const failed = report.numFailedTests + brokenFiles
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
    flaky: 0,
  }
}

/** More than so many files fail by a fault of ours, and not of the machine. */
const mostFlakyFiles = 3

/** The files that are worth another run, alone: a few failed, and nothing but them went wrong. */
export const filesToRepeat = (report: VitestReport | undefined): readonly string[] => {
  const failed = (report?.testResults ?? []).filter(({ status }) => status === 'failed')
  return failed.length <= mostFlakyFiles ? failed.map(({ name }) => name) : []
}

/** What failed in the first run, by name. */
export const namesOfFailures = (report: VitestReport): readonly string[] =>
  report.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      return failed.length === 0 ? [name] : failed.map(({ fullName }) => `${name} > ${fullName}`)
    })

/** Of both runs together. Another failure in the second one is a failure. */
export const totalsAfterRepeat = (first: Totals, second: Totals): Totals =>
  second.failed > 0
    ? first
    : { ...first, passed: first.passed + first.failed, failed: 0, flaky: first.failed }

/** The closing line: `12 passed, 0 failed`, and how many were skipped or flaky if any were. */
export const formatTotals = ({ passed, failed, skipped, flaky }: Totals): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}${flaky > 0 ? `, ${flaky} flaky` : ''}`
