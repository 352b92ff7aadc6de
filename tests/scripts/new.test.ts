/**
 * The generator of daemons and features, on a copy of the tree: what it writes compiles, passes its own test (which
 * boots it alone and behind the gateway), answers on the command line, and leaves nothing behind when its folders go.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "../..")
const copy = mkdtempSync(join(tmpdir(), "signalbox-new-"))
const parts = ["bin", "config", "core", "daemons", "protocols", "scripts", "systemd", "tests/support"]
const files = ["package.json", "README.md", "tsconfig.json", "vitest.config.ts", ".oxfmtrc.json"]

/** Longest run of a child. Unit: milliseconds. Reason: a type check and two suites on a busy machine. */
const patience = 300_000

const node = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: "utf8",
    timeout: patience,
    env: { ...process.env, SIGNALBOX_DATA_DIR: join(copy, "var") }
  })
const generate = (...args: ReadonlyArray<string>) => node("scripts/new.ts", ...args)
const text = (path: string) => readFileSync(join(copy, path), "utf8")

beforeAll(() => {
  for (const path of [...parts, ...files]) cpSync(join(root, path), join(copy, path), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe("npm run new", () => {
  it("refuses bad and taken names and writes nothing", () => {
    for (const args of [[], ["daemon", "Bad_"], ["daemon", "identity"], ["feature", "nobody", "x"]]) {
      const { status, stderr } = generate(...args)
      expect([status, stderr.trim()], args.join(" ")).toEqual([1, expect.stringMatching(/\S/)])
    }
    expect(text("daemons/Daemons.ts")).toBe(readFileSync(join(root, "daemons/Daemons.ts"), "utf8"))
  })

  it("writes a daemon and a feature that compile and pass their tests", { timeout: 3 * patience }, () => {
    expect(generate("daemon", "sample").stderr).toBe("")
    expect(generate("feature", "sample", "more-things").stderr).toBe("")
    expect(text("config/signalbox.env.example")).toContain("#SIGNALBOX_SAMPLE_PORT=")
    expect(text("README.md")).toContain("| [sample](daemons/sample/README.md) |")
    expect(text("systemd/README.md")).toContain(" signalbox@sample.service ")
    const include = ["daemons/sample", "tests/daemons/sample"]
    writeFileSync(join(copy, "tsconfig.sample.json"), JSON.stringify({ extends: "./tsconfig.json", include }))
    expect(node("node_modules/typescript/bin/tsc", "-p", "tsconfig.sample.json").stdout).toBe("")
    const tested = node("node_modules/vitest/vitest.mjs", "run", "tests/daemons/sample", "--maxWorkers=1")
    expect(tested.status, tested.stdout + tested.stderr).toBe(0)
    expect(tested.stdout).toMatch(/2 passed/)
  })

  it("gives each feature a command", { timeout: patience }, () => {
    // Only `up`, `run` and `migrate` create a database.
    expect(node("daemons/main.ts", "migrate").status).toBe(0)
    for (const command of ["sample-entries", "sample-more-things"]) {
      const { status, stderr, stdout } = node("daemons/main.ts", command, "list", "--json")
      expect([status, stderr]).toEqual([0, `signalbox: embedded Postgres, data directory ${join(copy, "var")}\n`])
      expect(JSON.parse(stdout)).toEqual([])
    }
  })
})
