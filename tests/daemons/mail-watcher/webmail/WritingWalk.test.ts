/** Every operation that changes, writes or sends mail, walked as two tenants and with wrong input. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { providerTenant } from "#core/auth/Caller.ts"
import { fakeUser } from "#support/FakeUsers.ts"
import { badInput } from "#support/walk/BadInputWalk.ts"
import { rowSecurity } from "#support/walk/RowSecurity.ts"
import { tenancy } from "#support/walk/TenancyWalk.ts"
import type { Walk } from "#support/walk/Walk.ts"
import { writingCases } from "../walk/WritingCases.ts"
import { startWatcher } from "../Watcher.ts"
import * as SubmissionServer from "./SubmissionServer.ts"

class Walked extends Context.Service<Walked, Walk>()("test/Walked") {
  static readonly layer = Layer.effect(Walked, Effect.gen(function*() {
    const server = yield* SubmissionServer.make
    const placed = yield* startWatcher(["walk@example.test"], { trusted: server.certificate })
    const { suite } = placed
    yield* suite.sql`select setval(pg_get_serial_sequence('mail_watcher.account', 'id'), 700000)`
    return {
      suite,
      schema: "mail_watcher",
      cases: writingCases(placed, server.port),
      a: fakeUser("A", 7),
      b: fakeUser("B", 8),
      powerless: fakeUser("P", 8, ""),
      platform: { name: "platform", tenant: providerTenant, headers: { "x-service-token": yield* suite.token }, mark: "mark-of-platform" }
    }
  }))
}

const mine = /(DELETE|POST) \/api\/v1\/mail\/webmail\/messages|(DELETE|POST|PUT) \/api\/v1\/mail\/webmail\/folders|webmail\/(attachments|send|drafts)|mail_watcher\.(sending|upload|missing)/
const clean = (found: ReadonlyArray<string>) => assert.strictEqual(found.filter((line) => mine.test(line)).join("\n"), "")

describe("writing, walked", () => {
  layer(Walked.layer, { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect("keeps tenants apart", () => Effect.map(Effect.flatMap(Walked, tenancy), clean), 240_000)
    it.effect("keeps them apart without a WHERE, too", () => Effect.map(Effect.flatMap(Walked, (walk) => rowSecurity(walk)), clean), 60_000)
    it.effect("refuses wrong input", () => Effect.map(Effect.flatMap(Walked, badInput), clean), 240_000)
  })
})
