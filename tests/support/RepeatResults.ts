// Results of repeated test runs and their summary. Pure.

import { parseArgs } from "node:util"
import { table } from "./TestGroups.ts"

export interface RepeatOptions {
  readonly files: ReadonlyArray<string>
  readonly times: number
  /** Number of files that run at the same time. */
  readonly workers: number
  readonly load: boolean
  readonly resume: boolean
}

/** Results of one file over all its runs. */
export interface FileResults {
  readonly runs: number
  readonly failures: number
  /** First error of each failed run. */
  readonly errors: ReadonlyArray<string>
}

export type RepeatResults = Readonly<Record<string, FileResults>>

/** Options from the command line; a sentence when they are wrong. */
export const readOptions = (args: ReadonlyArray<string>): RepeatOptions | string => {
  const { positionals: files, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    options: {
      times: { type: "string", default: "10" },
      workers: { type: "string", default: "1" },
      load: { type: "boolean", default: false },
      resume: { type: "boolean", default: false }
    }
  })
  const { load, resume, times, workers, ...unknown } = values
  for (const name of Object.keys(unknown)) return `unknown option --${name}`
  const [count, atOnce] = [Number(times), Number(workers)]
  if (!Number.isInteger(count) || count < 1) return "--times needs a whole number from 1"
  if (!Number.isInteger(atOnce) || atOnce < 1) return "--workers needs a whole number from 1"
  if (files.length === 0) return "name at least one test file"
  return { files, times: count, workers: atOnce, load: load === true, resume: resume === true }
}

/** Adds one run. `error`: first error of a failed run. Runs with and without load are kept apart. */
export const addRun = (results: RepeatResults, key: string, error: string | undefined): RepeatResults => {
  const before = results[key] ?? { runs: 0, failures: 0, errors: [] }
  return {
    ...results,
    [key]: {
      runs: before.runs + 1,
      failures: before.failures + (error === undefined ? 0 : 1),
      errors: error === undefined ? before.errors : [...before.errors, error]
    }
  }
}

/** Table of all files, most failures per hundred runs first, then the errors. */
export const formatResults = (results: RepeatResults): string => {
  const rate = ({ failures, runs }: FileResults) => (100 * failures) / runs
  const files = Object.entries(results).sort(([, a], [, b]) => rate(b) - rate(a))
  return [
    table(
      ["per 100", "failures", "runs", "file"],
      files.map(([file, result]) => [rate(result).toFixed(1), String(result.failures), String(result.runs), file])
    ),
    ...files.flatMap(([file, { errors }]) => errors.map((error) => `${file}: ${error}`))
  ].join("\n")
}

interface Report {
  readonly testResults: ReadonlyArray<{
    readonly message?: string
    readonly assertionResults: ReadonlyArray<{
      readonly status: string
      readonly fullName: string
      readonly failureMessages?: ReadonlyArray<string> | null
    }>
  }>
}

/** First error of a run, from vitest's JSON report. Undefined when the run passed. */
export const firstError = (report: string | undefined, exitCode: number): string | undefined => {
  if (exitCode === 0) return undefined
  try {
    const { testResults } = JSON.parse(report ?? "") as Report
    const test = testResults.flatMap((file) => file.assertionResults).find(({ status }) => status === "failed")
    const text =
      test === undefined
        ? testResults.map(({ message = "" }) => message).find((message) => message !== "")
        : `${test.fullName}: ${test.failureMessages?.[0] ?? ""}`
    return text?.split("\n", 1)[0] ?? `exit code ${exitCode}`
  } catch {
    return `exit code ${exitCode} and no report`
  }
}
