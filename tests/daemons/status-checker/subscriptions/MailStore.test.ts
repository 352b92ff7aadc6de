/** Claims on mails: each in one hand, confirmations first, and closed only by whoever holds them. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import { claim, close, nextDue, release } from "#daemons/status-checker/subscriptions/MailStore.ts"
import { until } from "#support/Frame.ts"
import { mailRig } from "./MailRig.ts"

it.live(
  "a claim belongs to one process until it expires",
  () =>
    Effect.gen(function* () {
      // Nobody sends here but the test. At its start, the sender releases all claims.
      const { sql, suite } = yield* mailRig({ env: { SMTP_HOST: "" } })
      yield* until(
        "the sender has started",
        Effect.map(suite.call("GET", "/health"), ({ json }) => {
          const sender = json.actors.find(({ name }: { readonly name: string }) => name === "mails")
          return sender?.note === "not configured"
        })
      )
      yield* sql`insert into status_checker.subscribers (email, lang, status, unsubscribe, unsubscribe_envelope) values ('anna@example.test', 'en', 'confirmed', repeat('0', 64), 'none')`
      yield* sql`insert into status_checker.mails (subscriber_id, kind, ref, message_id, next_at) select id, kind, ref, ref, now() - interval '1 minute' + wait from status_checker.subscribers,
      (values ('notice', 'n1', interval '0'), ('notice', 'n2', interval '1 second'), ('confirm', 'c1', interval '2 seconds'), ('notice', 'later', interval '1 hour')) as t (kind, ref, wait)`
      const mails = Effect.map(
        sql<{ ref: string; state: string }>`select ref, state from status_checker.mails order by ref`,
        (rows) => rows.map(({ ref, state }) => `${ref} ${state}`)
      )
      yield* Effect.gen(function* () {
        const hands = yield* Effect.all([claim, claim, claim, claim], { concurrency: "unbounded" })
        expect(hands.map((hand) => hand?.message_id).sort()).toEqual(["c1", "n1", "n2", undefined])
        const first = hands.find((hand) => hand?.message_id === "n1")!
        expect(yield* release).toBe(3)
        const again = [yield* claim, yield* claim, yield* claim]
        expect(again[0]!.message_id).toBe("c1")
        const second = again.find((hand) => hand?.message_id === "n1")!
        expect([first.attempts, second.attempts]).toEqual([1, 2])
        // Whose claim was taken over has no say any more.
        yield* close(first, { _tag: "Failed", error: "late", refused: false })
        expect(yield* mails).toEqual(["c1 attempting", "later pending", "n1 attempting", "n2 attempting"])
        yield* close(second, { _tag: "Delivered" })
        yield* close(
          again.find((hand) => hand?.message_id === "n2")!,
          { _tag: "Again", wait: 120_000, error: "later" }
        )
        expect(yield* mails).toEqual(["c1 attempting", "later pending", "n1 delivered", "n2 pending"])
        expect(yield* claim).toBeUndefined()
        const wait = (yield* nextDue)!
        expect(wait).toBeGreaterThan(60_000)
        expect(wait).toBeLessThanOrEqual(120_000)
      }).pipe(Effect.provideService(SqlClient.SqlClient, sql))
    }),
  120_000
)
