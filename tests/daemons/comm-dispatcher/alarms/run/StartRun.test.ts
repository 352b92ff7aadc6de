import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { type Dispatcher, enqueue, runsPath, startDispatcher, until } from "../../Dispatcher.ts"
import { runIdOf } from "#daemons/comm-dispatcher/runs/Ledger.ts"

const admin = "4711"

class Started extends Context.Service<Started, Dispatcher>()("test/Started") {
  static readonly layer = Layer.effect(
    Started,
    startDispatcher({ env: { SIGNALBOX_ADMIN_CHAT_ID: admin, SIGNALBOX_ALARM_COOLDOWN: "600" } })
  )
}

const steps = (run: any) => run.steps.map((step: any) => `${step.name} ${step.state}`)

describe("the workflow", () => {
  layer(Started.layer, { excludeTestServices: true })((it) => {
    it.effect("rejects a sender who is not allowed, in the ledger only", () =>
      Effect.gen(function* () {
        const { bot, run, sink, trigger, url } = yield* Started
        const answer = yield* trigger(`ALERT:WEBHOOK+${url}/refused`, { from: "thief@bad.test" })
        assert.deepStrictEqual([answer.status, answer.json.state], [202, "rejected"])
        assert.include(answer.json.reason, "thief@bad.test is not among the allowed senders")
        const found = yield* run(answer.json.run_id)
        assert.deepInclude(found, { state: "rejected", severity: null, target_count: 0, sender: "thief@bad.test" })
        assert.isNotNull(found.finished_at)
        assert.deepStrictEqual(steps(found), [
          "email.parse_subject failed",
          "comm.dispatch_actions skipped",
          "comm.log_result done"
        ])
        // The sender is checked first, so an unknown sender's malformed subject causes no notice.
        const stranger = yield* trigger("nonsense of a stranger", { from: "thief@bad.test" })
        assert.strictEqual(stranger.json.state, "rejected")
        assert.deepStrictEqual(
          sink.requests.filter(({ path }) => path === "/refused"),
          []
        )
        assert.isFalse(bot.messages.some(({ text }) => text.includes("stranger")))
      })
    )

    it.effect("tells the admin chat of an allowed sender's malformed subject, once", () =>
      Effect.gen(function* () {
        const { bot, ended, run, trigger } = yield* Started
        const answer = yield* trigger("PANIC:SMS+4915112345678")
        const found = yield* ended(answer.json.run_id)
        assert.deepInclude(found, { state: "rejected", severity: null, target_count: 1, delivered_count: 1 })
        assert.include(found.reason, "“PANIC” is no severity")
        assert.deepStrictEqual(steps(found), [
          "email.parse_subject failed",
          "comm.dispatch_actions done",
          "comm.log_result done"
        ])
        const again = yield* trigger("PANIC:SMS+4915112345678")
        assert.strictEqual(again.json.state, "duplicate")
        assert.strictEqual((yield* run(again.json.run_id)).state, "duplicate")
        const told = bot.messages.filter(({ chatId, text }) => chatId === admin && text.includes("PANIC"))
        assert.lengthOf(told, 1)
        assert.include(told[0]!.text, "guard@ok.test")
        assert.include(told[0]!.text, found.reason)
      })
    )

    it.effect("drops the same alarm within the cooldown, not another sender's or another subject", () =>
      Effect.gen(function* () {
        const { ended, sink, trigger, url } = yield* Started
        const subject = (path: string) => `WARNING:WEBHOOK+${url}/${path}`
        const first = yield* trigger(subject("dup"))
        const second = yield* trigger(`  ${subject("dup")} `)
        assert.strictEqual(second.json.state, "duplicate")
        assert.include(second.json.reason, "600 s")
        const others = [yield* trigger(subject("dup"), { from: "other@ok.test" }), yield* trigger(subject("dup2"))]
        assert.deepStrictEqual(
          others.map((answer) => answer.json.state),
          ["running", "running"]
        )
        for (const { json } of [first, ...others]) yield* ended(json.run_id)
        assert.lengthOf(
          sink.requests.filter(({ path }) => path === "/dup"),
          2
        )
      })
    )

    it.effect("tells two of the same alarm at once apart", () =>
      Effect.gen(function* () {
        const { trigger, url } = yield* Started
        const answers = yield* Effect.forEach(Array.from({ length: 12 }), () => trigger(`INFO:WEBHOOK+${url}/twins`), {
          concurrency: 12
        })
        assert.deepStrictEqual(answers.map(({ json }) => json.state).sort(), [
          ...Array.from({ length: 11 }, () => "duplicate"),
          "running"
        ])
      })
    )

    it.effect("starts one run for a trigger however often it comes, and answers how it stands", () =>
      Effect.gen(function* () {
        const { ended, sink, sql, url } = yield* Started
        const data = {
          trigger_key: "imap 1 2 3",
          payload: { email_subject: `ALERT:WEBHOOK+${url}/twice`, email_body: "", email_from: "guard@ok.test" }
        }
        yield* enqueue(sql, data)
        const id = runIdOf(data.trigger_key)
        const run = yield* ended(id)
        assert.deepStrictEqual(run.source, { kind: "imap", mailbox: "alarms@ok.test" })
        yield* enqueue(sql, data)
        yield* enqueue(sql, { ...data, trigger_key: "imap 1 2 4" })
        assert.strictEqual((yield* ended(runIdOf("imap 1 2 4"))).state, "duplicate")
        yield* until(
          "every trigger is done with",
          async () =>
            (
              await Effect.runPromise(
                sql`select 1 from pgboss.job where name = 'alarm.trigger' and state <> 'completed'`
              )
            ).length === 0
        )
        assert.deepStrictEqual(yield* ended(id), run)
        assert.lengthOf(
          sink.requests.filter(({ path }) => path === "/twice"),
          1
        )
      })
    )

    it.effect("asks an operator's alarm neither for its sender nor for the cooldown", () =>
      Effect.gen(function* () {
        const { ended, sql, url } = yield* Started
        const payload = { email_subject: `INFO:WEBHOOK+${url}/operator`, email_body: "", email_from: "root@somewhere" }
        for (const key of ["op 1", "op 2"])
          yield* enqueue(sql, { trigger_key: key, payload, operator: true, source: { kind: "operator" } })
        for (const key of ["op 1", "op 2"]) assert.strictEqual((yield* ended(runIdOf(key))).state, "delivered")
        yield* enqueue(sql, { trigger_key: "op 3", payload })
        assert.strictEqual((yield* ended(runIdOf("op 3"))).state, "rejected")
      })
    )

    it.effect("tells of every end once, as an event", () =>
      Effect.gen(function* () {
        const { alarm, sql, trigger, url } = yield* Started
        const ids = [
          (yield* alarm(`ALERT:WEBHOOK+${url}/event;SMS+4915112345678`)).id,
          (yield* trigger("ALERT:nobody", { from: "x@bad.test" })).json.run_id
        ]
        const events = yield* sql<{ data: any; tenant_id: number }>`select data, tenant_id from core.event
          where type = 'alarm.finished' and data->>'run_id' = any(${ids}::text[]) order by id`
        assert.deepStrictEqual(
          events.map(({ data }) => data),
          [
            {
              run_id: ids[0],
              state: "partly_delivered",
              severity: "ALERT",
              title: `ALERT:WEBHOOK+${new URL(url).origin}/…;SMS+…78`,
              targets: 2,
              delivered: 1,
              missed: [{ channel: "sms", target: "+…78", reason: "unsupported" }]
            },
            { run_id: ids[1], state: "rejected", severity: null, targets: 0, delivered: 0 }
          ]
        )
        assert.deepStrictEqual(
          events.map(({ tenant_id }) => tenant_id),
          [1, 1]
        )
      })
    )
  })

  it.live("keeps a malformed subject visible when nobody is to be told", () =>
    Effect.gen(function* () {
      const { bot, get, trigger } = yield* startDispatcher()
      const answer = yield* trigger("hello")
      assert.strictEqual(answer.json.state, "rejected")
      const { items } = (yield* get(`${runsPath}?state=rejected`)).json
      assert.deepInclude(items[0], { subject: "hello", reason: answer.json.reason, target_count: 0 })
      assert.lengthOf(bot.messages, 0)
    }).pipe(Effect.scoped)
  )
})
