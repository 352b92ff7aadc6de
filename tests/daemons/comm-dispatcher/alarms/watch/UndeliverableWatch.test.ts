import { describe, it } from "@effect/vitest"
import { Effect, Exit, References, Scope } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { until } from "#support/Frame.ts"
import * as AwayPostgres from "#support/AwayPostgres.ts"
import * as MailSink from "#support/MailSink.ts"
import { minute, runId, start } from "./SecondPathRig.ts"

const quietly = Effect.provideService(References.MinimumLogLevel, "Fatal")

describe("an alarm", () => {
  it.live(
    "undelivered for ten minutes is told by mail, once, with its run and no target; and again when it is over",
    () =>
      Effect.gen(function* () {
        const sink = yield* MailSink.make()
        const { addRun, mail, sql, subjects } = yield* start(sink)
        const begun = Date.now()
        yield* addRun({ id: runId(1) }, [
          { channel: "messenger", state: "pending", reason: "the server failed (502)" },
          { channel: "webhook", state: "delivered" }
        ])
        // Requests of API callers are not reported; the caller follows them.
        yield* addRun({ id: runId(2), event: "comm.call", ageMinutes: 60 }, [{ channel: "call", state: "pending" }])
        const told = yield* mail("is undelivered by messenger")
        expect(Date.now() - begun).toBeGreaterThan(8 * minute)
        expect(told.mail.text).toContain(
          `alarm ${runId(1)} (ALERT) is undelivered by messenger: the server failed (502)`
        )
        expect(told.mail.text).toContain(`signalbox alarm show ${runId(1)}`)
        yield* Effect.sleep(10 * minute)
        expect(subjects()).toHaveLength(1)
        yield* sql`update comm_dispatcher.target set state = 'delivered' where run_id = ${runId(1)}::uuid`
        yield* sql`update comm_dispatcher.run set state = 'delivered', finished_at = now() where id = ${runId(1)}::uuid`
        yield* mail("over: alarm")
        expect(subjects()).toHaveLength(2)
        const text = sink.mails.map(({ raw }) => raw).join()
        expect(text).not.toContain(runId(2))
        expect(text).not.toContain("secret-target")
      }).pipe(quietly),
    120_000
  )

  it.live(
    "that failed for good is told at once, one time for a run, and not as resolved; a fallback that stands in is no failure",
    () =>
      Effect.gen(function* () {
        const sink = yield* MailSink.make()
        const { addRun, mail, sql, subjects } = yield* start(sink)
        yield* addRun({ id: runId(1) }, [
          { channel: "sms", state: "failed", reason: "unsupported", chain: 0 },
          { channel: "call", state: "failed", reason: "no answer", chain: 1 },
          { channel: "messenger", state: "pending", chain: 1 }
        ])
        const told = yield* mail("was not delivered by sms")
        expect(told.mail.text).toContain(
          `alarm ${runId(1)} (ALERT) was not delivered by sms and is not tried again: unsupported`
        )
        expect(told.mail.text).not.toContain("no answer")
        yield* mail("is undelivered by messenger")
        // Its last target fails too. The alarm was already reported, so neither a second report nor an end is sent.
        yield* sql.withTransaction(
          Effect.andThen(
            sql`update comm_dispatcher.target set state = 'failed' where run_id = ${runId(1)}::uuid`,
            sql`update comm_dispatcher.run set state = 'failed', finished_at = now() where id = ${runId(1)}::uuid`
          )
        )
        yield* Effect.sleep(15 * minute)
        expect(subjects().filter((subject) => subject.includes("not delivered"))).toHaveLength(1)
        expect(subjects().filter((subject) => subject.startsWith("over"))).toEqual([])
      }).pipe(quietly),
    120_000
  )

  it.live(
    "is told once over restarts",
    () =>
      Effect.gen(function* () {
        const sink = yield* MailSink.make()
        const dataDir = yield* temporaryDirectory()
        const options = { target: (yield* freshDatabase).target, dataDir }
        const file = join(dataDir, "second-path", "comm-dispatcher.json")
        const recorded = () => (existsSync(file) ? readFileSync(file, "utf8") : "")
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { addRun, mail } = yield* start(sink, options)
            yield* addRun({ id: runId(1), state: "failed" }, [{ channel: "sms", state: "failed", reason: "refused" }])
            yield* addRun({ id: runId(2), ageMinutes: 20 }, [{ channel: "messenger", state: "pending" }])
            yield* mail(`alarm ${runId(1)} (ALERT) was not delivered`)
            yield* mail(`alarm ${runId(2)} (ALERT) is undelivered`)
            // The mail is recorded after it was accepted.
            yield* until(
              "both notices are recorded",
              Effect.sync(() => [runId(1), runId(2)].every((id) => recorded().includes(id)))
            )
          })
        )
        // Each life is longer than the pause between two mails, and than the time after which a trouble is over.
        for (let count = 0; count < 3; count++) {
          yield* Effect.scoped(Effect.andThen(start(sink, options), Effect.sleep(12 * minute)))
        }
        const text = sink.mails.map(({ mail }) => mail.text).join()
        expect(text.split("was not delivered")).toHaveLength(2)
        expect(text.split("is undelivered")).toHaveLength(2)
      }).pipe(quietly),
    120_000
  )

  it.live(
    "is told by the eldest of two processes, and by the other when that one is gone",
    () =>
      Effect.gen(function* () {
        const sink = yield* MailSink.make()
        const { target } = yield* freshDatabase
        const scope = yield* Scope.make()
        yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
        const names = { names: ["comm-dispatcher"] }
        const first = yield* Scope.provide(start(sink, { target, admin: "first@example.test", ...names }), scope)
        const second = yield* start(sink, { target, admin: "second@example.test", ...names })
        // Each process gets its lock, so that both know which one is the eldest.
        const says = ({ statuses }: typeof first, wanted: string) =>
          until(
            `a process says “${wanted}”`,
            Effect.map(statuses, (all) => all.some(({ note }) => note === wanted))
          )
        yield* says(second, "watching; another process sends the notices")
        yield* says(first, "watching")
        yield* first.addRun({ id: runId(1), ageMinutes: 20 }, [{ channel: "messenger", state: "pending" }])
        yield* first.mail("is undelivered")
        yield* Effect.sleep(20 * minute)
        expect(sink.mails.map(({ to }) => to[0])).toEqual(["first@example.test"])
        yield* Scope.close(scope, Exit.void)
        yield* until(
          "the other tells",
          Effect.sync(() => sink.mails.length > 1),
          20
        )
        expect(sink.mails.map(({ to }) => to[0])).toEqual(["first@example.test", "second@example.test"])
      }).pipe(quietly),
    120_000
  )
})

describe("with Postgres away", () => {
  it.live(
    "what is undelivered is told all the same, and that the database is away; then that it is over",
    () =>
      Effect.gen(function* () {
        const sink = yield* MailSink.make()
        const postgres = yield* AwayPostgres.make
        // The alarms are told after ten of these minutes. Before that both runs must be read and Postgres stopped, also
        // on busy cores.
        const minute = 800
        const { addRun, components, mail, statuses, subjects, undelivered } = yield* start(sink, {
          target: postgres.database.target,
          config: { minute }
        })
        yield* addRun({ id: runId(1) }, [{ channel: "messenger", state: "attempting" }])
        yield* addRun({ id: runId(2) }, [{ channel: "webhook", state: "attempting" }])
        // The watch has read both runs. From now on it decides from memory.
        yield* Effect.sleep(3 * minute)
        yield* postgres.away
        // The running attempts end: one will be repeated, the outcome of the other waits to be recorded.
        yield* undelivered.noteFailed({
          targetId: 1,
          runId: runId(1),
          channel: "messenger",
          severity: "ALERT",
          since: Date.now() - 2 * minute,
          reason: "the connection was lost (ECONNRESET)"
        })
        yield* undelivered.noteEnded(2)
        // An attempt without a row yet, and one that failed permanently.
        yield* undelivered.noteFailed({
          targetId: 77,
          runId: runId(77),
          channel: "call",
          severity: "CRITICAL",
          since: Date.now() - 5 * minute,
          reason: "the switch is away"
        })
        yield* undelivered.noteEnded(78, { runId: runId(78), channel: "sms", severity: "ALERT", reason: "unsupported" })
        const lost = yield* mail(`alarm ${runId(78)} (ALERT) was not delivered by sms`)
        expect(lost.mail.text).toContain("unsupported")
        yield* mail("the database does not answer: alarms are neither taken in nor delivered")
        const told = yield* mail(
          `alarm ${runId(1)} (ALERT) is undelivered by messenger: the connection was lost (ECONNRESET)`
        )
        expect(told.mail.headers.find(({ key }) => key === "auto-submitted")?.value).toBe("auto-generated")
        yield* mail(`alarm ${runId(77)} (CRITICAL) is undelivered by call`)
        expect(sink.mails.some(({ raw }) => raw.includes(runId(2)))).toBe(false)
        expect(yield* components).toMatchObject({
          second_path: { status: "ok" },
          synthetic_alarm: { status: "unconfigured" }
        })
        yield* postgres.back
        yield* mail(/^OVER$[^]*^\* the database does not answer/m, 40)
        const watches = (yield* statuses).filter(({ name }) => /second path|watch/.test(name))
        expect(watches.map(({ restarts }) => restarts)).toEqual([0, 0])
        expect(subjects().filter((subject) => subject.includes(runId(2)))).toEqual([])
      }).pipe(quietly),
    120_000
  )

  it.live(
    "for a moment, nothing is told",
    () =>
      Effect.gen(function* () {
        const sink = yield* MailSink.make()
        const postgres = yield* AwayPostgres.make
        // A minute in this test is so long that the outage ends before it.
        yield* start(sink, { target: postgres.database.target, config: { minute: 5_000 } })
        yield* Effect.sleep(500)
        yield* postgres.away
        yield* Effect.sleep(1_000)
        yield* postgres.back
        yield* Effect.sleep(4_000)
        expect(sink.mails).toEqual([])
      }).pipe(quietly),
    120_000
  )
})
