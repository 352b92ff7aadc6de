import { failedFiles, formatSummary, summarize, summarizeSecondRun } from "#support/Summary.ts"
import { describe, expect, it } from "vitest"

const report = (
  counts: { readonly passed?: number; readonly failed?: number; readonly pending?: number; readonly todo?: number },
  files: ReadonlyArray<unknown> = []
) =>
  JSON.stringify({
    numPassedTests: counts.passed ?? 0,
    numFailedTests: counts.failed ?? 0,
    numPendingTests: counts.pending ?? 0,
    numTodoTests: counts.todo ?? 0,
    testResults: files
  })

describe("the counts of a run", () => {
  it.each([
    ["all passed", report({ passed: 3 }), 0, "3 passed, 0 failed"],
    [
      "some failed",
      report({ passed: 3, failed: 2 }, [{ status: "failed", assertionResults: [{ status: "failed" }] }]),
      1,
      "3 passed, 2 failed"
    ],
    ["some skipped", report({ passed: 1, pending: 2, todo: 1 }), 0, "1 passed, 0 failed, 3 skipped"],
    [
      "a file that does not load",
      report({ passed: 1 }, [{ status: "failed", assertionResults: [] }]),
      1,
      "1 passed, 1 failed"
    ],
    ["an error outside of any test", report({ passed: 3 }), 1, "3 passed, 1 failed"],
    ["a crash before the report", undefined, 134, "0 passed, 1 failed"],
    ["half a report", "{", 0, "0 passed, 1 failed"]
  ])("%s", (_, text, exitCode, line) => {
    expect(formatSummary(summarize(text, exitCode))).toBe(line)
  })

  it("names what passed at the second try only", () => {
    const text = report({ passed: 2 }, [
      {
        status: "passed",
        assertionResults: [
          {
            status: "passed",
            fullName: "a door opens",
            failureMessages: ["AssertionError: it was shut\n    at Door.ts:1"]
          },
          { status: "passed", fullName: "a window opens", failureMessages: [] }
        ]
      }
    ])
    expect(summarize(text, 0)).toMatchObject({
      passed: 2,
      failed: 0,
      secondTries: ["a door opens: AssertionError: it was shut"]
    })
  })

  it("counts a second run of the failed files, and names what failed in the first only", () => {
    const file = (name: string, ...statuses: ReadonlyArray<string>) => ({
      name,
      status: statuses.includes("failed") ? "failed" : "passed",
      assertionResults: statuses.map((status, index) => ({ status, fullName: `${name} ${index}` }))
    })
    const first = report({ passed: 3, failed: 2 }, [
      file("a", "passed", "failed"),
      file("b", "failed"),
      file("c", "passed")
    ])
    expect(failedFiles(first)).toEqual(["a", "b"])
    const second = report({ passed: 2, failed: 1 }, [file("a", "passed", "passed"), file("b", "failed")])
    expect(summarizeSecondRun(first, second, 1)).toMatchObject({ passed: 4, failed: 1, secondTries: ["a 1"] })
  })

  it("counts the first run when the second has no report", () => {
    const first = report({ passed: 3, failed: 2 }, [
      { name: "a", status: "failed", assertionResults: ["0", "1"].map((fullName) => ({ status: "failed", fullName })) }
    ])
    expect(summarizeSecondRun(first, undefined, 1)).toMatchObject({ passed: 3, failed: 2, secondTries: [] })
  })
})
