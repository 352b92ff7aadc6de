// Test counts that `npm test` and CI print at the end. Pure.

/** Number of tests by result. */
export interface Summary {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Tests that passed only on a retry, each with its first error. */
  readonly secondTries: ReadonlyArray<string>
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: ReadonlyArray<{
    /** Absolute path of the file. */
    readonly name?: string
    readonly status: string
    readonly assertionResults: ReadonlyArray<Tried>
  }>
}

interface Tried {
  readonly status: string
  readonly fullName?: string
  readonly failureMessages?: ReadonlyArray<string>
}

/**
 * Test counts from vitest's JSON report. A file that could not run counts as one failed test. So does a nonzero exit
 * code without a failed test: a crash, a missing report, or an error outside of tests.
 */
export const summarize = (report: string | undefined, exitCode: number): Summary => {
  const parsed = parse(report)
  if (parsed === undefined) return { passed: 0, failed: 1, skipped: 0, secondTries: [] }
  const broken = parsed.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed")
  )
  const failed = parsed.numFailedTests + broken.length
  return {
    passed: parsed.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: parsed.numPendingTests + parsed.numTodoTests,
    secondTries: parsed.testResults.flatMap((file) => file.assertionResults).flatMap(secondTry)
  }
}

/** Paths of the test files to run again: those with a failed test, and those that could not run at all. */
export const failedFiles = (report: string | undefined): ReadonlyArray<string> =>
  (parse(report)?.testResults ?? []).flatMap(({ name, status }) => (status === "failed" && name ? [name] : []))

/**
 * Counts of a run whose failed files ran a second time. Lists the tests that failed in the first run and passed in the
 * second. Without a report of the second run, for example because the time was over, all failures of the first count.
 */
export const summarizeSecondRun = (first: string, second: string | undefined, exitCode: number): Summary => {
  const before = summarize(first, 1)
  if (parse(second) === undefined) return before
  const again = summarize(second, exitCode)
  const passedNow = new Set(testsOf(second, "passed"))
  return {
    ...before,
    passed: before.passed + Math.max(0, before.failed - again.failed),
    failed: again.failed,
    secondTries: [...before.secondTries, ...testsOf(first, "failed").filter((test) => passedNow.has(test))]
  }
}

/** Names of the tests with this result. */
const testsOf = (report: string | undefined, result: "passed" | "failed"): ReadonlyArray<string> =>
  (parse(report)?.testResults ?? []).flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ fullName, status }) => (status === result && fullName ? [fullName] : []))
  )

const secondTry = ({ failureMessages = [], fullName, status }: Tried): ReadonlyArray<string> =>
  status === "passed" && failureMessages.length > 0 ? [`${fullName}: ${failureMessages[0]!.split("\n", 1)[0]}`] : []

/** `N passed, N failed`, and the number of skipped tests if there are any. */
export const formatSummary = (summary: Summary): string =>
  `${summary.passed} passed, ${summary.failed} failed${summary.skipped > 0 ? `, ${summary.skipped} skipped` : ""}`

const parse = (report: string | undefined): Report | undefined => {
  try {
    return report === undefined ? undefined : (JSON.parse(report) as Report)
  } catch {
    return undefined
  }
}
