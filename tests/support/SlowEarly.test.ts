import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { slowEarly, slowFiles } from "./SlowEarly.ts"

it("lists files that exist", () => {
  expect(slowFiles.filter((path) => !existsSync(join(import.meta.dirname, "../..", path)))).toEqual([])
})

it("spreads the slow files of a group over its beginning, the slowest first, and keeps the order of the others", () => {
  const [slowest, second] = slowFiles
  const order = (...files: ReadonlyArray<string>) =>
    slowEarly(
      files,
      (file) => file.slice(2),
      (file) => file[0]!
    )
  expect(order("b x", `b ${second}`, "a y", "b w", "b v", `b ${slowest}`, "b u", `a ${second}`)).toEqual([
    `b ${slowest}`,
    "b x",
    `b ${second}`,
    "b w",
    "b v",
    "b u",
    `a ${second}`,
    "a y"
  ])
  expect(order("a x", "a y")).toEqual(["a x", "a y"])
})
