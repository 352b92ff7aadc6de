// `npm run test:repeat -- PATH … --times N [--workers N] [--load] [--resume]`: runs test files again and again and
// prints how often each failed. Results are stored after every run; `--resume` adds to those of earlier calls.

import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { addRun, firstError, formatResults, readOptions, type RepeatResults } from "../tests/support/RepeatResults.ts"
import { readSourceTree } from "../tests/support/SourceTree.ts"
import { isTest } from "../tests/support/TestProjects.ts"

const root = join(import.meta.dirname, "..")
const stored = join(root, "var/repeat.json")

/** Longest run of one file. Unit: milliseconds. Reason: the longest file takes three minutes on idle cores. */
const timeout = 15 * 60_000

const main = async (): Promise<void> => {
  const options = readOptions(process.argv.slice(2))
  if (typeof options === "string") return fail(options)
  const files = readSourceTree(root)
    .map(({ path }) => path)
    .filter((path) => isTest(path) && options.files.some((part) => path.includes(part)))
  if (files.length === 0) return fail("no test file has such a path")
  let results = options.resume && existsSync(stored) ? (JSON.parse(readFileSync(stored, "utf8")) as RepeatResults) : {}
  const busy = options.load ? Array.from({ length: availableParallelism() }, startLoad) : []
  const end = () => busy.forEach((child) => child.kill("SIGKILL"))
  process.once("exit", end)
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130))
  mkdirSync(join(root, "var"), { recursive: true })
  const runs = Array.from({ length: options.times }, (_, run) => files.map((file) => ({ run: run + 1, file }))).flat()
  const work = async (): Promise<void> => {
    for (let next = runs.shift(); next !== undefined; next = runs.shift()) {
      const { file, run } = next
      const error = await runOnce(file)
      results = addRun(results, options.load ? `${file} (load)` : file, error)
      writeFileSync(stored, `${JSON.stringify(results, null, 1)}\n`)
      process.stdout.write(`${run}/${options.times} ${error === undefined ? "passed" : "failed"} ${file}\n`)
      if (error !== undefined) process.exitCode = 1
    }
  }
  await Promise.all(Array.from({ length: options.workers }, work))
  end()
  process.stdout.write(`${formatResults(results)}\n`)
}

/** Keeps one core busy. Ends when its standard input closes, so also when this process dies. */
const load = `process.stdin.on("end", () => process.exit()).resume()
const work = () => {
  for (const end = Date.now() + 50; Date.now() < end; );
  setImmediate(work)
}
work()`

const startLoad = (): ChildProcess => spawn(process.execPath, ["-e", load], { stdio: ["pipe", "ignore", "ignore"] })

const runOnce = (file: string): Promise<string | undefined> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-repeat-"))
  const report = join(folder, "report.json")
  const args = ["run", "--retry=0", "--reporter=json", `--outputFile=${report}`, file]
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), ...args], {
      cwd: root,
      stdio: "ignore",
      timeout
    })
    const done = (code: number) => {
      const text = existsSync(report) ? readFileSync(report, "utf8") : undefined
      rmSync(folder, { recursive: true, force: true })
      resolve(firstError(text, code))
    }
    child.once("error", () => done(1))
    child.once("exit", (code) => done(code ?? 1))
  })
}

const fail = (message: string): void => {
  process.stderr.write(
    `${message}\nusage: npm run test:repeat -- PATH … [--times N] [--workers N] [--load] [--resume]\n`
  )
  process.exitCode = 2
}

await main()
