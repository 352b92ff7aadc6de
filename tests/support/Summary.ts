// The counts that `npm test` and CI end with. Pure.

/** How many tests ended how. */
export interface Summary {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: ReadonlyArray<{ readonly status: string; readonly assertionResults: ReadonlyArray<{ readonly status: string }> }>
}

/**
 * Counts from vitest's JSON report. A file that could not be run at all counts as one failed test, and so does an
 * exit code that no failed test explains: a crash, a missing report, an error outside of any test.
 */
export const summarize = (report: string | undefined, exitCode: number): Summary => {
  const parsed = parse(report)
  if (parsed === undefined) return { passed: 0, failed: 1, skipped: 0 }
  const broken = parsed.testResults.filter((file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"))
  const failed = parsed.numFailedTests + broken.length
  return {
    passed: parsed.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: parsed.numPendingTests + parsed.numTodoTests
  }
}

/** `N passed, N failed`, and what was skipped if anything was. */
export const formatSummary = (summary: Summary): string =>
  `${summary.passed} passed, ${summary.failed} failed${summary.skipped > 0 ? `, ${summary.skipped} skipped` : ""}`

const parse = (report: string | undefined): Report | undefined => {
  try {
    return report === undefined ? undefined : (JSON.parse(report) as Report)
  } catch {
    return undefined
  }
}
