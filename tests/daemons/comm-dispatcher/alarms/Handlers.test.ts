import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { type Dispatcher, runsPath, startDispatcher } from "../Dispatcher.ts"
import { bad, good, phone } from "./CommBodies.ts"

const heartbeatChat = "4242"

class Started extends Context.Service<Started, Dispatcher>()("test/Started") {
  static readonly layer = Layer.effect(
    Started,
    startDispatcher({ env: { SIGNALBOX_HEARTBEAT_CHAT_ID: heartbeatChat } })
  )
}

const base = "/api/v1/comm"
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const manager = (tenant: number) => ({ authorization: `Bearer user:${tenant}:workflows.manage` })

/** Text that no answer may contain. */
const inside = /\bat .+\.ts:|node_modules|select |insert |comm_dispatcher|pgboss|SqlError/

describe("the comm endpoints", () => {
  layer(Started.layer, { excludeTestServices: true })((it) => {
    const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      Effect.flatMap(Started, ({ suite, token }) => suite.call("POST", `${base}/${path}`, { token, body, headers }))
    const newest = Effect.flatMap(Started, ({ get }) =>
      Effect.map(get(`${runsPath}?workflow=alarm&limit=1`), (answer) => answer.json.items[0]?.seq ?? 0)
    )

    it.effect("answer where the run stands, and what stands in the ledger is what goes out", () =>
      Effect.gen(function* () {
        const { bot, ended } = yield* Started
        const answer = yield* send("messenger", { chat_id: "0077", text: "The pump stands still.", severity: "ALERT" })
        const id = answer.json.run_id
        assert.match(id, uuid)
        assert.deepStrictEqual(
          [answer.status, answer.json],
          [
            202,
            {
              run_id: id,
              state: "running",
              targets: [{ fallback_of: null, channel: "messenger", target: "77", state: "pending", reason: null }],
              links: { run: `${runsPath}/${id}`, acknowledge: `${runsPath}/${id}/acknowledge` }
            }
          ]
        )
        const run = yield* ended(id)
        assert.deepInclude(run, {
          event_type: "comm.messenger",
          state: "delivered",
          severity: "ALERT",
          body: "The pump stands still.",
          source: { kind: "api" }
        })
        assert.strictEqual(bot.messages.find(({ chatId }) => chatId === "77")?.text, "ALERT: The pump stands still.")
        const plain = yield* send("messenger", { chat_id: "78", text: "The pump runs." })
        assert.isNull((yield* ended(plain.json.run_id)).severity)
        assert.strictEqual(bot.messages.find(({ chatId }) => chatId === "78")?.text, "The pump runs.")
      })
    )

    it.effect("fill in the defaults, and the ledger shows them", () =>
      Effect.gen(function* () {
        const { run } = yield* Started
        const target = (path: string, body: object) =>
          Effect.flatMap(send(path, body), ({ json, status, text }) => {
            assert.strictEqual(status, 202, text)
            return Effect.map(run(json.run_id), ({ event_type, targets }) => [
              event_type,
              targets[0].channel,
              targets[0].target,
              targets[0].options
            ])
          })
        assert.deepStrictEqual(yield* target("call", good["call"]!), [
          "comm.call",
          "call",
          phone,
          { tts_provider: "local_gpu", pause_ms: 4000, repeat: 2 }
        ])
        assert.deepStrictEqual(yield* target("messenger/voice", good["messenger/voice"]!), [
          "comm.messenger_voice",
          "messenger_voice",
          "1",
          { tts_provider: "local_gpu" }
        ])
        assert.deepStrictEqual(yield* target("messenger", good["messenger"]!), ["comm.messenger", "messenger", "1", {}])
        assert.deepStrictEqual(yield* target("notify", { text: "t", channels: [{ channel: "call", target: phone }] }), [
          "comm.notify",
          "call",
          phone,
          { tts_provider: "local_gpu", pause_ms: 4000, repeat: 2 }
        ])
        const asked = { tts_provider: "cloud", tts_voice: "models/de/anna", pause_ms: 60_000, repeat: 10 }
        assert.deepStrictEqual((yield* target("call", { ...good["call"], ...asked }))[3], asked)
        const voice = { tts_provider: "local_fast", tts_voice: "otto", caption: "c".repeat(1_024) }
        assert.deepStrictEqual((yield* target("messenger/voice", { ...good["messenger/voice"], ...voice }))[3], voice)
      })
    )

    it.effect(
      "serve several targets, say at once of an SMS that it is unsupported, and try fallbacks in their order",
      () =>
        Effect.gen(function* () {
          const { bot, ended, sink, url } = yield* Started
          const answer = yield* send("notify", {
            text: "Several",
            severity: "WARNING",
            channels: [
              { channel: "webhook", target: `${url}/several` },
              {
                channel: "sms",
                target: phone,
                fallback: [
                  { channel: "sms", target: "+4915112345679" },
                  { channel: "messenger", target: "501" }
                ]
              }
            ]
          })
          assert.strictEqual(answer.status, 202, answer.text)
          assert.deepStrictEqual(
            answer.json.targets.map((target: any) => [target.fallback_of, target.channel, target.target, target.state]),
            [
              [null, "webhook", `${url}/several`, "pending"],
              [null, "sms", phone, "pending"],
              [1, "sms", "+4915112345679", "pending"],
              [1, "messenger", "501", "pending"]
            ]
          )
          for (const target of answer.json.targets) {
            if (target.channel === "sms") assert.match(target.reason, /^unsupported/)
            else assert.isNull(target.reason)
          }
          const run = yield* ended(answer.json.run_id)
          assert.deepStrictEqual(
            [run.state, ...run.targets.map((target: any) => target.state)],
            ["delivered", "delivered", "failed", "failed", "delivered"]
          )
          assert.match(run.targets[1].reason, /^unsupported/)
          assert.strictEqual(run.targets[1].attempts.length, 1, "an SMS is never retried")
          assert.lengthOf(
            bot.messages.filter(({ chatId }) => chatId === "501"),
            1
          )
          assert.deepInclude(JSON.parse(sink.requests.find(({ path }) => path === "/several")!.body), {
            event_type: "comm.notify",
            severity: "WARNING",
            body: "Several"
          })
        })
    )

    for (const [path, name, change, fields] of bad) {
      it.effect(`refuse ${name} at ${path}`, () =>
        Effect.gen(function* () {
          const before = yield* newest
          const answer = yield* send(path, { ...good[path], ...change })
          assert.deepStrictEqual(
            [answer.status, answer.json?.code],
            [422, "invalid_request"],
            answer.text.slice(0, 500)
          )
          assert.strictEqual(answer.headers.get("content-type"), "application/problem+json")
          assert.deepStrictEqual(
            [...new Set(answer.json.errors.map((error: { field: string }) => error.field))].sort(),
            fields.map((field) => `payload.${field}`).sort()
          )
          assert.notMatch(answer.text, inside)
          assert.isBelow(answer.text.length, 4_000, "an answer does not repeat what was sent")
          assert.strictEqual(yield* newest, before)
        })
      )
    }

    for (const path of Object.keys(good)) {
      it.effect(`refuse what is no request at ${path}`, () =>
        Effect.gen(function* () {
          for (const [body, status] of [
            ["", 422],
            ["{", 400],
            [[], 422],
            ["null", 422],
            ['"t"', 422],
            ["[".repeat(50_000) + "]".repeat(50_000), 422]
          ] as const) {
            const answer = yield* send(path, body)
            assert.strictEqual(answer.status, status, String(body).slice(0, 20))
            assert.isBelow(answer.text.length, 4_000)
          }
          assert.strictEqual((yield* send(path, { ...good[path], text: "x".repeat(1_100_000) })).status, 413)
        })
      )

      it.effect(`answer a repeated Idempotency-Key with the first run at ${path}`, () =>
        Effect.gen(function* () {
          const headers = { "idempotency-key": `key of ${path}` }
          const first = yield* send(path, good[path], headers)
          const second = yield* send(path, good[path], headers)
          assert.deepStrictEqual([second.status, second.json], [202, first.json])
          const other = yield* send(path, { ...good[path], text: "other" }, headers)
          assert.deepStrictEqual([other.status, other.json.code], [422, "idempotency_key_reused"])
          assert.notStrictEqual((yield* send(path, good[path])).json.run_id, first.json.run_id)
        })
      )
    }

    it.effect("look at no target of a hundred thousand", () =>
      Effect.gen(function* () {
        for (const items of [
          Array.from({ length: 300_000 }, () => ({})),
          Array.from({ length: 20_000 }, () => ({ channel: "call", target: "x" }))
        ]) {
          const answer = yield* send("notify", { text: "t", channels: items })
          assert.deepStrictEqual(
            [answer.status, answer.json.errors],
            [422, [{ field: "payload.channels", message: "must have at most 20 items" }]]
          )
        }
      })
    )

    it.effect("keep a text that no database holds, with the marks replaced", () =>
      Effect.gen(function* () {
        const { bot, ended } = yield* Started
        const { json } = yield* send("messenger", { chat_id: "79", text: "a\0b\ud800c \u202e \u{1F525}" })
        yield* ended(json.run_id)
        assert.strictEqual(bot.messages.find(({ chatId }) => chatId === "79")?.text, "a\uFFFDb\uFFFDc \u202e \u{1F525}")
      })
    )

    it.effect("let in service tokens and users who may, each to its own runs", () =>
      Effect.gen(function* () {
        const { suite, token } = yield* Started
        const endpoints = [
          ...Object.keys(good).map((path) => ["POST", path, good[path], 202] as const),
          ["GET", "health", undefined, 200] as const,
          ["POST", "heartbeat", undefined, 200] as const
        ]
        for (const [method, path, body, status] of endpoints) {
          const as = (headers: Record<string, string>) =>
            suite.call(method, `${base}/${path}`, { headers, ...(body === undefined ? {} : { body }) })
          const got = (headers: Record<string, string>) =>
            Effect.map(as(headers), (answer) => [answer.status, answer.json.code])
          assert.deepStrictEqual(yield* got({}), [401, "unauthenticated"], path)
          assert.deepStrictEqual(yield* got({ "x-service-token": "sbx_wrong" }), [401, "unauthenticated"], path)
          assert.deepStrictEqual(yield* got({ authorization: "Bearer nobody" }), [401, "unauthenticated"], path)
          const forbidden = yield* as({ authorization: "Bearer user:7:" })
          assert.deepStrictEqual([forbidden.status, forbidden.json.permission], [403, "workflows.manage"], path)
          assert.deepStrictEqual(yield* got(manager(7)), [status, undefined], path)
          assert.deepStrictEqual(
            yield* got({ "x-service-token": token }),
            path === "heartbeat" ? [403, "forbidden"] : [status, undefined],
            path
          )
        }
        const { json } = yield* suite.call("POST", `${base}/messenger`, {
          headers: manager(7),
          body: good["messenger"]
        })
        const see = (tenant: number) =>
          Effect.map(suite.call("GET", json.links.run, { headers: manager(tenant) }), ({ status }) => status)
        assert.deepStrictEqual([yield* see(7), yield* see(8)], [200, 404])
      })
    )

    it.effect("let a run be acknowledged with or without a note, by who may and sees it", () =>
      Effect.gen(function* () {
        const { get, runWhen, suite, token, url } = yield* Started
        const start = Effect.gen(function* () {
          // A webhook to an unreachable host is retried later.
          const { json } = yield* suite.call("POST", `${base}/notify`, {
            headers: manager(7),
            body: {
              text: "t",
              channels: [
                { channel: "sms", target: phone },
                { channel: "webhook", target: `${url}/never`, fallback: [] }
              ]
            }
          })
          return json.links
        })
        const acknowledge = (path: string, headers: Record<string, string>, body?: unknown) =>
          suite.call("POST", path, { headers, ...(body === undefined ? {} : { body }) })
        const links = yield* start
        assert.strictEqual((yield* acknowledge(links.acknowledge, {})).status, 401)
        assert.strictEqual((yield* acknowledge(links.acknowledge, { authorization: "Bearer user:7:" })).status, 403)
        assert.strictEqual((yield* acknowledge(links.acknowledge, manager(8))).status, 404)
        for (const [body, fields] of [
          [{ note: "x".repeat(501) }, ["payload.note"]],
          [{ note: 1 }, ["payload.note"]],
          [[], ["payload"]],
          ['"note"', ["payload"]]
        ] as const) {
          const answer = yield* acknowledge(links.acknowledge, manager(7), body)
          assert.deepStrictEqual(
            [answer.status, answer.json.errors.map((error: { field: string }) => error.field)],
            [422, [...fields]]
          )
        }
        assert.strictEqual(
          (yield* acknowledge(links.acknowledge.replace(/[^/]+\/acknowledge/, "1/acknowledge"), manager(7))).status,
          404
        )
        assert.isNull((yield* get(links.run)).json.acknowledged_at)

        const first = yield* acknowledge(links.acknowledge, manager(7), { note: " on\0 it " })
        assert.strictEqual(first.status, 200, first.text)
        assert.sameMembers(Object.keys(first.json), [
          "run_id",
          "state",
          "acknowledged_at",
          "acknowledged_by",
          "suppressed",
          "links"
        ])
        assert.strictEqual(first.json.acknowledged_by, "user:70: on\uFFFD it")
        assert.strictEqual(first.json.links.run, links.run)
        const second = yield* acknowledge(links.acknowledge, { "x-service-token": token })
        assert.deepInclude(second.json, {
          acknowledged_by: first.json.acknowledged_by,
          acknowledged_at: first.json.acknowledged_at,
          suppressed: 0
        })
        const run = yield* runWhen(first.json.run_id, (run) => run.finished_at !== null)
        assert.deepInclude(run, {
          acknowledged_by: first.json.acknowledged_by,
          acknowledged_at: first.json.acknowledged_at
        })

        for (const body of ["null", "{}"])
          assert.strictEqual(
            (yield* acknowledge((yield* start).acknowledge, manager(7), body)).json.acknowledged_by,
            "user:70"
          )
      })
    )

    it.effect("list runs by the states of an acknowledgement", () =>
      Effect.gen(function* () {
        const { ended, get, sql } = yield* Started
        const { json } = yield* send("messenger", good["messenger"])
        yield* ended(json.run_id)
        for (const state of ["acknowledged", "acknowledgement"]) {
          yield* sql`update comm_dispatcher.run set state = ${state} where id = ${json.run_id}::uuid`
          const { items } = (yield* get(`${runsPath}?state=${state}`)).json
          assert.include(
            items.map((item: { id: string }) => item.id),
            json.run_id
          )
          assert.deepStrictEqual([...new Set(items.map((item: { state: string }) => item.state))], [state])
        }
      })
    )

    it.effect("send a heartbeat for users only, and tell a service token why", () =>
      Effect.gen(function* () {
        const { bot, suite, token } = yield* Started
        const beat = (headers: Record<string, string>) => suite.call("POST", `${base}/heartbeat`, { headers })
        const count = () => bot.messages.filter(({ chatId }) => chatId === heartbeatChat).length
        const before = count()
        const refused = yield* beat({ "x-service-token": token })
        assert.deepStrictEqual([refused.status, refused.headers.get("content-type")], [403, "application/problem+json"])
        assert.match(refused.json.detail, /users only/)
        assert.isUndefined(refused.json.permission)
        assert.strictEqual((yield* beat({ "x-service-token": "sbx_wrong" })).status, 401)
        assert.strictEqual(count(), before)

        const sent = yield* beat(manager(1))
        assert.strictEqual(sent.status, 200, sent.text)
        const message = bot.messages.findLast(({ chatId }) => chatId === heartbeatChat)!
        assert.strictEqual(count(), before + 1)
        assert.deepInclude(sent.json, { sent: true, message_id: message.messageId })
        assert.strictEqual(sent.json.health.components.messenger.status, "ok")
        // With both credentials the caller counts as a user.
        assert.strictEqual((yield* beat({ ...manager(1), "x-service-token": token })).status, 200)

        bot.failNext("500")
        const failed = yield* beat(manager(1))
        assert.deepStrictEqual([failed.status, failed.json.sent, failed.json.message_id], [200, false, undefined])
        assert.match(failed.json.reason, /the server failed \(500\)/)
      })
    )

    it.effect("say how the channels are", () =>
      Effect.gen(function* () {
        const { bot, get } = yield* Started
        const answer = yield* get(`${base}/health`)
        assert.strictEqual(answer.status, 200)
        const { components, status } = answer.json
        assert.strictEqual(status, "ok", answer.text)
        assert.sameMembers(Object.keys(components), ["cache", "tts", "telephony", "messenger"])
        assert.deepInclude(components.cache, { status: "ok", kind: "postgres" })
        assert.isNumber(components.cache.latency_ms)
        assert.property(components.tts, "provider")
        assert.deepStrictEqual(components.telephony, { status: "unconfigured" })
        assert.deepStrictEqual(components.messenger, { status: "ok", bot: "double_bot" })
        const asked = () => bot.calls.filter(({ method }) => method === "getMe").length
        const before = asked()
        yield* Effect.forEach(Array.from({ length: 20 }), () => get(`${base}/health`), { concurrency: 10 })
        assert.isAtMost(asked() - before, 1)
      })
    )

    it.effect("stand in the document, each with what it takes, and heartbeat for users alone", () =>
      Effect.gen(function* () {
        const { components, paths } = (yield* (yield* Started).get("/openapi.json")).json
        const { CallRequest, NotifyRequest } = components.schemas
        assert.deepStrictEqual(CallRequest.required, ["target", "text"])
        assert.deepInclude(CallRequest.properties.pause_ms, { minimum: 0, maximum: 60_000, default: 4_000 })
        assert.deepInclude(CallRequest.properties.repeat, { minimum: 1, maximum: 10, default: 2 })
        assert.deepInclude(CallRequest.properties.target, { description: "Phone number, E.164" })
        assert.include(JSON.stringify(NotifyRequest.properties.channels), '"maxItems":20,"items":{"type":"object"')
        assert.includeMembers(
          Object.keys(paths),
          [...Object.keys(good), "health", "heartbeat"].map((path) => `${base}/${path}`)
        )
        for (const path of Object.keys(good)) {
          const { description, requestBody, responses, summary } = paths[`${base}/${path}`].post
          assert.isTrue(summary.length > 0 && description.length > 0 && requestBody.required)
          assert.includeMembers(Object.keys(responses), ["202", "401", "403", "422", "503"])
        }
        assert.deepStrictEqual(paths[`${base}/heartbeat`].post.security, [{ user: [] }])
        assert.deepStrictEqual(paths[`${base}/call`].post.security, [{ service: [] }, { user: [] }])
        assert.property(paths, "/api/v1/workflows/runs/{id}/acknowledge")
      })
    )
  })

  it.live("say what is not configured, and that nothing is degraded by it", () =>
    Effect.gen(function* () {
      const { get, suite } = yield* startDispatcher({ env: { SIGNALBOX_MESSENGER_TOKEN: "" } })
      const { components, status } = (yield* get(`${base}/health`)).json
      assert.deepStrictEqual(
        [status, components.messenger, components.telephony],
        ["ok", { status: "unconfigured" }, { status: "unconfigured" }]
      )
      const beat = yield* suite.call("POST", `${base}/heartbeat`, { headers: manager(1) })
      assert.deepStrictEqual(
        [beat.status, beat.json.code, beat.json.settings],
        [409, "not_configured", ["SIGNALBOX_HEARTBEAT_CHAT_ID"]]
      )
      assert.strictEqual(beat.headers.get("content-type"), "application/problem+json")
      const answer = yield* suite.call("POST", `${base}/call`, { headers: manager(1), body: good["call"] })
      assert.strictEqual(answer.status, 202)
    }).pipe(Effect.scoped)
  )

  it.live("name the token when only that is missing, and the part that does not answer", () =>
    Effect.gen(function* () {
      const { suite } = yield* startDispatcher({
        env: { SIGNALBOX_MESSENGER_TOKEN: "", SIGNALBOX_HEARTBEAT_CHAT_ID: "1" }
      })
      const beat = yield* suite.call("POST", `${base}/heartbeat`, { headers: manager(1) })
      assert.deepStrictEqual([beat.status, beat.json.settings], [409, ["SIGNALBOX_MESSENGER_TOKEN"]])
      const wrong = yield* startDispatcher({
        env: { SIGNALBOX_MESSENGER_TOKEN: "1:wrong", SIGNALBOX_HEARTBEAT_CHAT_ID: "1" }
      })
      const { json, status } = yield* wrong.get(`${base}/health`)
      assert.deepStrictEqual(
        [status, json.status, json.components.messenger],
        [200, "degraded", { status: "degraded", detail: "getMe: the bot token is not accepted" }]
      )
      const failed = yield* wrong.suite.call("POST", `${base}/heartbeat`, { headers: manager(1) })
      assert.deepStrictEqual([failed.status, failed.json.sent, failed.json.health.status], [200, false, "degraded"])
      assert.notInclude(failed.text, "1:wrong")
    }).pipe(Effect.scoped)
  )
})
