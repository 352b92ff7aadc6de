/** Every operation about signatures, contacts and people, walked as two tenants and with wrong input. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { providerTenant } from "#core/auth/Caller.ts"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import { fakeUser, fakeUsers } from "#support/FakeUsers.ts"
import { startSuite } from "#support/TestSuite.ts"
import { badInput } from "#support/walk/BadInputWalk.ts"
import { tenancy } from "#support/walk/TenancyWalk.ts"
import { rowSecurity } from "#support/walk/RowSecurity.ts"
import type { Walk } from "#support/walk/Walk.ts"
import { peopleCases } from "../walk/PeopleCases.ts"

class Walked extends Context.Service<Walked, Walk>()("test/Walked") {
  static readonly layer = Layer.effect(Walked, Effect.gen(function*() {
    const suite = yield* startSuite({ daemons: [mailWatcher], verifier: fakeUsers })
    return {
      suite,
      schema: "mail_watcher",
      cases: peopleCases({ suite }),
      a: fakeUser("A", 7),
      b: fakeUser("B", 8),
      powerless: fakeUser("P", 8, ""),
      platform: { name: "platform", tenant: providerTenant, headers: { "x-service-token": yield* suite.token }, mark: "mark-of-platform" }
    }
  }))
}

const mine = /signature|contact|recent_recipient|compose/
const clean = (found: ReadonlyArray<string>) => assert.strictEqual(found.filter((line) => mine.test(line)).join("\n"), "")

describe("people, walked", () => {
  layer(Walked.layer, { excludeTestServices: true })((it) => {
    it.effect("keeps tenants apart", () => Effect.map(Effect.flatMap(Walked, tenancy), clean), 120_000)
    it.effect("keeps them apart without a WHERE, too", () => Effect.map(Effect.flatMap(Walked, (walk) => rowSecurity(walk)), clean), 60_000)
    it.effect("refuses wrong input", () => Effect.map(Effect.flatMap(Walked, badInput), clean), 120_000)
  })
})
