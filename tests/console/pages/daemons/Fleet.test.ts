import "#support/console/PageGlobals.ts"
import { assert, describe, it } from "vitest"
import { actorStatus, byIllness, extras } from "../../../../console/pages/daemons/Fleet.ts"

describe("Fleet", () => {
  it("puts the worst first, those alike by name, and leaves its list as it was", () => {
    const all = [
      ["b", "ok"],
      ["c", "unconfigured"],
      ["d", "degraded"],
      ["a", "ok"],
      ["e", "down"]
    ] as const
    assert.deepStrictEqual(
      byIllness(
        all,
        ([, status]) => status,
        ([name]) => name
      ).map(([name]) => name),
      ["e", "d", "a", "b", "c"]
    )
    assert.strictEqual(all[0]![0], "b")
  })

  it("reads an actor's state in the words of the others", () => {
    assert.deepStrictEqual(
      (["running", "waiting", "escalated", "elsewhere", "stopped"] as const).map((state) =>
        actorStatus({ state, stalled: false })
      ),
      ["ok", "degraded", "down", "ok", "ok"]
    )
    assert.strictEqual(actorStatus({ state: "running", stalled: true }), "degraded")
  })

  it("tells what a component says besides", () => {
    assert.deepStrictEqual(extras({ status: "ok", detail: "x", port: 25, open: { a: 1 }, never: undefined }), [
      ["port", 25],
      ["open", { a: 1 }]
    ])
  })
})
