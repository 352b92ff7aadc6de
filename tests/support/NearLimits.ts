/**
 * Reporter for vitest: at the end of a run it lists the tests that took a large part of their time limit. On a machine
 * with other work they are the first to exceed it. The first test of a layer also counts the time in which the layer is
 * made, which has a limit of its own.
 */
import { relative } from "node:path"
import type { Reporter, TestCase } from "vitest/node"
import { table } from "./TestGroups.ts"

export interface Timed {
  readonly file: string
  readonly name: string
  /** Unit: milliseconds. */
  readonly took: number
  /** Time limit of the test. Unit: milliseconds. 0 or less: none. */
  readonly limit: number
}

/** Smallest listed part of a time limit. Reason: busy cores make a test take twice as long. */
const smallestPart = 0.4

/** Maximum number of listed tests. */
const most = 20

/** Table of the tests nearest to their time limits, the nearest first. Undefined when there are none. Pure. */
export const nearLimits = (tests: ReadonlyArray<Timed>): string | undefined => {
  const near = tests
    .filter(({ limit, took }) => limit > 0 && took >= smallestPart * limit)
    .sort((a, b) => b.took / b.limit - a.took / a.limit)
    .slice(0, most)
  if (near.length === 0) return undefined
  const seconds = (ms: number) => (ms / 1_000).toFixed(1)
  return table(
    ["took s", "limit s", "test near its time limit"],
    near.map(({ file, limit, name, took }) => [seconds(took), seconds(limit), `${file} > ${name}`])
  )
}

export default class NearLimits implements Reporter {
  readonly #tests: Array<Timed> = []

  onTestCaseResult(test: TestCase): void {
    const took = test.diagnostic()?.duration
    if (took === undefined) return
    const file = relative(process.cwd(), test.module.moduleId)
    this.#tests.push({ file, name: test.fullName, took, limit: test.options.timeout ?? 0 })
  }

  onTestRunEnd(): void {
    const text = nearLimits(this.#tests)
    if (text !== undefined) process.stdout.write(`\n${text}\n`)
  }
}
