import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { version } from "#core/config/Version.ts"
import { readSourceTree } from "#support/SourceTree.ts"

const root = join(import.meta.dirname, "../../..")

it("the version is that of package.json, which no other module reads, and the newest of the changelog", () => {
  expect(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version).toBe(version)
  const readers = readSourceTree(root).filter(
    ({ path, text }) => /^(core|daemons|protocols)\//.test(path) && /from "[./]*package\.json"/.test(text)
  )
  expect(readers.map(({ path }) => path)).toEqual(["core/config/Version.ts"])
  expect(/^## (\S+)$/m.exec(readFileSync(join(root, "CHANGELOG.md"), "utf8"))?.[1]).toBe(version)
})
