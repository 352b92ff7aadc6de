/** Every operation of status-checker, walked as users of other tenants and with wrong input. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { expect } from "vitest"
import { providerTenant } from "#core/auth/Caller.ts"
import { fakeUser } from "#support/FakeUsers.ts"
import { badInput } from "#support/walk/BadInputWalk.ts"
import { rowSecurity } from "#support/walk/RowSecurity.ts"
import { tenancy } from "#support/walk/TenancyWalk.ts"
import type { Walk } from "#support/walk/Walk.ts"
import { as, callsOf, provider, startStatus } from "./Operation.ts"
import { adminCases } from "./walk/AdminCases.ts"
import { publicCases } from "./walk/PublicCases.ts"

class Walked extends Context.Service<Walked, Walk>()("test/Walked") {
  static readonly layer = Layer.effect(Walked, Effect.gen(function*() {
    const suite = yield* startStatus()
    const token = yield* suite.token
    return {
      suite,
      schema: "status_checker",
      // What of the new incidents was seen by whoever tells subscribers, a moment later.
      mayWrite: ["status_checker.notices"],
      cases: { ...adminCases(suite, { headers: { "x-service-token": token } }), ...publicCases },
      a: fakeUser("A", 7),
      b: fakeUser("B", 8),
      powerless: fakeUser("P", 8, ""),
      platform: { name: "platform", tenant: providerTenant, headers: { "x-service-token": token }, mark: "mark-of-platform" }
    }
  }))
}

const clean = (found: ReadonlyArray<string>) => assert.strictEqual(found.join("\n"), "")

describe("status-checker, walked", () => {
  layer(Walked.layer, { excludeTestServices: true })((it) => {
    it.effect("is the provider's alone, where it is not everybody's", () => Effect.map(Effect.flatMap(Walked, tenancy), clean), 180_000)
    it.effect("shows nothing to statements of a tenant", () => Effect.map(Effect.flatMap(Walked, (walk) => rowSecurity(walk)), clean), 60_000)
    it.effect("refuses wrong input", () => Effect.map(Effect.flatMap(Walked, badInput), clean), 180_000)
  })
})

it.live("users of the provider look with one permission and change with another; others do neither", () =>
  Effect.gen(function*() {
    const suite = yield* startStatus()
    const { id } = yield* callsOf(suite, provider()).draft()
    const statuses = Effect.fnUntraced(function*(caller: { readonly headers: Readonly<Record<string, string>> }) {
      const { get, post, put } = callsOf(suite, caller)
      const answers = [yield* get(`incidents/${id}`), yield* get("mails"), yield* put(`incidents/${id}`, { severity: "minor" }), yield* post(`incidents/${id}/updates`, { status: "monitoring", message: "…", message_en: "…" })]
      return answers.map(({ status }) => status)
    })
    expect(yield* statuses(provider("system.read"))).toEqual([200, 200, 403, 403])
    expect(yield* statuses(provider("system.manage"))).toEqual([403, 403, 200, 409])
    expect(yield* statuses(as(7))).toEqual([403, 403, 403, 403])
    const [row] = yield* suite.sql<{ can: boolean }>`select has_schema_privilege('signalbox_tenant', 'status_checker', 'usage')
      and has_table_privilege('signalbox_tenant', 'status_checker.incidents', 'select') as can`
    expect(row!.can).toBe(false)
  }), 60_000)
