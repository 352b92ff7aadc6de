import { assert, describe, it } from "vitest"
import { beside, read, write } from "../../../console/parts/Address.ts"

const defaults = { state: "", workflow: "alarm" }

describe("Address", () => {
  it("reads what a query says of its names, and nothing else", () => {
    assert.deepStrictEqual(read("?state=failed&other=1", defaults), { state: "failed", workflow: "alarm" })
    // An empty value means any; a missing value means the default.
    assert.deepStrictEqual(read("?workflow=", defaults), { state: "", workflow: "" })
  })

  it("writes what is not as usual, so that it is read again", () => {
    assert.strictEqual(write(defaults, defaults), "")
    for (const value of [
      { state: "failed", workflow: "alarm" },
      { state: "a&b=c", workflow: "" }
    ]) {
      assert.deepStrictEqual(read(write(value, defaults), defaults), value)
    }
    assert.strictEqual(write({ state: "failed", workflow: "alarm" }, defaults), "?state=failed")
  })

  it("leaves the rest of the query as it is", () => {
    assert.strictEqual(beside("?account=7&state=done", { state: "", workflow: "x" }, defaults), "?account=7&workflow=x")
    assert.strictEqual(beside("?state=done", defaults, defaults), "")
  })
})
