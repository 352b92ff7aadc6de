/** Answers to Postfix's look-ups. `tests/e2e/mailStack.test.ts` has a real Postfix ask them. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Lookups from "#daemons/mail-admin/mail-server/Lookups.ts"
import { notFound } from "#protocols/postfix-socketmap/Reply.ts"
import { as, callsOf, startAdmin } from "../Admin.ts"

const found = (data: string) => ({ _tag: "Found", data })

describe("a look-up of Postfix", () => {
  it.live("finds a key of its table in any spelling, with or without an extension, and no key of another table", () =>
    Effect.gen(function* () {
      const suite = yield* startAdmin()
      const calls = callsOf(suite, as(7))
      const { id } = yield* calls.domain("a.test")
      const anna = yield* calls.account(id, "anna")
      const bert = yield* calls.account(id, "bert")
      yield* calls.alias(id, "sales", "anna@a.test")
      yield* calls.alias(id, "sales", "far@b.test")
      yield* calls.alias(id, "info", "sales@a.test")
      yield* calls.post(`accounts/${bert.id}/suspend`)
      const lookup = yield* Effect.provideService(Lookups.make, SqlClient.SqlClient, suite.sql)
      const cases: ReadonlyArray<readonly [string, string, unknown]> = [
        ["domains", "a.test", found("a.test")],
        ["domains", "A.Test", found("a.test")],
        ["domains", "b.test", notFound],
        ["domains", "", notFound],
        ["mailboxes", "Anna@a.test", found(anna.address)],
        ["mailboxes", "anna+list@a.test", found(anna.address)],
        ["mailboxes", "bert@a.test", found(bert.address)],
        ["mailboxes", "sales@a.test", notFound],
        ["mailboxes", "@a.test", notFound],
        ["mailboxes", "a.test", notFound],
        ["mailboxes", "anna\0@a.test", notFound],
        ["mailboxes", "\"x' or '1'='1\"@a.test", notFound],
        ["aliases", "sales@a.test", found("anna@a.test, far@b.test")],
        ["aliases", "sales+x@a.test", found("anna+x@a.test, far+x@b.test")],
        ["aliases", "anna@a.test", notFound],
        ["senders", "anna@a.test", found(anna.address)],
        ["senders", "anna+x@a.test", found(anna.address)],
        ["senders", "info@a.test", found(anna.address)],
        ["senders", "bert@a.test", notFound],
        ["toString", "a.test", expect.objectContaining({ _tag: "Temporary" })]
      ]
      // All at once, so that they are answered in batches.
      const answers = yield* Effect.forEach(cases, ([table, key]) => lookup(table, key), { concurrency: "unbounded" })
      expect(answers).toEqual(cases.map(([, , answer]) => answer))
    })
  )
})
