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

  it("returns the methods of a path with parameters and wildcards, HEAD with GET", () => {
    assert.deepStrictEqual(methods("/things"), ["GET", "HEAD", "POST"])
    assert.deepStrictEqual(methods("/things/7"), ["DELETE"])
    assert.deepStrictEqual(methods("/files/a/b"), ["GET", "HEAD"])
  })

  it("returns none for an undeclared path", () => {
    for (const path of ["/thing", "/things/7/8", "/things/", "/axb", ""])
      assert.deepStrictEqual(methods(path), [], path)
  })
})
