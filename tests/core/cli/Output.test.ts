import { columns } from "#core/cli/Output.ts"
import { expect, it } from "vitest"

it("aligns columns by visible characters, without colour codes", () => {
  expect(
    columns([
      ["a", "\u001b[32mok\u001b[0m", "x"],
      ["long", "down", ""]
    ])
  ).toEqual(["a     \u001b[32mok\u001b[0m    x", "long  down"])
})
