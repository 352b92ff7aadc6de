/** Sending when client, mail server or copy fail: each mail is sent once at most, and its outcome is told. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "#support/Frame.ts"
import { inside } from "../Mailbox.ts"
import { Place } from "./SendingPlace.ts"

describe("outcomes of sending", () => {
  layer(Place.layerOf(["once", "unknown", "gone", "refused", "copy", "fast"]), { excludeTestServices: true })((it) => {
    it.effect(
      "sends once per key",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = yield* placed.account("once")
          const body = { to: ["a@far.test"], subject: "once", plain: "p" }
          const count = () => placed.server.mails.filter(({ from }) => from === "once@example.test").length
          const all = yield* Effect.all(
            Array.from({ length: 5 }, () => call("POST", "/send", body, "k1")),
            { concurrency: 5 }
          )
          assert.deepStrictEqual(
            all.map(({ json, status }) => status === 200 || json.code === "sending_under_way"),
            [true, true, true, true, true]
          )
          const again = yield* call("POST", "/send", body, "k1")
          assert.deepStrictEqual([again.status, again.json], [200, all.find(({ status }) => status === 200).json])
          assert.strictEqual(count(), 1)
          assert.strictEqual(
            (yield* call("POST", "/send", { ...body, subject: "other" }, "k1")).json.code,
            "idempotency_key_reused"
          )
          assert.strictEqual((yield* call("POST", "/send", body, "k2")).status, 200)
          assert.strictEqual(count(), 2)
        }),
      120_000
    )

    it.effect(
      "reports an unknown outcome and does not retry",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = yield* placed.account("unknown")
          const body = { to: ["a@far.test"], plain: "p" }
          placed.server.behave({ data: "cut" })
          const cut = yield* call("POST", "/send", body, "k1")
          placed.server.behave({})
          assert.deepStrictEqual([cut.status, cut.json.code], [409, "sending_outcome_unknown"], cut.text)
          assert.strictEqual((yield* call("POST", "/send", body, "k1")).json.code, "sending_under_way")
          // The same later, also after the process died during the sending.
          yield* placed.suite
            .sql`update mail_watcher.sending set created_at = created_at - interval '10 minutes' where state = 'begun'`
          const later = yield* call("POST", "/send", body, "k1")
          assert.deepStrictEqual(
            [later.json.code, later.json.message_id],
            ["sending_outcome_unknown", cut.json.message_id]
          )
        }),
      120_000
    )

    it.effect(
      "finishes after the client disconnects",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const leaving = new AbortController()
          const body = { to: ["a@far.test"], plain: "left", subject: "left" }
          placed.server.behave({
            meanwhile: async () => {
              leaving.abort()
              await new Promise((resolve) => setTimeout(resolve, 300))
            }
          })
          yield* Effect.promise(() =>
            fetch(`${placed.suite.base()}/api/v1/mail/webmail/send?account=gone@example.test`, {
              method: "POST",
              body: JSON.stringify(body),
              headers: {
                authorization: "Bearer user:7:*",
                "content-type": "application/json",
                "idempotency-key": "left"
              },
              signal: leaving.signal
            }).then(
              () => undefined,
              () => undefined
            )
          )
          yield* until(
            "it is recorded, with its copy",
            Effect.map(
              placed.suite
                .sql`select 1 from mail_watcher.sending where key = 'left' and state = 'sent' and answer->>'sent_copy' <> 'false'`,
              (found) => found.length === 1
            )
          )
          placed.server.behave({})
          const call = yield* placed.account("gone")
          assert.strictEqual((yield* call("POST", "/send", body, "left")).status, 200)
          assert.strictEqual(placed.server.mails.filter(({ from }) => from === "gone@example.test").length, 1)
          assert.strictEqual((yield* inside(placed, "gone@example.test", "Sent"))!.length, 1)
        }),
      120_000
    )

    it.effect(
      "sends nothing when the server is down or refuses",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = yield* placed.account("refused")
          const body = { to: ["a@far.test", "nobody@far.test"], plain: "p" }
          const nobody = yield* call("POST", "/send", { ...body, to: ["nobody@far.test"] })
          assert.deepStrictEqual(
            [nobody.status, nobody.json.code, nobody.json.rejected],
            [422, "recipients_refused", [{ address: "nobody@far.test", detail: "550 no such user" }]]
          )
          const some = yield* call("POST", "/send", body)
          assert.deepStrictEqual(
            [some.json.accepted, some.json.rejected.map((refused: any) => refused.address)],
            [["a@far.test"], ["nobody@far.test"]]
          )
          const sentBefore = (yield* inside(placed, "refused@example.test", "Sent"))!.length
          placed.server.behave({ data: 451 })
          assert.deepStrictEqual((yield* call("POST", "/send", body, "later")).json.code, "mail_server_unavailable")
          placed.server.behave({ data: 554 })
          assert.deepStrictEqual((yield* call("POST", "/send", body)).json.code, "mail_refused")
          placed.server.behave({ signIn: false })
          assert.deepStrictEqual((yield* call("POST", "/send", body)).json.code, "mail_sign_in_refused")
          placed.server.behave({})
          yield* placed.server.close
          const away = yield* call("POST", "/send", body, "later")
          assert.deepStrictEqual([away.status, away.json.code], [503, "mail_server_unavailable"])
          yield* placed.server.open
          assert.strictEqual((yield* inside(placed, "refused@example.test", "Sent"))!.length, sentBefore)
          // A mail that was certainly not sent may be sent again.
          assert.strictEqual((yield* call("POST", "/send", body, "later")).status, 200)
        }),
      120_000
    )

    it.effect(
      "retries storing the copy",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const address = "copy@example.test"
          const call = yield* placed.account("copy")
          const at = (port: number) =>
            placed.suite.sql`update mail_watcher.account set imap_port = ${port} where address = ${address}`
          yield* at(1)
          const sent = yield* call("POST", "/send", { to: ["a@far.test"], plain: "p" })
          assert.deepStrictEqual([sent.status, sent.json.sent_copy], [200, false], sent.text)
          yield* at(placed.dovecot.imapsPort!)
          yield* until(
            "the copy is there",
            Effect.map(
              inside(placed, address, "Sent"),
              (found) => found?.some(({ raw }) => raw.includes(sent.json.message_id)) === true
            ),
            40
          )
          yield* until(
            "nothing is kept any more",
            Effect.map(placed.suite.sql`select 1 from mail_watcher.missing_copy`, (rows) => rows.length === 0)
          )
        }),
      120_000
    )

    it.effect(
      "limits the sending rate",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = yield* placed.account("fast")
          yield* placed.suite
            .sql`insert into mail_watcher.sending (tenant_id, account_id, caller, body_hash, message_id, recipients)
          select 7, id, 'user:70', ''::bytea, '', 1 from mail_watcher.account, generate_series(1, 18) where address = 'fast@example.test'`
          const body = { to: ["a@far.test"], plain: "p" }
          assert.strictEqual((yield* call("POST", "/send", body)).status, 200)
          const refused = yield* call("POST", "/send", body)
          assert.deepStrictEqual([refused.status, refused.json.code], [429, "sending_too_fast"])
        }),
      120_000
    )
  })
})
