// Runs test files of a copied checkout in a vitest process of its own and stops at the first red test.

import { type ChildProcess, spawn } from "node:child_process"
import { readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs"
import { join, relative } from "node:path"

/** How long vitest may print nothing before the run counts as hanging. Unit: seconds. */
const longestSilence = 180

/** Limits of one test and one hook. Unit: milliseconds. Reason: a busy machine must not turn a test red. */
const limits = ["--testTimeout=60000", "--hookTimeout=120000"]

export type Verdict =
  | { readonly is: "green" }
  | { readonly is: "red"; readonly file: string | undefined; readonly test: string; readonly error: string }
  | { readonly is: "hanging" }
  | { readonly is: "out of time" }

interface Report {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: ReadonlyArray<{
      readonly status: string
      readonly fullName: string
      readonly failureMessages?: ReadonlyArray<string>
    }>
  }>
}

export interface TestRun {
  /** Runs these files for at most `seconds`. Rejects when a signal ends vitest. Never ends after `stop`. */
  readonly run: (files: ReadonlyArray<string>, seconds: number) => Promise<Verdict>
  /** Stops a run and all processes that its tests left in the copy. */
  readonly stop: () => void
}

/** `temporary` is the folder for temporary files of the tests. */
export const makeTestRun = (copy: string, temporary: string, workers: number): TestRun => {
  const report = join(temporary, "report.json")
  let child: ChildProcess | undefined
  let stopped = false
  const killAll = () => {
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, "SIGKILL")
    for (const pid of processesBelow(copy)) process.kill(pid, "SIGKILL")
  }
  const run = (files: ReadonlyArray<string>, seconds: number) => {
    rmSync(report, { force: true })
    const { CI: _, ...env } = process.env
    const started = spawn(
      process.execPath,
      [
        "node_modules/vitest/vitest.mjs",
        "run",
        ...files,
        "--bail=1",
        `--maxWorkers=${workers}`,
        ...limits,
        "--reporter=verbose",
        "--reporter=json",
        `--outputFile.json=${report}`
      ],
      { cwd: copy, env: { ...env, TMPDIR: temporary }, detached: true, stdio: ["ignore", "pipe", "pipe"] }
    )
    child = started
    return new Promise<Verdict>((resolve, reject) => {
      let output = ""
      const end = (verdict: Verdict) => {
        clearTimeout(limit)
        clearTimeout(silence)
        killAll()
        if (!stopped) resolve(verdict)
      }
      const limit = setTimeout(() => end({ is: "out of time" }), seconds * 1000)
      const silence = setTimeout(() => end({ is: "hanging" }), longestSilence * 1000)
      const hear = (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-4000)
        silence.refresh()
      }
      started.stdout.on("data", hear)
      started.stderr.on("data", hear)
      started.once("error", (error) => end({ is: "red", file: undefined, test: "", error: error.message }))
      started.once("close", (code, signal) => {
        if (code !== null) end(code === 0 ? { is: "green" } : firstRed(copy, report, output))
        else if (!stopped) reject(new Error(`${signal} ended vitest`))
      })
    })
  }
  const stop = () => {
    stopped = true
    killAll()
  }
  return { run, stop }
}

/** The first failed test; without one, the first file that could not run. */
const firstRed = (copy: string, report: string, output: string): Verdict => {
  const results = readReport(report)?.testResults ?? []
  const [failed] = results.flatMap(({ assertionResults, name }) =>
    assertionResults.filter(({ status }) => status === "failed").map((test) => ({ name, ...test }))
  )
  const broken = results.find(({ message = "", status }) => status === "failed" && message !== "")
  const named = failed ?? broken
  return {
    is: "red",
    file: named && relative(copy, named.name),
    test: failed?.fullName ?? "",
    error: firstLine(failed?.failureMessages?.[0] ?? broken?.message ?? output.trim().slice(-200))
  }
}

const readReport = (path: string): Report | undefined => {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Report
  } catch {
    return undefined
  }
}

const firstLine = (text: string): string => text.split("\n", 1)[0]!.slice(0, 200)

/** Ids of processes whose working directory is below `folder`. */
const processesBelow = (folder: string): ReadonlyArray<number> =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && pid !== process.pid && readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`)
      } catch {
        return false
      }
    })
