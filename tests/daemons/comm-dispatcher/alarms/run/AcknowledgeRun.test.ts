import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runIdOf } from "#daemons/comm-dispatcher/runs/Ledger.ts"
import { enqueue, sender, startDispatcher } from "../../Dispatcher.ts"

const path = (id: string) => `/api/v1/workflows/runs/${id}/acknowledge`
const states = (run: any) => run.targets.map((target: any) => target.state)

describe("an acknowledgement", () => {
  it.live(
    "by the endpoint stops open retries and ends the run; what was delivered stays, a second one changes nothing",
    () =>
      Effect.gen(function* () {
        const { runWhen, sink, suite, token, trigger, url } = yield* startDispatcher({ minute: 60_000 })
        sink.next({ status: 500 })
        const { json } = yield* trigger(`ALERT:WEBHOOK+${url}/bad;RETRY:5x10m`)
        const before = yield* runWhen(json.run_id, (run) => run.targets[0].attempts[0]?.state === "failed")
        assert.deepStrictEqual(states(before), ["pending"])
        const answer = yield* suite.call("POST", path(json.run_id), { token, body: { note: "on it" } })
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.json.state, "acknowledged")
        const run = yield* runWhen(json.run_id, () => true)
        assert.deepStrictEqual([run.state, states(run)], ["acknowledged", ["suppressed"]])
        assert.include(run.targets[0].reason, "acknowledged by ")
        assert.include(run.acknowledged_by, "on it")
        assert.isNotNull(run.finished_at)
        const again = yield* suite.call("POST", path(json.run_id), { token, body: { note: "me too" } })
        assert.deepStrictEqual([again.status, again.json.acknowledged_by], [200, run.acknowledged_by])
        assert.strictEqual(
          (yield* suite.call("POST", path("00000000-0000-4000-8000-000000000000"), { token, body: {} })).status,
          404
        )
        assert.lengthOf(sink.requests, 1)
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "by a mail that answers the alarm's mail, from an allowed sender; an alarm in a thread is still an alarm",
    () =>
      Effect.gen(function* () {
        const { ended, run, runWhen, sink, sql, url } = yield* startDispatcher({ minute: 60_000 })
        const mail = (key: string, subject: string, from: string, source: object) =>
          enqueue(sql, {
            trigger_key: key,
            payload: { email_subject: subject, email_body: "", email_from: from },
            source: { kind: "imap", mailbox: "alarms@ok.test", ...source }
          })
        sink.next({ status: 500 }, { status: 500 })
        const id = runIdOf("first")
        yield* mail("first", `ALERT:WEBHOOK+${url}/bad;RETRY:5x10m`, sender, { message_id: "<first@ok.test>" })
        yield* runWhen(id, (run) => run.targets[0].attempts[0]?.state === "failed")

        yield* mail("stranger", "Re: ALERT", "x@bad.test", {
          message_id: "<s@bad.test>",
          in_reply_to: ["<first@ok.test>"]
        })
        assert.strictEqual((yield* ended(runIdOf("stranger"))).state, "rejected")
        yield* mail("elsewhere", "Re: ALERT", sender, { in_reply_to: ["<other@ok.test>"] })
        assert.strictEqual((yield* ended(runIdOf("elsewhere"))).state, "rejected")
        yield* mail("thread", `ALERT:WEBHOOK+${url}/next`, sender, { in_reply_to: ["<first@ok.test>"] })
        yield* runWhen(runIdOf("thread"), (run) => run.targets.length === 1)
        assert.strictEqual((yield* run(id)).state, "running", "none of these was an answer")

        yield* mail("answer", `Re: ALERT:WEBHOOK+${url}/bad`, `Guard <${sender}>`, {
          in_reply_to: ["<zero@ok.test>", "<first@ok.test>"]
        })
        const answered = yield* ended(id)
        assert.deepStrictEqual([answered.state, states(answered)], ["acknowledged", ["suppressed"]])
        assert.include(answered.acknowledged_by, sender)
        const answer = yield* ended(runIdOf("answer"))
        assert.deepStrictEqual(
          [answer.state, answer.reason, answer.targets],
          ["acknowledgement", `acknowledges ${id}`, []]
        )
        const events = yield* sql<{
          type: string
        }>`select type from core.event where data->>'run_id' = ${id} and type <> 'alarm.progress' order by id`
        assert.deepStrictEqual(
          events.map(({ type }) => type),
          ["alarm.acknowledged", "alarm.finished"]
        )
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "that meets the end of an attempt leaves nothing waiting, whichever comes first",
    () =>
      Effect.gen(function* () {
        const { runWhen, sink, suite, token, trigger, url } = yield* startDispatcher({ minute: 60_000 })
        sink.behaviour = { delay: 30, status: 500 }
        for (let round = 0; round < 25; round++) {
          const { json } = yield* trigger(`ALERT:WEBHOOK+${url}/a${round};WEBHOOK+${url}/b${round};RETRY:5x10m`)
          yield* runWhen(json.run_id, (run) =>
            run.targets.every(({ state }: any) => state === "attempting" || state === "pending")
          )
          // Acknowledges around the moment at which both outcomes are recorded.
          yield* Effect.sleep(10 + round * 2)
          const answer = yield* suite.call("POST", path(json.run_id), { token, body: {} })
          assert.strictEqual(answer.status, 200, JSON.stringify(answer.json))
          const run = yield* runWhen(json.run_id, (run) => run.finished_at !== null)
          assert.deepStrictEqual(
            [run.state, states(run)],
            ["acknowledged", ["suppressed", "suppressed"]],
            `round ${round}`
          )
        }
      }).pipe(Effect.scoped),
    120_000
  )
})
