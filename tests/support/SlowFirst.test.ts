import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { slowFiles, slowFirst } from "./SlowFirst.ts"

it("lists files that exist", () => {
  expect(slowFiles.filter((path) => !existsSync(join(import.meta.dirname, "../..", path)))).toEqual([])
})

it("moves slow files to the front of their group, the slowest first, and keeps the order of the others", () => {
  const [slowest, second] = slowFiles
  const files = [`b ${second}`, "b x", "a y", `b ${slowest}`, `a ${second}`, "b w"]
  const sorted = slowFirst(
    files,
    (file) => file.slice(2),
    (file) => file[0]!
  )
  expect(sorted).toEqual([`b ${slowest}`, `b ${second}`, "b x", "b w", `a ${second}`, "a y"])
})
