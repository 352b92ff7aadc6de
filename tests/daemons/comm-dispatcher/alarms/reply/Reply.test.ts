/** An allowed sender's mistyped alarm reaches the admins, each in their language, and its authenticated sender. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { composeReply, replyEvery, replyFor, subjectForm } from "#daemons/comm-dispatcher/alarms/reply/Reply.ts"
import { fakeUser } from "#support/FakeUsers.ts"
import { make as mailSink } from "#support/MailSink.ts"
import { enqueue, startDispatcher, until } from "../../Dispatcher.ts"
import { member, numberOf } from "../../notifications/NotificationCases.ts"

const payload = { email_subject: "CRITCAL:CALL+4930123456", email_body: "x", email_from: "device@ok.test" }

it("replies to authenticated senders of mails only, once an hour", () => {
  const mail = { kind: "smtp", message_id: "<1@ok.test>" } as const
  const signedIn = { ...mail, authenticated: true } as const
  const to = (email_from: string, source: Parameters<typeof replyFor>[0]["source"], isChecked: boolean, now = 0) =>
    replyFor({ payload: { ...payload, email_from }, source }, "wrong", isChecked, now)
  assert.isUndefined(to("device@ok.test", mail, false))
  assert.isUndefined(to("device@ok.test", { kind: "api", message_id: "<1@ok.test>" }, true))
  assert.isUndefined(to("device@ok.test", { kind: "smtp", authenticated: true }, true))
  assert.isUndefined(to("a@ok.test, b@ok.test", signedIn, true))
  assert.isDefined(to("device@ok.test", mail, true))
  const first = to("device@ok.test", signedIn, false)!
  assert.strictEqual(to("Device@OK.test", signedIn, false, replyEvery - 1)!.key, first.key)
  assert.notStrictEqual(to("device@ok.test", signedIn, false, replyEvery)!.key, first.key)
  const { headers, text } = composeReply(first.data)
  assert.strictEqual(headers["Auto-Submitted"], "auto-replied")
  assert.include(text, "wrong")
  assert.include(text, subjectForm)
})

it.live(
  "tells the admins of a mistyped alarm, and its sender what was wrong",
  () =>
    Effect.gen(function* () {
      const sink = yield* mailSink()
      const place = yield* startDispatcher({
        env: { SIGNALBOX_NOTIFY_SMTP_URL: `smtp://127.0.0.1:${sink.port}`, SIGNALBOX_ALARM_AUTHSERV_ID: "mx.ok.test" }
      })
      const { sql, suite } = place
      const readers = [
        { admin: fakeUser("D", 1, "*", 11), locale: "de-DE", email: "de@user.test" },
        { admin: fakeUser("E", 1, "*", 12), locale: "en-GB", email: "en@user.test" }
      ]
      for (const { admin, email, locale } of readers)
        yield* member(sql, { tenant: 1, user: numberOf(admin), role: "admin", locale, email })
      const mail = (key: string, subject: string, results: string) =>
        enqueue(sql, {
          trigger_key: key,
          payload: { ...payload, email_subject: subject },
          source: { kind: "imap", message_id: `<${key}@ok.test>`, authentication_results: results }
        })
      const passed = "mx.ok.test; dkim=pass header.d=ok.test"
      // A sender gets one reply in each hour of the clock, so no hour may end between the two mails.
      const left = replyEvery - (Date.now() % replyEvery)
      if (left < 20_000) yield* Effect.sleep(left)
      yield* mail("one", payload.email_subject, passed)
      yield* mail("two", `${payload.email_subject}9`, passed)
      yield* mail("forged", "PANIC:CALL+4930123456", "mx.ok.test; dkim=fail header.d=ok.test")
      yield* until("mails to both admins, twice, and one reply", () => sink.mails.length === 5, 30_000)
      const [reply, ...more] = sink.mails.filter(({ to }) => to.includes("device@ok.test"))
      assert.deepStrictEqual(more, [])
      assert.include(reply!.mail.text, "“CRITCAL” is no severity")
      assert.include(reply!.mail.text, subjectForm)
      assert.match(reply!.raw, /^Auto-Submitted: auto-replied\r?$/m)
      assert.match(reply!.raw, /^In-Reply-To: <(one|two)@ok\.test>\r?$/m)
      for (const [{ admin, email }, title] of [
        [readers[0]!, "Alarm-Mail nicht verstanden"],
        [readers[1]!, "Alarm mail not understood"]
      ] as const) {
        const { items } = (yield* suite.call("GET", "/api/v1/notifications", { headers: admin.headers })).json
        assert.deepStrictEqual(
          items.map((item: any) => [item.type, item.severity, item.title]),
          [
            ["alarm.rejected", "error", title],
            ["alarm.rejected", "error", title]
          ]
        )
        for (const { body } of items) {
          assert.include(body, "“CRITCAL” is no severity")
          assert.notInclude(body, "4930123456")
        }
        assert.lengthOf(
          sink.mails.filter(({ to }) => to.includes(email)),
          2
        )
      }
    }).pipe(Effect.scoped),
  120_000
)
