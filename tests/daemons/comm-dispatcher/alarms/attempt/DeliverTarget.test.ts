import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { secondNotice } from "#daemons/comm-dispatcher/channels/messenger/Messenger.ts"
import { runIdOf } from "#daemons/comm-dispatcher/runs/Ledger.ts"
import { WebhookSink } from "#support/WebhookSink.ts"
import { type Dispatcher, enqueue, startDispatcher, until } from "../../Dispatcher.ts"

class Started extends Context.Service<Started, Dispatcher>()("test/Started") {
  static readonly layer = Layer.effect(Started, startDispatcher({ bot: { perSecond: 1_000, blocked: ["13"] } }))
}

const states = (run: any) => run.targets.map((target: any) => target.state)

describe("an attempt", () => {
  layer(Started.layer, { excludeTestServices: true })((it) => {
    it.effect("ends the run by its targets: delivered, partly_delivered, failed", () =>
      Effect.gen(function* () {
        const { alarm, url } = yield* Started
        const all = yield* alarm(`INFO:WEBHOOK+${url}/a;MESSENGER+1`)
        assert.deepStrictEqual([all.state, all.delivered_count], ["delivered", 2])
        const some = yield* alarm(`INFO:WEBHOOK+${url}/a;MESSENGER+13`)
        assert.deepStrictEqual([some.state, states(some)], ["partly_delivered", ["delivered", "failed"]])
        assert.include(some.targets[1].reason, "bot was blocked by the user")
        const none = yield* alarm("INFO:MESSENGER+13")
        assert.deepStrictEqual([none.state, none.delivered_count], ["failed", 0])
      })
    )

    it.effect("ends as uncertain what was sent and not answered", () =>
      Effect.gen(function* () {
        const { alarm, sink, url } = yield* Started
        sink.next({ cut: true })
        const run = yield* alarm(`ALERT:WEBHOOK+${url}/cut`)
        assert.deepStrictEqual([run.state, states(run), run.delivered_count], ["uncertain", ["uncertain"], 0])
        assert.deepStrictEqual([run.targets[0].due_at, run.targets[0].attempts[0].state], [null, "uncertain"])
        assert.strictEqual(run.steps.at(-1).state, "done")
        sink.next({ cut: true })
        const some = yield* alarm(`ALERT:WEBHOOK+${url}/cut-too;MESSENGER+1`)
        assert.deepStrictEqual([some.state, states(some)], ["partly_delivered", ["uncertain", "delivered"]])
        assert.lengthOf(
          sink.requests.filter(({ path }) => path === "/cut"),
          1
        )
      })
    )

    it.effect("ends an SMS as unsupported at once, whatever RETRY says", () =>
      Effect.gen(function* () {
        const { alarm } = yield* Started
        const run = yield* alarm("INFO:SMS+4915112345678;RETRY:3x1m")
        assert.deepStrictEqual(
          [run.state, run.targets[0].state, run.targets[0].reason],
          ["failed", "failed", "unsupported"]
        )
        assert.lengthOf(run.targets[0].attempts, 1)
      })
    )

    it.effect("sends text and severity, or words when there is no text, and nothing of other targets", () =>
      Effect.gen(function* () {
        const { alarm, bot, sink, url } = yield* Started
        const subject = `critical:WEBHOOK+${url}/text?key=a1;WEBHOOK+${url}/other?key=b2;MESSENGER+7777;CALL+4930123456`
        yield* alarm(subject, { body: "The boiler leaks.\nUnit 4" })
        yield* alarm(`${subject};RETRY:1x1m`, { body: " \r\n\t" })
        const to = (path: string) => sink.requests.filter((request) => request.path === path)
        const own = `CRITICAL:WEBHOOK+${url}/text?key=a1`
        assert.deepStrictEqual(
          to("/text?key=a1").map(({ body }) => {
            const { body: text, severity, subject, title } = JSON.parse(body)
            return { text, severity, subject, title }
          }),
          [
            { severity: "CRITICAL", subject: own, title: "The boiler leaks.", text: "The boiler leaks.\nUnit 4" },
            {
              severity: "CRITICAL",
              subject: `${own};RETRY:1x1m`,
              title: "Alarm ohne Text von guard@ok.test",
              text: "Alarm ohne Text von guard@ok.test"
            }
          ]
        )
        assert.deepStrictEqual(
          bot.messages.filter(({ chatId }) => chatId === "7777").map(({ text }) => text),
          ["CRITICAL: The boiler leaks.\nUnit 4", "CRITICAL: Alarm ohne Text von guard@ok.test"]
        )
        for (const { body } of to("/text?key=a1")) assert.notMatch(body, /key=b2|MESSENGER.7777|4930123456/)
        for (const { body } of to("/other?key=b2")) assert.notMatch(body, /key=a1|MESSENGER.7777|4930123456/)
      })
    )

    it.effect("repeats only the targets that failed, in the subject's number", () =>
      Effect.gen(function* () {
        const { alarm, bot, sink, url } = yield* Started
        bot.failNext("500", "500")
        const run = yield* alarm(`ALERT:WEBHOOK+${url}/good;MESSENGER+88;RETRY:3x1m`)
        assert.strictEqual(run.state, "delivered")
        assert.deepStrictEqual(
          run.targets.map((target: any) => target.attempts.map((attempt: any) => attempt.state)),
          [["delivered"], ["failed", "failed", "delivered"]]
        )
        assert.lengthOf(
          sink.requests.filter(({ path }) => path === "/good"),
          1
        )
        bot.failNext("500", "500")
        const lost = yield* alarm("ALERT:MESSENGER+88;RETRY:2x1m")
        assert.deepStrictEqual([lost.state, lost.targets[0].attempts.length], ["failed", 2])
      })
    )

    it.effect("keeps the idempotency key over attempts, and waits as long as a receiver asks", () =>
      Effect.gen(function* () {
        const { alarm, sink, url } = yield* Started
        sink.next({ status: 503, headers: { "retry-after": "1" } }, { status: 500 })
        const run = yield* alarm(`ALERT:WEBHOOK+${url}/later;RETRY:2x1m`)
        assert.strictEqual(run.state, "delivered")
        const seen = sink.requests.filter(({ path }) => path === "/later")
        assert.lengthOf(seen, 3, "a pause that was asked for uses up no attempt")
        assert.lengthOf([...new Set(seen.map(({ key }) => key))], 1)
        assert.deepStrictEqual(
          seen.map(({ headers }) => headers["x-signalbox-attempt"]),
          ["1", "2", "3"]
        )
        assert.isAtLeast(seen[1]!.at - seen[0]!.at, 980)
        assert.isAtLeast(seen[2]!.at - seen[1]!.at, 95)
      })
    )

    it.effect("opens the admitted address to its own operator's alarm only", () =>
      Effect.gen(function* () {
        const { ended, sql } = yield* startDispatcher({ env: { SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "" } })
        const demo = new WebhookSink()
        const other = new WebhookSink()
        const url = yield* Effect.acquireRelease(
          Effect.promise(() => demo.start()),
          () => Effect.promise(() => demo.stop())
        )
        const otherUrl = yield* Effect.acquireRelease(
          Effect.promise(() => other.start()),
          () => Effect.promise(() => other.stop())
        )
        const run = (key: string, subject: string, more: object) =>
          Effect.andThen(
            enqueue(sql, {
              trigger_key: key,
              payload: { email_subject: subject, email_body: "", email_from: "guard@ok.test" },
              ...more
            }),
            ended(runIdOf(key))
          )
        const host = new URL(url).host
        const operator = { operator: true, admit: host }
        const both = yield* run("1", `INFO:WEBHOOK+${url}/x;WEBHOOK+${otherUrl}/x`, operator)
        assert.deepStrictEqual(states(both), ["delivered", "failed"])
        assert.strictEqual((yield* run("2", `INFO:WEBHOOK+${url}/2`, { operator: true })).state, "failed")
        assert.strictEqual(
          (yield* run("3", `INFO:WEBHOOK+${url}/3`, { admit: host })).state,
          "failed",
          "not an operator's"
        )
        assert.strictEqual(
          (yield* run("4", `INFO:WEBHOOK+${url}/4`, { operator: true, admit: "169.254.169.254:80" })).state,
          "failed"
        )
        assert.strictEqual(
          (yield* run("5", "INFO:WEBHOOK+http://169.254.169.254/", { operator: true, admit: "169.254.169.254:80" }))
            .state,
          "failed"
        )
        demo.next({ status: 307, headers: { location: `${otherUrl}/by-redirect` } })
        assert.strictEqual(
          (yield* run("6", `INFO:WEBHOOK+${url}/6`, operator)).state,
          "failed",
          "no redirect out of the admission"
        )
        assert.lengthOf(other.requests, 0)
        assert.deepStrictEqual(
          demo.requests.map(({ path }) => path),
          ["/x", "/6"]
        )
      }).pipe(Effect.scoped)
    )

    it.effect("ends a run once when its last two targets end at the same moment", () =>
      Effect.gen(function* () {
        const { ended, sink, sql, trigger, url } = yield* Started
        // Delayed answers return together, so that their outcomes are recorded concurrently.
        const before = sink.requests.length
        sink.behaviour = { delay: 40 }
        const runs = yield* Effect.forEach(
          Array.from({ length: 40 }, (_, i) => i),
          (i) =>
            Effect.map(
              trigger(`INFO:WEBHOOK+${url}/race${i}a;WEBHOOK+${url}/race${i}b`),
              ({ json }) => json.run_id as string
            ),
          { concurrency: 4 }
        )
        for (const id of runs) assert.deepStrictEqual((yield* ended(id)).state, "delivered")
        sink.behaviour = {}
        assert.strictEqual(sink.requests.length - before, 80)
        const [count] = yield* sql<{
          events: number
          runs: number
        }>`select count(*)::int as events, count(distinct data->>'run_id')::int as runs
          from core.event where type = 'alarm.finished' and data->>'run_id' = any(${runs}::text[])`
        assert.deepStrictEqual(count, { events: 40, runs: 40 })
      })
    )
  })

  it.live("serves the targets one after another in sequential mode, and goes on behind a failed one", () =>
    Effect.gen(function* () {
      const { ended, sink, trigger, url } = yield* startDispatcher({
        env: { SIGNALBOX_ALARM_DISPATCH: "sequential" },
        minute: 50
      })
      sink.behaviour = { delay: 60 }
      sink.next({ delay: 60 }, { status: 500 }, { status: 500, delay: 60 })
      const answer = yield* trigger(
        `INFO:WEBHOOK+${url}/1;SMS+4915112345678;WEBHOOK+${url}/2;MESSENGER+5;WEBHOOK+${url}/3;RETRY:2x1m`
      )
      yield* until("the first is on its way", () => sink.requests.length === 1)
      const run = yield* ended(answer.json.run_id)
      assert.strictEqual(run.mode, "sequential")
      assert.deepStrictEqual(states(run), ["delivered", "failed", "failed", "delivered", "delivered"])
      assert.deepStrictEqual(
        sink.requests.map(({ path }) => path),
        ["/1", "/2", "/2", "/3"]
      )
      const times = run.targets.map((target: any) => [
        target.attempts[0].started_at,
        target.attempts.at(-1).finished_at
      ])
      for (let i = 1; i < times.length; i++)
        assert.isAtLeast(Date.parse(times[i][0]), Date.parse(times[i - 1][1]), JSON.stringify(times))
    }).pipe(Effect.scoped)
  )

  it.live(
    "takes over what a dead process was sending: webhooks under the same key, messages marked as a second",
    () =>
      Effect.gen(function* () {
        const { ended, run, runWhen, sink, sql, trigger, url, bot } = yield* startDispatcher({ minute: 60_000 })
        sink.next({ status: 503, headers: { "retry-after": "900" } })
        bot.failNext("500")
        const answer = yield* trigger(`ALERT:WEBHOOK+${url}/inherited;MESSENGER+6;RETRY:3x30m`)
        const id: string = answer.json.run_id
        yield* runWhen(id, (found) =>
          found.targets.every((target: any) => target.state === "pending" && target.attempts[0]?.finished_at)
        )
        // Simulates next attempts that an incarnation claimed before it died.
        yield* sql.withTransaction(
          Effect.gen(function* () {
            const [dead] = yield* sql<{
              id: number
            }>`insert into core.incarnation (daemons, host, pid) values ('comm-dispatcher', 'gone', 1) returning id`
            yield* sql`update comm_dispatcher.target set state = 'attempting', due_at = null,
          record = record || '{"state": "attempting", "dueAt": null, "begun": 2}' where run_id = ${id}::uuid`
            yield* sql`insert into comm_dispatcher.attempt (target_id, tenant_id, number, state, started_at)
          select id, tenant_id, 2, 'attempting', now() from comm_dispatcher.target where run_id = ${id}::uuid`
            yield* sql`with claimed as (update pgboss.job set state = 'active', started_on = now()
            where name like 'alarm.deliver.%' and state = 'created' returning id, name)
          insert into core.job_claim (job_id, queue, incarnation) select id, name, ${dead!.id} from claimed`
          })
        )
        const found = yield* runWhen(id, (now) => now.finished_at !== null)
        assert.strictEqual(found.state, "delivered")
        assert.deepStrictEqual(
          found.targets.map((target: any) => target.attempts.map((attempt: any) => attempt.state)),
          [
            ["failed", "interrupted", "delivered"],
            ["failed", "uncertain", "delivered"]
          ]
        )
        assert.lengthOf([...new Set(sink.requests.map(({ key }) => key))], 1)
        assert.isTrue(bot.messages[0]!.text.startsWith(secondNotice), bot.messages[0]!.text)
        assert.deepStrictEqual(yield* ended(id), yield* run(id))
      }).pipe(Effect.scoped),
    120_000
  )
})
