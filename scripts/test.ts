// `npm test`: installs the real servers that tests need, runs the whole suite, and prints the counts on one line.
// `--profile[=FILE]` measures the run; `--changed [REF]` runs the files that a change can affect (tests/README.md). All
// other arguments are passed to vitest. Exits with vitest's exit code.

import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve as resolvePath } from "node:path"
import { affectedTests } from "../tests/support/ChangedTests.ts"
import { ensurePeers } from "../tests/support/peers/install.ts"
import { peerGroups } from "../tests/support/peers/Peers.ts"
import { startProfile } from "../tests/support/profile/ProfileRun.ts"
import { readSourceTree } from "../tests/support/SourceTree.ts"
import { failedFiles, formatSummary, summarize, summarizeSecondRun, type Summary } from "../tests/support/Summary.ts"
import { choosingNothing, readArguments } from "../tests/support/TestArguments.ts"
import { formatTimes } from "../tests/support/TestGroups.ts"
import { isTest } from "../tests/support/TestProjects.ts"
import { changedFiles, isRevision } from "./changedFiles.ts"
import { requireInstalled } from "./devTools.ts"

const root = join(import.meta.dirname, "..")
const options = readArguments(process.argv.slice(2), (word) => isRevision(root, word))

requireInstalled()
const sources = readSourceTree(root)
const tests = sources.map(({ path }) => path).filter(isTest)
const absent = choosingNothing(
  options.rest,
  tests.map((path) => join(root, path))
)
if (absent.length > 0) {
  process.stderr.write(`no test file has this in its path: ${absent.join(", ")}\n`)
  process.exit(1)
}
const affected = options.changed === undefined ? undefined : affectedTests(sources, changedFiles(root, options.changed))
if (affected !== undefined) process.stdout.write(`the change can affect ${affected.length} test files\n`)
if (affected?.length === 0) {
  process.stdout.write("0 passed, 0 failed\n")
  process.exit()
}
// All groups: with CI set, a test whose peer is missing fails.
if (options.needsPeers) await ensurePeers(peerGroups)

const folder = mkdtempSync(join(tmpdir(), "signalbox-test-"))
const report = join(folder, "report.json")

/** Maximum number of failed files that run a second time. Reason: more failures are no accident of a busy machine. */
const maxSecondRun = 30

const profile = options.profile === undefined ? undefined : startProfile(folder, root)
const code = await runVitest(report, [...(profile?.args ?? []), ...options.rest, ...(affected ?? [])])
const text = readReport(report)
const times =
  profile === undefined
    ? formatTimes(text, root)
    : profile.finish(resolvePath(root, options.profile || "var/profile.json"))
const again = process.env["CI"] === undefined || profile !== undefined ? [] : failedFiles(text)
// The machine of CI may be busy with other work. A file that failed runs once more, alone; the output lists its tests.
const summary =
  text !== undefined && again.length > 0 && again.length <= maxSecondRun
    ? await secondRun(text, again)
    : summarize(text, code)
if (times !== undefined) process.stdout.write(`${times}\n`)
rmSync(folder, { recursive: true, force: true })
for (const test of summary.secondTries) process.stdout.write(`passed at the second try only: ${test}\n`)
process.stdout.write(`${formatSummary(summary)}\n`)
process.exitCode = summary.failed > 0 ? 1 : 0

async function secondRun(first: string, files: ReadonlyArray<string>): Promise<Summary> {
  process.stdout.write(`\n${files.length} files failed and run a second time\n`)
  const path = join(folder, "second.json")
  const status = await runVitest(path, ["--maxWorkers=1", ...files])
  return summarizeSecondRun(first, readReport(path), status)
}

/** Runs vitest and returns its exit code. */
function runVitest(output: string, args: ReadonlyArray<string>): Promise<number> {
  return new Promise<number>((resolve) => {
    const vitest = spawn(
      process.execPath,
      [
        join(root, "node_modules/vitest/vitest.mjs"),
        "run",
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${output}`,
        `--reporter=${join(root, "tests/support/NearLimits.ts")}`,
        ...args
      ],
      { cwd: root, stdio: "inherit", env: { ...process.env, ...profile?.env } }
    )
    if (vitest.pid !== undefined) profile?.started(vitest.pid)
    // The terminal sends SIGINT to both processes; this one continues in order to print the counts.
    const forward = (signal: NodeJS.Signals) => void vitest.kill(signal)
    process.on("SIGINT", () => {}).on("SIGTERM", forward)
    vitest.once("error", (error) => {
      process.stderr.write(`vitest did not start: ${error.message}\n`)
      resolve(1)
    })
    vitest.once("exit", (status) => resolve(status ?? 1))
  })
}

function readReport(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}
