/** Secrets of webhooks: each tenant its own, rotated with an overlap, verified as docs/webhooks.md says. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Dispatcher, startDispatcher } from "../Dispatcher.ts"
import { untilWithin } from "#support/Within.ts"
import type { SinkRequest } from "#support/WebhookSink.ts"

const envSecret = "secret-of-the-provider"

class Started extends Context.Service<Started, Dispatcher>()("test/Started") {
  static readonly layer = Layer.effect(Started, startDispatcher({ env: { SIGNALBOX_WEBHOOK_SECRET: envSecret } }))
}

const path = "/api/v1/comm/webhook-secrets"

const user = (tenant: number, held = "workflows.manage") => ({ authorization: `Bearer user:${tenant}:${held}` })

type Verify = (
  headers: Readonly<Record<string, unknown>>,
  body: string,
  secret: string,
  tenant: number,
  now?: number
) => string | undefined

/** The receiver of the documentation. */
const documented = Effect.promise(async (): Promise<Verify> => {
  const text = readFileSync(join(import.meta.dirname, "../../../../docs/webhooks.md"), "utf8")
  const source = /```js\n([\s\S]*?)```/.exec(text)![1]!
  return (await import(`data:text/javascript,${encodeURIComponent(source)}`)).verify
})

layer(Started.layer, { excludeTestServices: true })("webhook secrets", (it) => {
  let count = 0

  /** Sends a webhook of this tenant with the platform's token, and returns the request. */
  const sent = Effect.fnUntraced(function* (tenant: number) {
    const { sink, sql, url } = yield* Started
    const mark = `/signed-${++count}`
    // The trigger of a tenant whose webhooks may reach this test's receiver.
    const { suite } = yield* Started
    const target = `${url}${mark}`
    const answer = yield* suite.call("POST", "/api/v1/comm/notify", {
      token: yield* suite.token,
      body: { channels: [{ channel: "messenger", target: "1" }], text: "hold" }
    })
    const run = answer.json.run_id
    // A run of another tenant with the same rights: platform callers create runs only in the provider's tenant.
    yield* sql`update comm_dispatcher.run set tenant_id = ${tenant} where id = ${run}::uuid`
    const [row] = yield* sql<{ id: number }>`insert into comm_dispatcher.target
      (run_id, tenant_id, position, chain, step, channel, target, options, state, due_at, record)
      select ${run}::uuid, ${tenant}, 1, 1, 0, 'webhook', ${target}, '{}', 'pending', now(),
        jsonb_set(record, '{dueAt}', to_jsonb(extract(epoch from now()) * 1000)) ||
          '{"state":"pending","begun":0,"attempts":0,"reason":null}' from comm_dispatcher.target
        where run_id = ${run}::uuid and position = 0 returning id::float8 as id`
    yield* sql`insert into pgboss.job (name, data, retry_limit)
      values ('alarm.deliver.webhook', ${sql.json({ target_id: row!.id })}, 1000)`
    yield* sql`select pg_notify('signalbox', 'queue alarm.deliver.webhook')`
    let request: SinkRequest | undefined
    yield* untilWithin(
      20,
      `webhook ${mark}`,
      Effect.sync(() => (request = sink.requests.find((one) => one.path === mark)) !== undefined)
    )
    return request!
  })

  const rotate = (headers: Record<string, string>, body?: object) =>
    Effect.flatMap(Started, ({ suite }) => suite.call("POST", path, { headers, ...(body ? { body } : {}) }))

  /** Waits until the copy in memory has this many signatures. */
  const signatures = (tenant: number, wanted: number) =>
    Effect.gen(function* () {
      let request = yield* sent(tenant)
      const many = () => (request.headers["x-signalbox-signature"] as string | undefined)?.split(",").length ?? 0
      for (let tries = 0; many() !== wanted && tries < 20; tries++) {
        yield* Effect.sleep(100)
        request = yield* sent(tenant)
      }
      assert.strictEqual(many(), wanted)
      return request
    })

  it.effect("signs for each tenant with its own secret, as the documentation verifies it", () =>
    Effect.gen(function* () {
      const verify = yield* documented
      const unsigned = yield* signatures(31, 0)
      assert.strictEqual(unsigned.headers["x-signalbox-tenant"], "31")
      const first = yield* rotate(user(31))
      assert.strictEqual(first.status, 201)
      const other = yield* rotate(user(32))
      assert.notStrictEqual(first.json.secret, other.json.secret)
      const { body, headers, key } = yield* signatures(31, 1)
      assert.strictEqual(verify(headers, body, first.json.secret, 31), key)
      // The secret of another tenant, another tenant, delivery, time or body, and a replay are refused.
      assert.isUndefined(verify(headers, body, other.json.secret, 31))
      assert.isUndefined(verify(headers, body, envSecret, 31))
      assert.isUndefined(verify(headers, body, first.json.secret, 32))
      assert.isUndefined(verify({ ...headers, "x-signalbox-tenant": "32" }, body, first.json.secret, 32))
      assert.isUndefined(verify({ ...headers, "x-signalbox-delivery": "other" }, body, first.json.secret, 31))
      assert.isUndefined(verify(headers, `${body} `, first.json.secret, 31))
      const at = Number(headers["x-signalbox-timestamp"])
      assert.strictEqual(verify(headers, body, first.json.secret, 31, at + 299), key)
      assert.isUndefined(verify(headers, body, first.json.secret, 31, at + 301))
      const later = { ...headers, "x-signalbox-timestamp": String(at + 200) }
      assert.isUndefined(verify(later, body, first.json.secret, 31, at + 301))
    })
  )

  it.effect("signs with the replaced secret until it retires, and with a deleted one no more", () =>
    Effect.gen(function* () {
      const verify = yield* documented
      const { suite, sql } = yield* Started
      const old = (yield* rotate(user(33))).json
      const made = (yield* rotate(user(33), { overlap_hours: 2 })).json
      assert.deepStrictEqual([old.retires_at, made.retires_at], [null, null])
      const { items } = (yield* suite.call("GET", path, { headers: user(33) })).json
      assert.deepStrictEqual(
        items.map(({ id }: { id: number }) => id),
        [made.id, old.id]
      )
      assert.isAbove(Date.parse(items[1].retires_at), Date.now() + 3_600_000)
      assert.notInclude(JSON.stringify(items), "whsec_")
      const both = yield* signatures(33, 2)
      for (const { secret } of [old, made]) assert.strictEqual(verify(both.headers, both.body, secret, 33), both.key)
      // A further rotation keeps two at most; 0 hours keeps one.
      yield* rotate(user(33))
      yield* signatures(33, 2)
      const last = (yield* rotate(user(33), { overlap_hours: 0 })).json
      const one = yield* signatures(33, 1)
      assert.strictEqual(verify(one.headers, one.body, last.secret, 33), one.key)
      assert.strictEqual((yield* suite.call("DELETE", `${path}/${last.id}`, { headers: user(34) })).status, 404)
      assert.strictEqual((yield* suite.call("DELETE", `${path}/${last.id}`, { headers: user(33) })).status, 204)
      yield* signatures(33, 0)
      const audit = yield* sql<{ action: string; detail: unknown }>`select action, detail from core.audit
        where tenant_id = 33 and entity_type = 'webhook_secret' order by id`
      assert.deepStrictEqual(
        audit.map(({ action }) => action.replace("webhook_secret.", "")),
        ["rotated", "rotated", "rotated", "rotated", "deleted"]
      )
      assert.notInclude(JSON.stringify(audit), "whsec_")
    })
  )

  it.effect("signs for the provider with the secret of the environment, beside one of its own", () =>
    Effect.gen(function* () {
      const verify = yield* documented
      const { suite } = yield* Started
      const before = yield* signatures(1, 1)
      assert.strictEqual(verify(before.headers, before.body, envSecret, 1), before.key)
      const made = (yield* rotate({ "x-service-token": yield* suite.token })).json
      assert.strictEqual(made.tenant_id, 1)
      const both = yield* signatures(1, 2)
      for (const secret of [envSecret, made.secret])
        assert.strictEqual(verify(both.headers, both.body, secret, 1), both.key)
    })
  )

  it.effect("needs workflows.manage, and lets only platform tokens name another tenant", () =>
    Effect.gen(function* () {
      const { suite, sql } = yield* Started
      assert.strictEqual((yield* rotate(user(35, "mail.read"))).status, 403)
      assert.strictEqual((yield* rotate(user(35), { tenant_id: 36 })).status, 403)
      assert.strictEqual((yield* rotate(user(35), { overlap_hours: 169 })).status, 422)
      const made = yield* rotate({ "x-service-token": yield* suite.token }, { tenant_id: 35 })
      assert.strictEqual(made.json.tenant_id, 35)
      const stored = yield* sql<{ secret: string }>`select secret from comm_dispatcher.webhook_secret`
      for (const { secret } of stored) assert.match(secret, /^sbx1\./)
    })
  )

  it.effect("reaches private networks for the platform and for alarm mails, not for users", () =>
    Effect.gen(function* () {
      const { ended, sink, suite, url } = yield* Started
      const notify = (headers: Record<string, string>, mark: string) =>
        suite.call("POST", "/api/v1/comm/notify", {
          headers,
          body: { channels: [{ channel: "webhook", target: `${url}/${mark}` }], text: mark }
        })
      const alarm = (headers: Record<string, string>, mark: string) =>
        suite.call("POST", "/api/v1/workflows/trigger", {
          headers,
          body: {
            event_type: "email.alarm.received",
            payload: { email_subject: `INFO:WEBHOOK+${url}/${mark}`, email_body: mark, email_from: "guard@ok.test" }
          }
        })
      const platform = { "x-service-token": yield* suite.token }
      for (const [mark, headers, send] of [
        ["private-notify", user(37), notify],
        ["private-trigger", user(37), alarm],
        ["private-provider", user(1), notify]
      ] as const) {
        const { json } = yield* send(headers, mark)
        const view = suite.call("GET", `/api/v1/workflows/runs/${json.run_id}`, { headers })
        yield* untilWithin(
          20,
          mark,
          Effect.map(view, (answer) => answer.json.finished_at !== null)
        )
        const { state, targets } = (yield* view).json
        assert.deepStrictEqual([state, targets[0].state], ["failed", "failed"], mark)
        assert.include(targets[0].reason, "is not public", mark)
        assert.isFalse(
          sink.requests.some((request) => request.path === `/${mark}`),
          mark
        )
      }
      for (const send of [notify, alarm])
        assert.strictEqual((yield* ended((yield* send(platform, "public")).json.run_id)).state, "delivered")
    })
  )
})
