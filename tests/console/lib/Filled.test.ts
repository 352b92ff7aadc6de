import { assert, describe, it } from "@effect/vitest"
import { filled } from "../../../console/lib/Filled.ts"

describe("filled", () => {
  it.each([
    ["Hello {name}", { name: "Anna" }, "Hello Anna"],
    ["{a} of { b }", { a: 1, b: 2 }, "1 of 2"],
    ["l''{name}", { name: "eau" }, "l'eau"],
    ["'{name}' {name}", { name: "x" }, "{name} x"],
    ["It's fine", {}, "It's fine"],
    ["{missing} {toString}", {}, "{missing} {toString}"],
    ["{name}", { name: "{other}" }, "{other}"],
    ["{name}", { name: "<img src=x onerror=alert(1)>" }, "<img src=x onerror=alert(1)>"]
  ])("%s", (text, values, wanted) => {
    assert.strictEqual(filled(text, values), wanted)
  })
})
