import { describe, it } from "@effect/vitest"
import { Effect, Redacted, References } from "effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import {
  conflicts,
  lastFiring,
  make,
  messageIdOf,
  type SyntheticConfig,
  type TimeOfDay
} from "#daemons/comm-dispatcher/alarms/synthetic/SyntheticAlarm.ts"
import { syntheticSettings } from "#daemons/comm-dispatcher/alarms/synthetic/SyntheticAlarm.ts"
import { type Sight, troubleOf } from "#daemons/comm-dispatcher/alarms/synthetic/SyntheticWatch.ts"
import * as AwayPostgres from "#support/AwayPostgres.ts"
import { until } from "#support/Frame.ts"
import * as MailSink from "#support/MailSink.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { config, relayOf, runId, start } from "../watch/SecondPathRig.ts"

const on: SyntheticConfig = { ...config, syntheticAt: { hour: 6, minute: 30 }, syntheticFrom: "device@ok.test" }
const hour = 3_600_000

describe("the daily test alarm", () => {
  it("is there with a time, a sender and a target; it goes to our own listener, or to a mailbox by the notices' relay", () => {
    expect(make(config)).toBeUndefined()
    expect(make(on)).toMatchObject({
      subject: "INFO:MESSENGER+4711",
      to: "alarm@localhost",
      relay: { host: "127.0.0.1", port: 1 }
    })
    const noticeRelay = Redacted.make("smtp://relay.test:2500")
    expect(make({ ...on, noticeRelay })?.relay.host).toBe("127.0.0.1")
    expect(make({ ...on, noticeRelay, syntheticTo: "alarm@ok.test" })).toMatchObject({
      to: "alarm@ok.test",
      relay: { host: "relay.test", port: 2500 }
    })
    expect(make({ ...on, syntheticTargets: "WEBHOOK+https://sink.test/" })?.subject).toBe(
      "INFO:WEBHOOK+https://sink.test/"
    )
  })

  it("is refused in the configuration when it could never arrive", () => {
    const names = (more: Partial<SyntheticConfig>) => conflicts({ ...on, ...more }).map(({ name }) => name)
    expect(names({})).toEqual([])
    expect(conflicts(config)).toEqual([])
    expect(names({ syntheticFrom: undefined })).toEqual(["SIGNALBOX_SYNTHETIC_ALARM_FROM"])
    expect(names({ syntheticFrom: "thief@bad.test" })).toEqual(["SIGNALBOX_SYNTHETIC_ALARM_FROM"])
    expect(names({ heartbeatChat: undefined })).toEqual(["SIGNALBOX_SYNTHETIC_ALARM_TARGETS"])
    expect(names({ syntheticTargets: "PIGEON+loft" })).toEqual(["SIGNALBOX_SYNTHETIC_ALARM_TARGETS"])
    expect(names({ cooldown: 24 * 3600 })).toEqual(["SIGNALBOX_ALARM_COOLDOWN"])
  })

  it("reads times of day, and nothing else", () => {
    const read = (raw: string) => syntheticSettings.syntheticAt.parse(raw)
    expect(read("06:30")).toMatchObject({ success: { hour: 6, minute: 30 } })
    for (const raw of ["6:30", "24:00", "06:60", "0630", "* * * * *", ""]) expect(read(raw)).toHaveProperty("failure")
  })

  it("was last due within the last day, at its time of this clock, whatever summer time does", () => {
    const time = fc.record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) })
    fc.assert(
      fc.property(time, fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) }), (at: TimeOfDay, now) => {
        const firing = lastFiring(at, now)
        expect(firing).toBeLessThanOrEqual(now)
        expect(now - firing).toBeLessThanOrEqual(25 * hour)
        expect(lastFiring(at, firing)).toBe(firing)
        expect(lastFiring(at, firing - 1)).toBeLessThan(firing)
      }),
      { numRuns: 500 }
    )
  })

  it("is named by its firing and by what is sent", () => {
    const alarm = make(on)!
    const id = messageIdOf(alarm, Date.UTC(2026, 0, 2, 6, 30))
    expect(id).toMatch(/^<daily-test\.20260102T063000Z\.[0-9a-f]{12}@ok\.test>$/)
    expect(messageIdOf(alarm, Date.UTC(2026, 0, 3, 6, 30))).not.toBe(id)
    expect(messageIdOf({ ...alarm, subject: "INFO:MESSENGER+4712" }, Date.UTC(2026, 0, 2, 6, 30))).not.toBe(id)
  })

  it("is owed from the time it was enqueued, and an old debt stays until one arrives", () => {
    const sight: Sight = { firing: 10 * hour, enqueuedAt: 12 * hour, arrived: false, run: undefined }
    expect(troubleOf(sight, undefined, 0, 60_000)).toMatchObject({
      since: 12 * hour,
      after: 600_000,
      what: expect.stringContaining("has not come in")
    })
    expect(troubleOf({ ...sight, enqueuedAt: undefined }, undefined, 11 * hour, 60_000)).toMatchObject({
      since: 11 * hour
    })
    expect(troubleOf(sight, 5 * hour, 0, 60_000)).toMatchObject({ since: 5 * hour })
    expect(
      troubleOf({ ...sight, run: { id: "r1", state: "rejected", reason: "no" } }, undefined, 0, 60_000)?.what
    ).toMatch(/run r1 and is rejected: no$/)
    expect(troubleOf({ ...sight, arrived: true }, 5 * hour, 0, 60_000)).toBeUndefined()
  })
})

/** A time of day one minute ago. */
const justNow = (): TimeOfDay => {
  const now = new Date(Date.now() - 60_000)
  return { hour: now.getHours(), minute: now.getMinutes() }
}

const quietly = Effect.provideService(References.MinimumLogLevel, "Fatal")

describe("sent for real", () => {
  it.live(
    "once for a firing, by whichever process; and not arriving, it is told by mail, until it has",
    () =>
      Effect.gen(function* () {
        const notices = yield* MailSink.make()
        const listener = yield* MailSink.make()
        const { target } = yield* freshDatabase
        const synthetic = { syntheticAt: justNow(), syntheticFrom: "device@ok.test", syntheticRelay: relayOf(listener) }
        const first = yield* start(notices, { target, config: synthetic, names: ["comm-dispatcher"] })
        yield* until(
          "sent",
          Effect.sync(() => listener.mails.length === 1)
        )
        // A second process of the fleet, whose schedule fires at the same time.
        yield* start(notices, { target, config: synthetic, names: ["comm-dispatcher"] })
        const [sent] = listener.mails
        expect(sent).toMatchObject({ from: "device@ok.test", to: ["alarm@localhost"] })
        expect(sent!.mail.subject).toBe("INFO:MESSENGER+4711")
        const told = yield* first.mail("the daily test alarm has not come in")
        expect(told.mail.text).toContain("do: look for the mail where it was sent")
        expect(yield* first.components).toMatchObject({ synthetic_alarm: { status: "degraded", arrived: false } })
        yield* first.addRun({ id: runId(9), messageId: sent!.mail.messageId!, state: "delivered" })
        yield* first.mail("over: the daily test alarm")
        expect(yield* first.components).toMatchObject({ synthetic_alarm: { status: "ok", arrived: true } })
        expect(listener.mails).toHaveLength(1)
        expect(first.subjects().filter((subject) => subject.includes("test alarm"))).toHaveLength(2)
      }).pipe(quietly),
    120_000
  )

  it.live(
    "that arrives in time is told to nobody; one that came in and failed is, with its run",
    () =>
      Effect.gen(function* () {
        const notices = yield* MailSink.make()
        const listener = yield* MailSink.make()
        // A test alarm is told after ten of these minutes. Before that its run must be read, also on busy cores.
        const minute = 600
        const synthetic = {
          minute,
          syntheticAt: justNow(),
          syntheticFrom: "device@ok.test",
          syntheticRelay: relayOf(listener)
        }
        const well = yield* start(notices, { config: synthetic })
        yield* until(
          "sent",
          Effect.sync(() => listener.mails.length === 1)
        )
        yield* well.addRun({ id: runId(1), messageId: listener.mails[0]!.mail.messageId!, state: "delivered" })
        // The same mail arrives twice, as SMTP allows. The duplicate must not change the result.
        yield* well.addRun({ id: runId(2), messageId: listener.mails[0]!.mail.messageId!, state: "duplicate" })
        const ill = yield* start(notices, { config: synthetic })
        yield* until(
          "sent again, by another fleet",
          Effect.sync(() => listener.mails.length === 2)
        )
        yield* ill.addRun({ id: runId(3), messageId: listener.mails[1]!.mail.messageId!, state: "rejected" })
        const told = yield* ill.mail("the daily test alarm came in as run")
        expect(told.mail.text).toContain(`signalbox alarm show ${runId(3)}`)
        yield* Effect.sleep(5 * minute)
        expect(notices.mails).toHaveLength(1)
        expect(yield* well.components).toMatchObject({ synthetic_alarm: { status: "ok", arrived: true } })
      }).pipe(quietly),
    120_000
  )

  it.live(
    "is missed also while Postgres is away",
    () =>
      Effect.gen(function* () {
        const notices = yield* MailSink.make()
        const listener = yield* MailSink.make()
        const postgres = yield* AwayPostgres.make
        const synthetic = { syntheticAt: justNow(), syntheticFrom: "device@ok.test", syntheticRelay: relayOf(listener) }
        const { mail } = yield* start(notices, {
          target: postgres.database.target,
          config: { ...synthetic, minute: 100 }
        })
        yield* until(
          "sent",
          Effect.sync(() => listener.mails.length === 1)
        )
        yield* postgres.away
        yield* mail("the daily test alarm has not come in", 30)
        // The fleet's stop also needs the database.
        yield* postgres.back
      }).pipe(quietly),
    120_000
  )
})
