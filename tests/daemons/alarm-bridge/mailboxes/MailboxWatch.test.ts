import { it } from "@effect/vitest"
import { Effect, References } from "effect"
import { describe, expect } from "vitest"
import type { MailboxState } from "#daemons/alarm-bridge/intake/BridgeState.ts"
import { troubleOf } from "#daemons/alarm-bridge/mailboxes/MailboxWatch.ts"
import * as AwayPostgres from "#support/AwayPostgres.ts"
import { until } from "#support/Frame.ts"
import * as MailSink from "#support/MailSink.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { startBridge, status, watched } from "../Bridge.ts"

describe("a mailbox", () => {
  const minute = 60_000
  const now = 100 * minute
  const reading: MailboxState = { detection: "idle", error: undefined, readAt: now - 1_000 }
  const at = (state: MailboxState | undefined, awaySince?: number) =>
    troubleOf("alarms", state, { now, awaySince, minute })

  it("that is read, or is another process's, is no trouble", () => {
    expect(at(reading)).toBeUndefined()
    expect(at(undefined)).toBeUndefined()
  })

  it("that fails has been unreadable since it was last read, and is told after three minutes", () => {
    const failing = { detection: undefined, error: "the server cannot be reached", readAt: now - 7_000 }
    expect(at(failing)).toMatchObject({
      key: "mailbox alarms",
      since: now - 7_000,
      after: 3 * minute,
      what: expect.stringContaining("cannot be reached")
    })
    expect(at({ ...failing, error: undefined })).toMatchObject({ since: now - 7_000, after: 3 * minute })
  })

  it("stands still wherever it is while the database is away", () => {
    for (const state of [undefined, reading])
      expect(at(state, now - 9_000)).toMatchObject({ since: now - 9_000, after: 3 * minute })
  })

  it("whose watcher says nothing any more is told too", () => {
    expect(at({ ...reading, readAt: now - 179_000 })).toBeUndefined()
    expect(at({ ...reading, readAt: now - 181_000 })).toMatchObject({ since: now - 181_000, after: 0 })
  })
})

describePeers(["dovecot"], "an unreadable mailbox", () => {
  const user = { address: "alarm@example.test", password: "opensesame" }
  /**
   * Length of a minute of the bridges. Unit: milliseconds. Reason: a mailbox whose session takes three minutes to begin
   * is reported, which must not happen on a busy machine.
   */
  const shortMinute = 1_000
  const bridgeOf = (sink: MailSink.MailSink, dovecot: Dovecot.Dovecot, admin = "boss@example.test") => ({
    mailboxes: [
      {
        name: "alarms",
        host: "127.0.0.1",
        port: dovecot.imapPort,
        tls: "none",
        user: user.address,
        password: user.password
      }
    ],
    env: {
      SIGNALBOX_ALARM_MINUTE_MS: String(shortMinute),
      SIGNALBOX_ADMIN_EMAIL: admin,
      SIGNALBOX_NOTICE_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
      SIGNALBOX_NOTICE_FROM: "signalbox@example.test",
      SIGNALBOX_ALARM_SMTP: "off"
    }
  })
  const about = (sink: MailSink.MailSink, pattern: RegExp) =>
    sink.mails.filter(({ mail }) => pattern.test(mail.subject ?? ""))
  const arrived = (sink: MailSink.MailSink, pattern: RegExp, count = 1) =>
    until(
      `${count} mails ${pattern}`,
      Effect.sync(() => about(sink, pattern).length >= count),
      30
    )

  it.live(
    "is told by mail by the process that has it, once, and again when it can be read",
    () =>
      Effect.gen(function* () {
        const sink = yield* MailSink.make()
        const dovecot = yield* Dovecot.make({ users: [user] })
        const database = yield* freshDatabase
        const first = yield* startBridge({ ...bridgeOf(sink, dovecot), database })
        yield* watched(first)
        const second = yield* startBridge({ ...bridgeOf(sink, dovecot, "other@example.test"), database })
        // The cluster is stable when no actor has moved for a while; the mailbox may move to the new process.
        let has = first
        let since = performance.now()
        yield* until(
          "the mailbox stays in one process",
          Effect.gen(function* () {
            const now = (yield* status(first)).mailboxes[0].detection === null ? second : first
            if (now !== has || (yield* status(now)).mailboxes[0].detection === null) since = performance.now()
            has = now
            return performance.now() - since > 4_000
          }),
          30
        )
        yield* watched(has)
        yield* dovecot.stop
        // Reason given by the failed watcher. A mailbox that moved a moment ago may also have been reported for a
        // missing session.
        const failed = /: the alarm mailbox alarms cannot be read: mailbox alarms:/
        yield* arrived(sink, failed)
        yield* Effect.sleep(5 * shortMinute)
        yield* dovecot.start
        yield* arrived(sink, /over: the alarm mailbox alarms/)
        // The process that does not own the mailbox must not report it as unreadable.
        const owner = has === first ? "boss@example.test" : "other@example.test"
        expect(
          about(sink, failed)
            .filter(({ mail }) => !mail.subject!.includes("over:"))
            .map(({ to }) => to[0])
        ).toEqual([owner])
        for (const bridge of [first, second]) {
          expect((yield* bridge.call("GET", "/health")).json.components.second_path).toMatchObject({ status: "ok" })
        }
      }).pipe(Effect.provideService(References.MinimumLogLevel, "Fatal")),
    120_000
  )

  it.live(
    "is told while Postgres is away, also by a process that never had it",
    () =>
      Effect.gen(function* () {
        const sink = yield* MailSink.make()
        const dovecot = yield* Dovecot.make({ users: [user] })
        const postgres = yield* AwayPostgres.make
        const first = yield* startBridge({ ...bridgeOf(sink, dovecot), database: postgres.database })
        yield* watched(first)
        yield* startBridge({ ...bridgeOf(sink, dovecot, "other@example.test"), database: postgres.database })
        yield* postgres.away
        yield* arrived(sink, /: the alarm mailbox alarms cannot be read/, 2)
        expect(sink.mails.map(({ to }) => to[0]).toSorted()).toEqual(["boss@example.test", "other@example.test"])
        expect(sink.mails[0]!.mail.text).toMatch(/the database does not answer/)
        yield* postgres.back
        // Both owners are told the outcome: the mailbox is readable again, or the other process has it now.
        const ends = () =>
          new Set(
            about(sink, /: (over: the alarm mailbox alarms|the alarm mailbox alarms moved to another)/).map(
              ({ to }) => to[0]
            )
          )
        yield* until(
          "an end for both",
          Effect.sync(() => ends().size === 2),
          40
        )
      }).pipe(Effect.provideService(References.MinimumLogLevel, "Fatal")),
    120_000
  )
})
