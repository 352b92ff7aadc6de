/** The mutation sample on a tree with two mutants: a test kills the first; the second survives. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"

const root = join(import.meta.dirname, "../..")
const tree = mkdtempSync(join(tmpdir(), "signalbox-mutate-"))

const test = (name: string, expectation: string) =>
  `import { expect, it } from "vitest"\nimport { ${name} } from "../../core/${name}.ts"\nit("works", () => ${expectation})\n`

const files = {
  "package.json": `{ "type": "module" }`,
  "vitest.config.ts": "export default {}",
  "core/both.ts": "export const both = (one: boolean, other: boolean) => one && other\n",
  "core/either.ts": "export const either = (one: boolean, other: boolean) => one || other\n",
  "tests/core/both.test.ts": test("both", "expect(both(true, false)).toBe(false)"),
  "tests/core/either.test.ts": test("either", "expect(either(true, true)).toBe(true)")
}
const record = join(tree, "var/mutate/1-2.jsonl")

const sample = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [join(root, "scripts/mutate.ts"), "--seed", "1", "--count", "2", ...args], {
    cwd: tree,
    encoding: "utf8"
  })

beforeAll(() => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"))
})
afterAll(() => rmSync(tree, { recursive: true, force: true }))

it("reports killed and surviving mutants, and resumes where it stopped", { timeout: 120_000 }, () => {
  const first = sample()
  expect(first.stderr).toBe("")
  expect(first.stdout).toMatch(/killed .* 1\/1 .*core\/both\.ts:1 .*&& -> \|\| .*by tests\/core\/both\.test\.ts works/)
  expect(first.stdout).toMatch(/survived .* 1\/1 .*core\/either\.ts:1 .*\|\| -> &&/)
  expect(first.stdout).toContain("2 drawn with seed 1: 1 killed, 1 survived")
  expect(first.status).toBe(1)
  expect(readFileSync(join(tree, "core/both.ts"), "utf8")).toBe(files["core/both.ts"])

  const lines = readFileSync(record, "utf8").trimEnd().split("\n")
  const killed = lines.findIndex((line) => line.includes(`"killed"`))
  writeFileSync(record, `${lines.filter((_, index) => index !== killed).join("\n")}\n`)
  writeFileSync(join(tree, "tests/core/both.test.ts"), test("both", "expect(both(true, true)).toBe(true)"))
  const second = sample("--resume")
  expect(second.stdout).toContain("0 killed, 2 survived")
  expect(second.stdout).not.toContain("core/either.ts")
})

it("does not count a test that is red without the mutant", { timeout: 120_000 }, () => {
  writeFileSync(join(tree, "tests/core/both.test.ts"), test("both", "expect(both(true, true)).toBe(false)"))
  expect(sample().stdout).toMatch(/survived .*core\/both\.ts:1 .*red without it: tests\/core\/both\.test\.ts/)
})
