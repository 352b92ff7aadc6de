// `npm run check`: types, lint, format, and the rules on imports, casts and line length (`arrows`). Each prints one
// line with its duration. All checks run; any failure makes the exit code 1. Long files are only a warning.

import { spawn } from "node:child_process"
import { join } from "node:path"
import { formatViolation, scanArrows } from "../tests/support/Arrows.ts"
import { castsOff, foreignWrites, longLines } from "../tests/support/SourceRules.ts"
import { readSourceTree } from "../tests/support/SourceTree.ts"
import { requireInstalled } from "./devTools.ts"

requireInstalled()

/** Number of lines from which a file causes a warning. Source: files usually have 60 to 150 lines. */
const longFile = 400

interface Outcome {
  readonly ok: boolean
  /** The findings, or warnings when `ok`. */
  readonly text: string
}

const root = join(import.meta.dirname, "..")

/**
 * Checks both TypeScript projects; the console has its own, because it runs in a browser. The compiler keeps what it
 * found in `var/types/`: the second check takes 10 s of processor time instead of 61.
 */
const types = async (): Promise<Outcome> => {
  const outcomes = await Promise.all(
    [".", "console"].map((project) =>
      run(process.execPath, [
        "node_modules/typescript/bin/tsc",
        "-p",
        project,
        "--incremental",
        "--tsBuildInfoFile",
        join(root, `var/types/${project === "." ? "main" : project}.json`)
      ])
    )
  )
  return {
    ok: outcomes.every(({ ok }) => ok),
    text: outcomes
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join("\n")
  }
}

const lint = () => run(process.execPath, ["node_modules/oxlint/bin/oxlint", "--deny-warnings", "."])

const format = () => run(process.execPath, ["node_modules/oxfmt/bin/oxfmt", "--check", "."])

const arrows = async (): Promise<Outcome> => {
  const files = readSourceTree(root)
  const violations = [...scanArrows(files), ...castsOff(files), ...foreignWrites(files), ...longLines(files)].map(
    formatViolation
  )
  const warnings = files
    .map((file) => ({ path: file.path, lines: file.text.split("\n").length }))
    .filter((file) => file.lines > longFile)
    .map((file) => `warning: ${file.path} has ${file.lines} lines: one idea a file, split it`)
  return { ok: violations.length === 0, text: [...violations, ...warnings].join("\n") }
}

const run = (command: string, args: ReadonlyArray<string>): Promise<Outcome> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
    let text = ""
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()))
    child.once("error", (error) => resolve({ ok: false, text: error.message }))
    child.once("close", (code) => resolve({ ok: code === 0, text: code === 0 ? "" : text.trim() }))
  })

for (const [name, check] of Object.entries({ types, lint, format, arrows })) {
  const started = performance.now()
  const outcome = await check()
  if (outcome.text !== "") process.stdout.write(`${outcome.text}\n`)
  process.stdout.write(
    `${name} ${outcome.ok ? "ok" : "failed"} ${((performance.now() - started) / 1_000).toFixed(1)} s\n`
  )
  if (!outcome.ok) process.exitCode = 1
}
