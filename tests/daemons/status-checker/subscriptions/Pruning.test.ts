/** What is forgotten, and what is kept; and that keys can be changed under everybody's links. */
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { join } from "node:path"
import { expect } from "vitest"
import { reseal } from "#core/config/SecretRotation.ts"
import * as Secrets from "#core/config/Secrets.ts"
import { confirmColumn, unsubscribeColumn } from "#daemons/status-checker/subscriptions/LinkToken.ts"
import { mailDays, prune } from "#daemons/status-checker/subscriptions/Pruning.ts"
import { linkHours } from "#daemons/status-checker/subscriptions/SignUpLimits.ts"
import { until } from "#support/Frame.ts"
import { linkIn, mailRig, pathOf } from "./MailRig.ts"

/** The relay has a mail before its outcome is in the table. */
const recorded = ({ sql }: Effect.Success<ReturnType<typeof mailRig>>) =>
  until(
    "no mail waits for its outcome",
    Effect.map(sql`select 1 from status_checker.mails where state <> 'delivered'`, ({ length }) => length === 0)
  )

it.live(
  "unconfirmed requests and old mails are deleted; notices and used links are kept",
  () =>
    Effect.gen(function* () {
      const rig = yield* mailRig()
      const { sql } = rig
      const round = Effect.provideService(prune, SqlClient.SqlClient, sql)
      const emails = Effect.map(
        sql<{ email: string }>`select email from status_checker.subscribers order by email`,
        (rows) => rows.map(({ email }) => email)
      )
      yield* rig.confirmed("anna@example.test", "de")
      const link = pathOf(linkIn(rig.mailsTo("anna@example.test")[0]!.mail.text!, "/subscribe/confirm"))
      yield* rig.subscribe({ email: "late@example.test" })
      yield* rig.subscribe({ email: "again@example.test" })
      yield* rig.write([{ id: "1", updates: [{ at: "2026-02-01T10:00:00Z" }] }])
      yield* rig.received("anna@example.test", 2)
      yield* rig.received("again@example.test")
      yield* rig.received("late@example.test")
      yield* recorded(rig)
      yield* round
      expect((yield* emails).length).toBe(3)
      yield* sql`update status_checker.subscribers set created_at = created_at - make_interval(hours => ${linkHours})`
      yield* sql`update status_checker.confirmations set expires_at = expires_at - make_interval(hours => ${linkHours})`
      yield* sql`update status_checker.sign_ups set at = at - interval '1 day'`
      // Signed up once more: that link still holds.
      yield* rig.subscribe({ email: "again@example.test" })
      yield* rig.received("again@example.test", 2)
      yield* round
      expect(yield* emails).toEqual(["again@example.test", "anna@example.test"])
      expect((yield* rig.suite.call("POST", link)).status).toBe(200)
      expect(yield* sql`select count(*)::int as n from status_checker.sign_ups`).toEqual([{ n: 1 }])
      yield* sql`update status_checker.mails set done_at = done_at - make_interval(days => ${mailDays}) where kind = 'notice'`
      yield* round
      expect(yield* sql`select kind from status_checker.mails where kind = 'notice'`).toEqual([])
      expect(yield* sql`select silent from status_checker.notices`).toEqual([{ silent: false }])
      // What was told is not told again, though its mail is forgotten.
      yield* rig.write([{ id: "1", updates: [{ at: "2026-02-01T10:00:00Z" }, { at: "2026-02-01T11:00:00Z" }] }])
      yield* rig.received("anna@example.test", 3)
      expect(yield* sql`select count(*)::int as n from status_checker.mails where kind = 'notice'`).toEqual([{ n: 1 }])
    }),
  120_000
)

it.live(
  "links of mails are valid under a new key",
  () =>
    Effect.gen(function* () {
      const rig = yield* mailRig()
      yield* rig.confirmed("anna@example.test", "de")
      yield* recorded(rig)
      yield* rig.sink.close
      yield* rig.subscribe({ email: "ben@example.test" })
      const keyFile = join(rig.suite.env["SIGNALBOX_DATA_DIR"]!, "keys")
      yield* Secrets.addKey(keyFile)
      const services = Layer.merge(Layer.succeed(SqlClient.SqlClient, rig.sql), Secrets.layer(keyFile))
      const columns = yield* Effect.provide(Effect.forEach([unsubscribeColumn, confirmColumn], reseal), services)
      expect(columns.map(({ resealed, unreadable }) => [resealed, unreadable.length])).toEqual([
        [2, 0],
        [1, 0]
      ])
      yield* rig.sink.open
      const [mail] = yield* rig.received("ben@example.test")
      expect((yield* rig.suite.call("POST", pathOf(linkIn(mail!.mail.text!, "/subscribe/confirm")))).status).toBe(200)
      // No token stands anywhere as it is.
      const tokens = rig.sink.mails.flatMap(({ mail }) =>
        [...mail.text!.matchAll(/token=([\w-]{43})/g)].map(([, token]) => token!)
      )
      expect(tokens.length).toBeGreaterThan(3)
      const tables = [
        "status_checker.subscribers",
        "status_checker.confirmations",
        "status_checker.mails",
        "core.audit"
      ]
      const whole = JSON.stringify(
        yield* Effect.forEach(tables, (table) => rig.sql`select t::text as line from ${rig.sql(table)} t`)
      )
      expect(tokens.filter((token) => whole.includes(token))).toEqual([])
    }),
  120_000
)
