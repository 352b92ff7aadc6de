/** `POST /api/v1/workflows/trigger` with event types other than the alarm's. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { fakeUser } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { bodyOf, type Dispatcher, startDispatcher } from "../Dispatcher.ts"
import { member } from "../notifications/NotificationCases.ts"

class Place extends Context.Service<Place, Dispatcher>()("test/Place") {
  static readonly layer = Layer.effect(Place, startDispatcher())
}

const trigger = "/api/v1/workflows/trigger"
const tenant = 71
const admin = fakeUser("A", tenant, "*", 710)
const support = { event_type: "support.session.created", payload: { session_code: "K7-42", channel: "phone" } }

describe("a trigger of a registered event type", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect("starts the run of its workflow in the caller's tenant, and emits nothing", () =>
      Effect.gen(function* () {
        const { ended, sql, suite } = yield* Place
        yield* member(sql, { tenant, user: 710, role: "admin" })
        const headers = { ...admin.headers, "idempotency-key": "once" }
        const answer = yield* suite.call("POST", trigger, { headers, body: support })
        const { run_id } = answer.json
        assert.deepStrictEqual(
          [answer.status, answer.json],
          [202, { run_id, state: "running", reason: null, links: { run: `/api/v1/workflows/runs/${run_id}` } }]
        )
        const run = yield* ended(run_id)
        assert.deepInclude(run, {
          workflow: "support-requested",
          event_type: "support.session.created",
          state: "done",
          subject: "K7-42 by phone",
          sender: "user:710",
          source: { kind: "api", user_id: 710 }
        })
        assert.strictEqual(run.steps[0].detail, `asked for, to the admins of tenant ${tenant}`)
        yield* until(
          "the admin is notified",
          Effect.map(
            suite.call("GET", "/api/v1/notifications", { headers: admin.headers }),
            ({ json }) => json.items.length === 1 && json.items[0].data.session_code === "K7-42"
          ),
          20
        )
        const emitted = yield* sql`select 1 from core.event where type = 'support.session.created'`
        assert.lengthOf(emitted, 0)

        const again = yield* suite.call("POST", trigger, { headers, body: support })
        assert.deepStrictEqual([again.status, again.json], [202, answer.json])
        const other = { ...support, payload: { ...support.payload, channel: "web" } }
        const refused = yield* suite.call("POST", trigger, { headers, body: other })
        assert.deepStrictEqual([refused.status, refused.json.code], [422, "idempotency_key_reused"])
      })
    )

    it.effect("of no registered type is refused with the list of known types", () =>
      Effect.gen(function* () {
        const { post } = yield* Place
        const answer = yield* post({ ...bodyOf("INFO:SMS+4915112345678"), event_type: "file.uploaded" })
        assert.deepStrictEqual([answer.status, answer.json.code], [422, "unknown_event_type"])
        assert.strictEqual(
          answer.json.detail,
          "Known event types: email.alarm.received, alarm.finished, bank.fetch.failed, identity.security.changed, " +
            "security.ban.added, support.session.created."
        )
      })
    )

    it.effect("validates the payload by the schema of the event", () =>
      Effect.gen(function* () {
        const { post } = yield* Place
        const fields = (payload: object, event_type = support.event_type) =>
          Effect.map(post({ event_type, payload }), ({ json, status }) => [
            status,
            json.errors?.map(({ field }: { field: string }) => field)
          ])
        const at = "payload.payload"
        assert.deepStrictEqual(yield* fields({ session_code: 7 }), [422, [`${at}.session_code`, `${at}.channel`]])
        assert.deepStrictEqual(yield* fields({ ...support.payload, chanel: "x" }), [422, [`${at}.chanel`]])
        assert.deepStrictEqual(yield* fields({ session_code: "a\0", channel: "web" }), [422, [at]])
        assert.deepStrictEqual(yield* fields({ session_code: "a\ud800", channel: "web" }), [422, [at]])
        assert.deepStrictEqual(yield* fields(support.payload, "email.alarm.received"), [
          422,
          [`${at}.session_code`, `${at}.channel`, `${at}.email_subject`, `${at}.email_body`, `${at}.email_from`]
        ])
        // A backslash before the letters of an escape is text.
        assert.strictEqual(
          (yield* post({ ...support, payload: { session_code: "\\u0000", channel: "web" } })).status,
          202
        )
        // A delivered alarm is nothing that its workflow tells.
        const delivered = { run_id: "r", state: "delivered", severity: null, targets: 1, delivered: 1 }
        assert.deepStrictEqual(yield* fields(delivered, "alarm.finished"), [422, [at]])
      })
    )

    it.effect("needs the permission that receives the event; what one user receives, only a service token starts", () =>
      Effect.gen(function* () {
        const { ended, post, suite } = yield* Place
        const security = {
          event_type: "identity.security.changed",
          payload: { user_id: 4711, tenant_id: 71, change: "password_changed", at: "2026-01-01T00:00:00.000Z" }
        }
        const status = (permission: string, body: object) => {
          const { headers } = fakeUser("U", 72, permission, 720)
          return Effect.map(suite.call("POST", trigger, { headers, body }), (answer) => answer.status)
        }
        assert.strictEqual(yield* status("workflows.manage", support), 403)
        assert.strictEqual(yield* status("customers.read", support), 403)
        assert.strictEqual(yield* status("*", support), 202)
        assert.strictEqual(yield* status("*", security), 403)
        const run = yield* ended((yield* post(security)).json.run_id)
        assert.deepStrictEqual([run.workflow, run.state], ["account-changed", "done"])
      })
    )
  })
})
