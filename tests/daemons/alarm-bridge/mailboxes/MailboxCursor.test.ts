import { it } from "@effect/vitest"
import { type Context, Effect, Layer } from "effect"
import { expect } from "vitest"
import * as Daemon from "#core/daemon/Daemon.ts"
import * as Feature from "#core/daemon/Feature.ts"
import type { Platform } from "#core/daemon/Feature.ts"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import * as MailboxCursor from "#daemons/alarm-bridge/mailboxes/MailboxCursor.ts"
import { mailboxes } from "#daemons/alarm-bridge/mailboxes/migrations/0001_mailboxes.ts"
import { parse } from "#daemons/alarm-bridge/intake/MailParser.ts"
import * as Triggers from "#daemons/alarm-bridge/intake/Triggers.ts"
import { startSuite } from "#support/TestSuite.ts"
import { subjects } from "../Bridge.ts"

/** A daemon with only the cursors' schema and the platform, whose services the test uses. */
const start = Effect.gen(function* () {
  let platform: Context.Context<Platform> | undefined
  const feature = Feature.make({
    migrations: [mailboxes],
    queues: [AlarmTrigger],
    layer: Layer.effectDiscard(Effect.map(Effect.context<Platform>(), (context) => void (platform = context)))
  })
  const daemon = Daemon.make({ name: "alarm-bridge", title: "Cursors", port: 0, features: [feature] })
  const suite = yield* startSuite({ daemons: [daemon] })
  const run = <A, E>(effect: Effect.Effect<A, E, Platform>) => Effect.provideContext(effect, platform!)
  return { suite, run }
})

const take = (key: string, subject: string, date: Date) =>
  Effect.map(
    Effect.promise(() => parse(Buffer.from(`Subject: ${subject}\n\n`), 100)),
    (mail) => ({
      trigger: Triggers.make(key, mail, { kind: "imap", mailbox: "m" }, date),
      digest: subject,
      internalDate: date
    })
  )

it.live(
  "a runner whose cursor is out of date moves nothing and sends nothing",
  () =>
    Effect.gen(function* () {
      const { run, suite } = yield* start
      yield* run(MailboxCursor.begin("m", 7n, 10))
      yield* run(MailboxCursor.begin("m", 7n, 99))
      const cursor = (yield* run(MailboxCursor.read("m")))!
      expect(cursor).toEqual({ uidValidity: 7n, generation: 0, lastUid: 10, resetUntil: 0, resetSince: undefined })
      expect(yield* run(MailboxCursor.advance("m", cursor, 11, [yield* take("a", "one", new Date())]))).toBe(true)
      // The same cursor again: simulates a second runner that still assumes UID 10.
      expect(yield* run(MailboxCursor.advance("m", cursor, 12, [yield* take("b", "two", new Date())]))).toBe(false)
      expect(yield* subjects(suite, 2, 0)).toEqual(["one"])
      expect((yield* run(MailboxCursor.read("m")))?.lastUid).toBe(11)
      // A transaction that fails after moving the cursor must not change it.
      const at11 = { ...cursor, lastUid: 11 }
      const broken = { ...(yield* take("c", "three", new Date())), internalDate: new Date("0000-01-01T00:00:00Z") }
      expect((yield* Effect.exit(run(MailboxCursor.advance("m", at11, 12, [broken]))))._tag).toBe("Failure")
      expect((yield* run(MailboxCursor.read("m")))?.lastUid).toBe(11)
      expect(yield* subjects(suite, 2, 0)).toEqual(["one"])
    }),
  120_000
)

it.live(
  "after a reset, mail counts as new from an hour before the newest taken, but not from before the first start",
  () =>
    Effect.gen(function* () {
      const { run, suite } = yield* start
      const now = Date.now()
      yield* run(MailboxCursor.begin("m", 7n, 0))
      yield* suite.sql`update alarm_bridge.mailbox_cursor set first_seen_at = now() - interval '1 day'`
      const newest = new Date(now - 10 * 3600_000)
      let cursor = (yield* run(MailboxCursor.read("m")))!
      // A date in the future counts as now.
      yield* run(MailboxCursor.advance("m", cursor, 1, [yield* take("a", "one", newest)]))
      yield* run(MailboxCursor.reset("m", { ...cursor, lastUid: 1 }, { uidValidity: 8n, generation: 0, until: 5 }))
      cursor = (yield* run(MailboxCursor.read("m")))!
      expect(cursor).toEqual({
        uidValidity: 8n,
        generation: 0,
        lastUid: 0,
        resetUntil: 5,
        resetSince: new Date(newest.getTime() - 3600_000)
      })
      expect(yield* run(MailboxCursor.takenBefore("m", ["one", "two"]))).toEqual(new Set(["one"]))
      yield* run(MailboxCursor.advance("m", cursor, 2, [yield* take("b", "future", new Date(now + 1e9))]))
      yield* run(MailboxCursor.sweep("m"))
      expect(yield* run(MailboxCursor.takenBefore("m", ["one", "future"]))).toEqual(new Set(["future"]))
      yield* run(MailboxCursor.reset("m", { ...cursor, lastUid: 2 }, { uidValidity: 9n, generation: 1, until: 5 }))
      expect((yield* run(MailboxCursor.read("m")))!.resetSince!.getTime()).toBeLessThan(Date.now())

      yield* run(MailboxCursor.begin("fresh", 7n, 0))
      yield* run(
        MailboxCursor.reset(
          "fresh",
          { ...cursor, uidValidity: 7n, lastUid: 0 },
          { uidValidity: 8n, generation: 0, until: 5 }
        )
      )
      const since = (yield* run(MailboxCursor.read("fresh")))!.resetSince!.getTime()
      expect(now - since).toBeGreaterThan(60_000)
      expect(now - since).toBeLessThan(180_000)
    }),
  120_000
)
