import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { bodyOf, type Dispatcher, runsPath, sender, startDispatcher, until } from "../Dispatcher.ts"

/** Whether the messenger fails for chat 2. */
const messenger = { fails: false }

class Started extends Context.Service<Started, Dispatcher>()("test/Started") {
  static readonly layer = Layer.effect(
    Started,
    startDispatcher({ bot: { failing: (chat) => (chat === "2" && messenger.fails ? "html502" : undefined) } })
  )
}

const trigger = "/api/v1/workflows/trigger"
const manager = (tenant: number) => ({ authorization: `Bearer user:${tenant}:workflows.manage` })
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const isTime = (text: unknown) => typeof text === "string" && new Date(text).toISOString() === text

describe("the API", () => {
  layer(Started.layer, { excludeTestServices: true })((it) => {
    it.effect("takes an alarm from trigger to delivered, and the ledger says every step", () =>
      Effect.gen(function* () {
        const { ended, get, sink, trigger, url } = yield* Started
        const subject = `critical: WEBHOOK+${url}/one; RETRY:3x2m`
        const answer = yield* trigger(subject, { body: "The pump stands still." })
        assert.strictEqual(answer.status, 202)
        assert.match(answer.json.run_id, uuid)
        assert.deepStrictEqual(answer.json, {
          run_id: answer.json.run_id,
          state: "running",
          reason: null,
          links: { run: `${runsPath}/${answer.json.run_id}` }
        })

        const run = yield* ended(answer.json.run_id)
        const { created_at, finished_at, id, received_at, seq, steps, targets, ...rest } = run
        assert.strictEqual(id, answer.json.run_id)
        assert.isTrue([created_at, finished_at, received_at].every(isTime), JSON.stringify(run))
        assert.isNumber(seq)
        assert.deepStrictEqual(rest, {
          workflow: "alarm",
          event_type: "email.alarm.received",
          state: "delivered",
          acknowledged_at: null,
          acknowledged_by: null,
          acknowledged_name: null,
          title: "The pump stands still.",
          reason: null,
          severity: "CRITICAL",
          subject,
          sender,
          target_count: 1,
          delivered_count: 1,
          body: "The pump stands still.",
          mode: "parallel",
          retry: { attempts: 3, pause_minutes: 2 },
          source: { kind: "api" }
        })
        assert.deepStrictEqual(
          steps.map((step: any) => [step.name, step.state, step.detail]),
          [
            ["email.parse_subject", "done", undefined],
            ["comm.dispatch_actions", "done", "1 of 1 delivered"],
            ["comm.log_result", "done", undefined]
          ]
        )
        const [{ attempts, ...target }] = targets
        assert.deepStrictEqual(target, {
          channel: "webhook",
          target: `${url}/one`,
          position: 0,
          fallback_of: null,
          options: {},
          state: "delivered",
          reason: "status 200",
          due_at: null,
          possible_second: false
        })
        assert.strictEqual(attempts.length, 1)
        assert.deepInclude(attempts[0], { number: 1, state: "delivered", detail: "status 200" })
        assert.isTrue(isTime(attempts[0].started_at) && isTime(attempts[0].finished_at))

        const sent = sink.requests.find((request) => request.path === "/one")!
        assert.deepStrictEqual(JSON.parse(sent.body), {
          run_id: id,
          event_type: "email.alarm.received",
          severity: "CRITICAL",
          title: "The pump stands still.",
          subject: `CRITICAL:WEBHOOK+${url}/one;RETRY:3x2m`,
          body: "The pump stands still.",
          from: sender,
          timestamp: received_at
        })
        assert.match(sent.key ?? "", uuid)
        const {
          body: _body,
          mode: _mode,
          retry: _retry,
          source: _source,
          steps: _steps,
          targets: _targets,
          ...summary
        } = run
        const [{ targets: listed, ...row }] = (yield* get(`${runsPath}?limit=1&state=delivered`)).json.items
        assert.deepStrictEqual(row, summary)
        assert.deepStrictEqual(
          listed.map(({ position, state }: any) => [position, state]),
          [[0, "delivered"]]
        )
      })
    )

    it.effect("refuses an event type that begins no workflow", () =>
      Effect.gen(function* () {
        const { post } = yield* Started
        const answer = yield* post({ ...bodyOf("INFO:SMS+4915112345678"), event_type: "email.received" })
        assert.strictEqual(answer.status, 422)
        assert.strictEqual(answer.headers.get("content-type"), "application/problem+json")
        assert.strictEqual(answer.json.code, "unknown_event_type")
      })
    )

    it.effect("answers a repeated Idempotency-Key with the first run, and refuses it with another body", () =>
      Effect.gen(function* () {
        const { ended, sink, trigger, url } = yield* Started
        const headers = { "idempotency-key": "once" }
        const first = yield* trigger(`INFO:WEBHOOK+${url}/idem`, { headers })
        const second = yield* trigger(`INFO:WEBHOOK+${url}/idem`, { headers })
        assert.deepStrictEqual([second.status, second.json], [202, first.json])
        const other = yield* trigger(`INFO:WEBHOOK+${url}/other`, { headers })
        assert.deepStrictEqual([other.status, other.json.code], [422, "idempotency_key_reused"])
        yield* ended(first.json.run_id)
        assert.lengthOf(
          sink.requests.filter(({ path }) => path === "/idem" || path === "/other"),
          1
        )
      })
    )

    it.effect("pages and filters the ledger, newest first", () =>
      Effect.gen(function* () {
        const { alarm, get, url } = yield* Started
        const ids: Array<string> = []
        for (const severity of ["ALERT", "WARNING", "ALERT", "ALERT"])
          ids.unshift((yield* alarm(`${severity}:WEBHOOK+${url}/page${ids.length}`)).id)
        const alerts = [ids[0], ids[1], ids[3]]
        const pages: Array<string> = []
        let before: number | null = null
        do {
          const { json } = (yield* get(
            `${runsPath}?limit=2&severity=ALERT${before === null ? "" : `&before=${before}`}`
          )) as { json: any }
          assert.isAtMost(json.items.length, 2)
          pages.push(...json.items.map((item: { id: string }) => item.id))
          before = json.next_before
        } while (before !== null)
        assert.deepStrictEqual(pages, alerts as Array<string>)
        // A full last page is marked as the last one.
        assert.isNull((yield* get(`${runsPath}?limit=3&severity=ALERT`)).json.next_before)
        assert.deepStrictEqual((yield* get(`${runsPath}?state=failed&severity=ALERT`)).json.items, [])
        for (const wrong of [
          "limit=0",
          "limit=-1",
          "limit=1.5",
          "limit=many",
          "before=0",
          "before=NaN",
          "before=-3",
          "before=1e99",
          "state=open",
          "severity=LOUD"
        ]) {
          const answer = yield* get(`${runsPath}?${wrong}`)
          assert.deepStrictEqual([answer.status, answer.json.code], [422, "invalid_request"], wrong)
          assert.strictEqual(answer.json.errors[0].field, `query.${wrong.split("=")[0]}`)
        }
      })
    )

    it.effect("lets in only who may, each to its own tenant", () =>
      Effect.gen(function* () {
        const { ended, get, suite, url } = yield* Started
        const body = (path: string) => bodyOf(`INFO:WEBHOOK+${url}/${path}`)
        const status = (headers: Record<string, string>, path = "auth") =>
          Effect.map(suite.call("POST", trigger, { headers, body: body(path) }), (answer) => [
            answer.status,
            answer.json.code
          ])
        assert.deepStrictEqual(yield* status({}), [401, "unauthenticated"])
        assert.deepStrictEqual(yield* status({ "x-service-token": "sbx_wrong" }), [401, "unauthenticated"])
        assert.deepStrictEqual(yield* status({ authorization: "Bearer nobody" }), [401, "unauthenticated"])
        const forbidden = yield* suite.call("GET", runsPath, { headers: { authorization: "Bearer user:7:" } })
        assert.deepStrictEqual([forbidden.status, forbidden.json.permission], [403, "workflows.manage"])

        const seven = yield* suite.call("POST", trigger, { headers: manager(7), body: body("seven") })
        assert.strictEqual(seven.status, 202, seven.text)
        // The sink has a loopback address, which webhooks of tenants may not reach.
        assert.strictEqual((yield* ended(seven.json.run_id)).state, "failed")
        const eight = yield* suite.call("POST", trigger, { headers: manager(8), body: body("eight") })
        const as = (tenant: number, path: string) => suite.call("GET", path, { headers: manager(tenant) })
        const items: ReadonlyArray<{ id: string; target_count: number; delivered_count: number }> = (yield* as(
          7,
          runsPath
        )).json.items
        // Tenant 7 may also have the run that tells of its undelivered alarm.
        const mine = items.find(({ id }) => id === seven.json.run_id)
        assert.deepStrictEqual([mine?.target_count, mine?.delivered_count], [1, 0])
        assert.notInclude(
          items.map(({ id }) => id),
          eight.json.run_id
        )
        const own = yield* as(7, `${runsPath}/${seven.json.run_id}`)
        assert.deepStrictEqual([own.status, own.json.targets.length, own.json.targets[0].attempts.length], [200, 1, 1])
        assert.deepStrictEqual((yield* as(7, `${runsPath}/${eight.json.run_id}`)).json.code, "not_found")
        assert.strictEqual((yield* get(`${runsPath}/${eight.json.run_id}`)).status, 200)
      })
    )

    it.effect("has no such run", () =>
      Effect.gen(function* () {
        const { get } = yield* Started
        const unknown = yield* get(`${runsPath}/00000000-0000-4000-8000-000000000000`)
        assert.deepStrictEqual([unknown.status, unknown.json.code], [404, "not_found"])
        for (const wrong of ["1", "'%20or%201=1--", "00000000-0000-4000-8000-00000000000g"]) {
          assert.strictEqual((yield* get(`${runsPath}/${wrong}`)).status, 404, wrong)
        }
      })
    )

    it.effect("shows its parts in /health from what it has seen", () =>
      Effect.gen(function* () {
        const { alarm, ended, get, trigger, url } = yield* Started
        const parts = Effect.map(get("/health"), (answer) => answer.json.components)
        yield* alarm(`INFO:WEBHOOK+${url}/health;MESSENGER+1`)
        const well = yield* parts
        assert.deepStrictEqual(
          [well.messenger.status, well.webhook.status, well.cache.status, well.cache.kind],
          ["ok", "ok", "ok", "postgres"]
        )
        assert.isTrue(isTime(well.messenger.last_success) && isTime(well.webhook.last_success))
        // It fails until that is seen, although it is retried.
        messenger.fails = true
        const { json } = yield* trigger("INFO:MESSENGER+2")
        let ill: any
        yield* until("degraded", async () => {
          ill = await Effect.runPromise(parts)
          return ill.messenger.status === "degraded"
        })
        messenger.fails = false
        assert.match(ill.messenger.detail, /502/)
        assert.strictEqual((yield* ended(json.run_id)).state, "delivered")
        assert.strictEqual((yield* parts).messenger.status, "ok")
      })
    )
  })

  it.live("is not degraded by what nobody configured", () =>
    Effect.gen(function* () {
      const { get } = yield* startDispatcher({
        env: { SIGNALBOX_MESSENGER_TOKEN: "", SIGNALBOX_ALARM_ALLOWED_DOMAINS: "" }
      })
      const health = (yield* get("/health")).json
      assert.deepStrictEqual(
        [health.components.messenger.status, health.components.senders.status],
        ["unconfigured", "unconfigured"]
      )
      // A delayed event loop of a busy machine degrades it for a moment.
      yield* until("the whole is ok", async () => (await Effect.runPromise(get("/health"))).json.status === "ok")
    }).pipe(Effect.scoped)
  )
})
