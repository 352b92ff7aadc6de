import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { page } from "#core/http/Paging.ts"
import * as RequestTargets from "#core/http/RequestTargets.ts"

const api = Api.make("things").add(
  HttpApiGroup.make("things").add(
    HttpApiEndpoint.get("list", "/things", {
      query: {
        ...page(),
        q: Schema.optionalKey(Schema.String),
        unread_only: Schema.optionalKey(Schema.Literals(["true", "false"])),
        order: Schema.optionalKey(Schema.Literals(["true", "asc"]))
      },
      success: Schema.String
    }),
    HttpApiEndpoint.post("create", "/things", { success: Schema.String }),
    HttpApiEndpoint.delete("remove", "/things/:id", {
      params: { id: Schema.String },
      query: { force: Schema.optionalKey(Schema.Boolean) },
      success: Schema.String
    })
  )
)

describe("the declared spelling of a request target", () => {
  const declared = RequestTargets.make(api, ["/files", "/files/*", "/things/*", "/health"])
  const of = (target: string, method = "GET") => declared(method, target)?.target ?? target

  it("has no trailing slash, where only that path is known", () => {
    for (const [sent, target] of [
      ["/things/", "/things"],
      ["/things/?before=7", "/things?before=7"],
      ["/things/7/", "/things/7"],
      ["/health/", "/health"],
      ["/files/", "/files/"],
      ["/files/a/", "/files/a/"],
      ["/things//", "/things//"],
      ["/unknown/", "/unknown/"],
      ["/", "/"]
    ] as const)
      assert.strictEqual(of(sent), target, sent)
  })

  it("spells booleans as declared", () => {
    for (const word of ["1", "true", "True", "TRUE", "yes", "on"])
      assert.strictEqual(of(`/things?unread_only=${word}`), "/things?unread_only=true", word)
    for (const word of ["0", "false", "False", "no", "Off"])
      assert.strictEqual(of(`/things?unread_only=${word}`), "/things?unread_only=false", word)
    for (const query of ["unread_only=", "unread_only=2", "order=1", "other=1"])
      assert.strictEqual(of(`/things?${query}`), `/things?${query}`)
    assert.strictEqual(of("/things/7?force=1", "DELETE"), "/things/7?force=true")
    // Another endpoint of the path declares no such parameter.
    assert.strictEqual(of("/things?unread_only=1", "POST"), "/things?unread_only=1")
  })

  it("has no empty search text, and keeps the order and escapes of the rest", () => {
    assert.strictEqual(of("/things?q="), "/things")
    assert.strictEqual(of("/things?x=%2F+a&q=&y"), "/things?x=%2F+a&y")
    assert.strictEqual(of("/things?q=+"), "/things?q=+")
  })

  it("has the maximum for a longer page, and says so", () => {
    assert.deepStrictEqual(declared("GET", "/things?limit=201"), { target: "/things?limit=200", limit: 200 })
    assert.deepStrictEqual(declared("HEAD", `/things?limit=${"9".repeat(400)}`), {
      target: "/things?limit=200",
      limit: 200
    })
    for (const value of ["200", "0", "-1", "x", "1e9", ""])
      assert.deepStrictEqual(declared("GET", `/things?limit=${value}`), {
        target: `/things?limit=${value}`,
        limit: undefined
      })
  })
})
