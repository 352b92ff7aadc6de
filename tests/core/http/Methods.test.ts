import { allowed } from "#core/http/Methods.ts"
import { assert, describe, it } from "@effect/vitest"

describe("allowed", () => {
  const methods = allowed([
    { method: "GET", path: "/things" },
    { method: "POST", path: "/things" },
    { method: "DELETE", path: "/things/:id" },
    { method: "GET", path: "/files/*" },
    { method: "GET", path: "/a.b" }
  ])

  it("answers the methods of a path, with parameters and rests filled in", () => {
    assert.deepStrictEqual(methods("/things"), ["GET", "POST"])
    assert.deepStrictEqual(methods("/things/7"), ["DELETE"])
    assert.deepStrictEqual(methods("/files/a/b"), ["GET"])
  })

  it("answers none for a path that nobody declared", () => {
    for (const path of ["/thing", "/things/7/8", "/things/", "/axb", ""])
      assert.deepStrictEqual(methods(path), [], path)
  })
})
