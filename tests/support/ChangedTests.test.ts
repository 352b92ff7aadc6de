import { expect, it } from "vitest"
import { affectedTests } from "./ChangedTests.ts"

const files = [
  { path: "core/A.ts", text: `import "./B.ts"` },
  { path: "core/B.ts", text: "" },
  { path: "core/Alone.ts", text: "" },
  { path: "tests/support/Fleet.ts", text: "" },
  { path: "tests/core/A.test.ts", text: `import "#core/A.ts"; import type { C } from "#core/C.ts"` },
  { path: "tests/core/Golden.test.ts", text: `read("goldens/dovecot/answer.txt")` },
  { path: "tests/crash/x.test.ts", text: `import "#support/Fleet.ts"` },
  { path: "tests/systemd/units.test.ts", text: "" }
]

it.each([
  ["a file behind an import", "core/B.ts", ["tests/core/A.test.ts", "tests/crash/x.test.ts"]],
  ["a source of the bundle", "core/Alone.ts", ["tests/crash/x.test.ts"]],
  ["only a type", "core/C.ts", ["tests/crash/x.test.ts"]],
  ["a golden", "tests/goldens/dovecot/answer.txt", ["tests/core/Golden.test.ts"]],
  ["a unit", "systemd/signalbox@.service", ["tests/systemd/units.test.ts"]],
  ["a test", "tests/core/A.test.ts", ["tests/core/A.test.ts"]],
  ["a document", "GLOSSARY.md", []]
])("%s", (_, changed, affected) => {
  expect(affectedTests(files, [changed])).toEqual(affected)
})

it("runs everything when the lockfile changes", () => {
  expect(affectedTests(files, ["package-lock.json"])).toHaveLength(4)
})
