export interface Totals {
  passed: number
  failed: number
  skipped: number
  flaky: number
}

/** The used part of the report that vitest's JSON reporter writes (the format is Jest's). */
export interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: readonly {
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
 * Returns the figures of a run. Failures outside tests count too, so that the totals are never green when
 * vitest is not. A file that fails to load or in a hook is one failure, and so is a failed run or a missing
 * report.
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

/** More failed files than this, of about 500, indicate a real fault, not an overloaded machine. */
const mostFlakyFiles = 10

/** Returns the files worth repeating alone: only if few failed and nothing else went wrong. */
export const filesToRepeat = (report: VitestReport | undefined): readonly string[] => {
  const failed = (report?.testResults ?? []).filter(({ status }) => status === 'failed')
  return failed.length <= mostFlakyFiles ? failed.map(({ name }) => name) : []
}

export const namesOfFailures = (report: VitestReport): readonly string[] =>
  report.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      return failed.length === 0 ? [name] : failed.map(({ fullName }) => `${name} > ${fullName}`)
    })

/** Totals of both runs. A failure in the second run counts as a failure. */
export const totalsAfterRepeat = (first: Totals, second: Totals): Totals =>
  second.failed > 0
    ? first
    : { ...first, passed: first.passed + first.failed, failed: 0, flaky: first.failed }

/** The closing line: `12 passed, 0 failed`, with skipped and flaky counts if there are any. */
export const formatTotals = ({ passed, failed, skipped, flaky }: Totals): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}${flaky > 0 ? `, ${flaky} flaky` : ''}`
