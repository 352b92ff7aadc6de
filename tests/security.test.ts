import { assert, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")

it("the threat model names tests that exist, and one for every rule", () => {
  const text = readFileSync(join(root, "docs/security.md"), "utf8")
  const paths = [...text.matchAll(/`(tests\/[^`]+)`/g)].map(([, path]) => path!)
  assert.isAbove(paths.length, 20)
  assert.deepStrictEqual(
    paths.filter((path) => !existsSync(join(root, path))),
    []
  )
  for (const table of text.split("| attack | rule | test |").slice(1)) {
    const rows = table.split("\n\n")[0]!.trim().split("\n").slice(1)
    for (const row of rows) assert.match(row, /`tests\/[^`]+\.ts`/, row)
  }
})
