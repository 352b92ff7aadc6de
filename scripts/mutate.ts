// `npm run test:mutate -- --seed N --count 40 [--resume] [--only 7] [--minutes 10] [--workers 1]`: draws mutants of
// core, protocols and daemons, and runs for each the tests that its file reaches, nearest first, until one turns red.
// Works on a copy of the checkout. A test counts only when it is green without the mutant. Exits with 1 when a mutant
// survives.
//
// Written by hand, because Stryker 10.1 draws no sample, calls the API of TypeScript 6, starts processes without the
// mutant, and runs all related tests before its first mutant: 289 s for core/limits/TokenBucket.ts alone. Here a killed
// mutant takes 36 s (median of 17 mutants of seed 1901, on the same two busy cores).

import {
  cpSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, relative } from "node:path"
import { parseArgs } from "node:util"
import { readSourceTree } from "../tests/support/SourceTree.ts"
import { startTestServer } from "../tests/support/globalSetup.ts"
import { draw, mutable } from "./mutate/Draw.ts"
import { type Mutant, mutate } from "./mutate/Mutants.ts"
import { makeReach } from "./mutate/Reach.ts"
import { addResult, formatResult, readRecord, type Result, startRecord } from "./mutate/Record.ts"
import { makeTestRun } from "./mutate/TestRun.ts"

/** Number of test files in the first run of a mutant; each further run has twice as many. */
const firstBatch = 2

const root = process.cwd()
const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    count: { type: "string", default: "40" },
    resume: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    minutes: { type: "string", default: "10" },
    workers: { type: "string", default: "1" }
  }
})
if (values.seed === undefined) {
  process.stderr.write("usage: npm run test:mutate -- --seed N [--count 40] [--resume] [--only N] [--minutes 10]\n")
  process.exit(2)
}
const record = join(root, `var/mutate/${values.seed}-${values.count}.jsonl`)
const files = readSourceTree(root)
const reach = makeReach(files)
const sample =
  (values.resume || values.only.length > 0 ? readRecord(record) : undefined) ??
  startRecord(record, draw(mutable(files), Number(values.seed), Number(values.count)))

const folder = mkdtempSync(join(tmpdir(), "m-"))
const copy = join(folder, "c")
const temporary = join(folder, "t")
const left = new Set(["node_modules", ".git", "var", "coverage"])
cpSync(root, copy, {
  recursive: true,
  preserveTimestamps: true,
  filter: (path) => relative(root, path) === "" || !left.has(basename(path))
})
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
// Postgres runs as another user and must reach its socket.
mkdirSync(temporary)
chmodSync(folder, 0o755)
chmodSync(temporary, 0o777)

const tests = makeTestRun(copy, temporary, Number(values.workers))
/** Test files by their result without a mutant. */
const unmutated = new Map<string, boolean>()

const write = (path: string, text: string) => writeFileSync(join(copy, path), text)

/** True when these files are green without the mutant. */
const areGreen = async (mutant: Mutant, text: string, paths: ReadonlyArray<string>, seconds: number) => {
  write(mutant.file, text)
  const unknown = paths.filter((path) => !unmutated.has(path))
  if (unknown.length > 0) {
    const green = (await tests.run(unknown, seconds)).is === "green"
    if (green || unknown.length === 1) for (const path of unknown) unmutated.set(path, green)
    else return false
  }
  write(mutant.file, mutate(text, mutant))
  return paths.every((path) => unmutated.get(path))
}

/** Runs the tests of one mutant. */
const examine = async (mutant: Mutant): Promise<Omit<Result, "mutant" | "seconds">> => {
  const text = readFileSync(join(copy, mutant.file), "utf8")
  const reached = reach.testsOf(mutant.file)
  const unusable: Array<string> = []
  const until = performance.now() + Number(values.minutes) * 60_000
  const left = () => (until - performance.now()) / 1000
  let waiting = reached
  let size = firstBatch
  const done = (verdict: Result["verdict"], found: { by?: string; error?: string } = {}) => ({
    verdict,
    ...found,
    ran: reached.length - waiting.length,
    reached: reached.length,
    unusable
  })
  if (text.slice(mutant.start, mutant.end) !== mutant.original) return done("moved")
  write(mutant.file, mutate(text, mutant))
  try {
    while (waiting.length > 0) {
      if (left() <= 0) return done("unfinished")
      const batch = waiting.slice(0, size)
      const verdict = await tests.run(batch, left())
      if (verdict.is === "out of time") return done("unfinished")
      const suspects = verdict.is === "red" && verdict.file !== undefined ? [verdict.file] : batch
      if (verdict.is === "green") {
        waiting = waiting.slice(size)
        size *= 2
      } else if (await areGreen(mutant, text, suspects, Number(values.minutes) * 60)) {
        waiting = waiting.filter((path) => !suspects.includes(path))
        if (verdict.is === "hanging") return done("killed", { by: "hangs" })
        return done("killed", { by: `${suspects.join(" ")} ${verdict.test}`.trim(), error: verdict.error })
      } else {
        unusable.push(...suspects)
        waiting = waiting.filter((path) => !suspects.includes(path))
      }
    }
    return done("survived")
  } finally {
    write(mutant.file, text)
  }
}

const stopServer = existsSync(join(root, "tests/support/globalSetup.ts")) ? await startTestServer() : undefined
const clean = async () => {
  tests.stop()
  await stopServer?.()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void clean().finally(() => process.exit(130)))

const results = new Map(sample.results)
const wanted = new Set(values.only.map(Number))
try {
  for (const [index, mutant] of sample.mutants.entries()) {
    const number = index + 1
    if (wanted.size > 0 ? !wanted.has(number) : results.has(number)) continue
    const started = performance.now()
    const result: Result = {
      mutant: number,
      ...(await examine(mutant)),
      seconds: Math.round((performance.now() - started) / 1000)
    }
    addResult(record, result)
    results.set(number, result)
    process.stdout.write(`${formatResult(mutant, result)}\n`)
  }
} finally {
  await clean()
}

const verdicts = [...results.values()].map(({ verdict }) => verdict)
const countOf = (verdict: Result["verdict"]) => verdicts.filter((one) => one === verdict).length
const counts = (["killed", "survived", "unfinished", "moved"] as const).map((one) => `${countOf(one)} ${one}`)
process.stdout.write(
  `${sample.mutants.length} drawn with seed ${values.seed}: ${counts.join(", ")}. Record: ${relative(root, record)}\n`
)
if (verdicts.some((verdict) => verdict === "survived")) process.exitCode = 1
