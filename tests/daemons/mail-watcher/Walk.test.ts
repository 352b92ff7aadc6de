/** Walks over every operation of mail-watcher, as two tenants and with invalid input. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { providerTenant } from "#core/auth/Caller.ts"
import { accountTopic } from "#daemons/mail-watcher/accounts/Account.ts"
import { until } from "#support/Frame.ts"
import { fakeUser } from "#support/FakeUsers.ts"
import { badInput } from "#support/walk/BadInputWalk.ts"
import { rowSecurity } from "#support/walk/RowSecurity.ts"
import { tenancy } from "#support/walk/TenancyWalk.ts"
import type { Walk } from "#support/walk/Walk.ts"
import { accountCases } from "./walk/AccountCases.ts"
import { peopleCases } from "./walk/PeopleCases.ts"
import { readingCases } from "./walk/ReadingCases.ts"
import { writingCases } from "./walk/WritingCases.ts"
import { startWatcher } from "./Watcher.ts"
import * as SubmissionServer from "./webmail-sending/SubmissionServer.ts"

class Walked extends Context.Service<Walked, Walk>()("test/Walked") {
  static readonly layer = Layer.effect(
    Walked,
    Effect.gen(function* () {
      const submission = yield* SubmissionServer.make
      const placed = yield* startWatcher(["walk@example.test"], { trusted: submission.certificate })
      const { suite } = placed
      // Rows that the walk compares must not change by themselves, so no mailbox is watched permanently.
      yield* suite.sql`alter table mail_watcher.account alter column watch set default 'lazy'`
      // Ids that appear nowhere else in an answer, because the walk masks them before it compares.
      yield* suite.sql`select setval(pg_get_serial_sequence('mail_watcher.account', 'id'), 700000)`
      return {
        suite,
        schema: "mail_watcher",
        // The watch creates one row per new account.
        settled: Effect.andThen(
          suite.sql`select pg_notify('signalbox', ${accountTopic})`,
          until(
            "the watch knows all accounts",
            Effect.map(
              suite.sql`select 1 from mail_watcher.account a where state = 'active' and not exists (select 1 from mail_watcher.watch w where w.account_id = a.id)`,
              (unknown) => unknown.length === 0
            )
          )
        ),
        cases: {
          ...accountCases(placed),
          ...peopleCases(placed),
          ...readingCases(placed),
          ...writingCases(placed, submission.port)
        },
        a: fakeUser("A", 7),
        b: fakeUser("B", 8),
        powerless: fakeUser("P", 8, ""),
        platform: {
          name: "platform",
          tenant: providerTenant,
          headers: { "x-service-token": yield* suite.token },
          mark: "mark-of-platform"
        }
      }
    })
  )
}

const clean = (found: ReadonlyArray<string>) => assert.strictEqual(found.join("\n"), "")

describe("mail-watcher endpoints", () => {
  layer(Walked.layer, { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect("keeps tenants apart", () => Effect.map(Effect.flatMap(Walked, tenancy), clean), 240_000)
    it.effect(
      "keeps tenants apart by row-level security alone",
      () =>
        Effect.map(
          Effect.flatMap(Walked, (walk) => rowSecurity(walk)),
          clean
        ),
      60_000
    )
    it.effect("refuses wrong input", () => Effect.map(Effect.flatMap(Walked, badInput), clean), 240_000)
  })
})
