import { columns, table } from "#core/cli/Output.ts"
import { expect, it } from "vitest"

it("aligns columns by visible characters, without colour codes", () => {
  expect(
    columns([
      ["a", "\u001b[32mok\u001b[0m", "x"],
      ["long", "down", ""]
    ])
  ).toEqual(["a     \u001b[32mok\u001b[0m    x", "long  down"])
})

it("a table without items says what there is not", () => {
  expect(table("No things.", [["id", "name"]])).toEqual(["No things."])
  expect(
    table("No things.", [
      ["id", "name"],
      ["1", "a"]
    ])
  ).toEqual(["ID  NAME", "1   a"])
})
