import { assert, describe, it } from "vitest"
import { present, stacked } from "../../../console/parts/Counts.ts"

describe("Counts", () => {
  it("puts lists upon one another", () => {
    assert.deepStrictEqual(
      stacked([
        [1, 0, 2],
        [3, 4, 0],
        [0, 0, 5]
      ]),
      [
        [1, 0, 2],
        [4, 4, 2],
        [4, 4, 7]
      ]
    )
    assert.deepStrictEqual(stacked([]), [])
  })

  it("names what counts, in its order, and what it does not know last", () => {
    assert.deepStrictEqual(
      present(
        [
          { failed: 1, other: 2 },
          { done: 3, never: 0 }
        ],
        ["done", "running", "failed"]
      ),
      ["done", "failed", "other"]
    )
  })
})
