/**
 * The second path of complete daemons: mails about alarms that cannot be delivered, and the daily test alarm from end
 * to end.
 */
import { it } from "@effect/vitest"
import { Effect, References } from "effect"
import { describe, expect } from "vitest"
import { alarmBridge } from "#daemons/alarm-bridge/Daemon.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import * as AwayPostgres from "#support/AwayPostgres.ts"
import { BotApiDouble, type BotApiDoubleOptions } from "#support/BotApiDouble.ts"
import { until } from "#support/Frame.ts"
import * as MailSink from "#support/MailSink.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { startSuite } from "#support/TestSuite.ts"

const startBot = (options: BotApiDoubleOptions) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const bot = new BotApiDouble(options)
      return { bot, url: await bot.start() }
    }),
    ({ bot }) => Effect.promise(() => bot.stop())
  )

const relay = (sink: MailSink.MailSink) => ({
  SIGNALBOX_ADMIN_EMAIL: "boss@example.test",
  SIGNALBOX_NOTICE_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
  SIGNALBOX_NOTICE_FROM: "signalbox@example.test"
})

const quietly = Effect.provideService(References.MinimumLogLevel, "Fatal")
const has = (sink: MailSink.MailSink, words: string | RegExp) =>
  sink.mails.some(({ mail }) => new RegExp(words, "m").test(`${mail.subject}\n${mail.text}`))

describe("the second path", () => {
  it.live(
    "arrives by mail with Postgres away and the messenger failing, and says afterwards that it is over",
    () =>
      Effect.gen(function* () {
        const sink = yield* MailSink.make()
        let broken = true
        const { bot, url } = yield* startBot({ failing: () => (broken ? "500" : undefined) })
        const postgres = yield* AwayPostgres.make
        const suite = yield* startSuite({
          daemons: [commDispatcher],
          database: postgres.database,
          env: {
            ...relay(sink),
            // Shortens the ten minutes to 2 s.
            SIGNALBOX_ALARM_MINUTE_MS: "200",
            SIGNALBOX_ALARM_ALLOWED_DOMAINS: "ok.test",
            SIGNALBOX_MESSENGER_URL: url,
            SIGNALBOX_MESSENGER_TOKEN: bot.token
          }
        })
        const answer = yield* suite.call("POST", "/api/v1/workflows/trigger", {
          token: yield* suite.token,
          body: {
            event_type: "email.alarm.received",
            payload: {
              email_subject: "CRITICAL:MESSENGER+9;RETRY:20x5m",
              email_body: "fire",
              email_from: "guard@ok.test"
            }
          }
        })
        const id: string = answer.json.run_id
        yield* until(
          "the messenger was tried",
          Effect.sync(() => bot.calls.length > 0)
        )
        yield* postgres.away
        yield* until(
          "the alarm is told by mail",
          Effect.sync(() => has(sink, `alarm ${id} \\(CRITICAL\\) is undelivered by messenger`)),
          30
        )
        yield* until(
          "and the database",
          Effect.sync(() => has(sink, "the database does not answer")),
          30
        )
        const text = sink.mails.map(({ mail }) => mail.text).join()
        expect(text).toContain(`signalbox alarm show ${id}`)
        expect(text).not.toContain(bot.token)
        broken = false
        yield* postgres.back
        yield* until(
          "it is over",
          Effect.sync(() => has(sink, `^OVER$[^]*alarm ${id} \\(CRITICAL\\) is undelivered`)),
          60
        )
        yield* until(
          "the database too",
          Effect.sync(() => has(sink, "^OVER$[^]*the database does not answer")),
          60
        )
        expect(bot.messages.filter(({ chatId }) => chatId === "9")).toHaveLength(1)
        expect((yield* suite.call("GET", "/health")).json.components).toMatchObject({
          second_path: { status: "ok" },
          synthetic_alarm: { status: "unconfigured" }
        })
      }).pipe(quietly),
    150_000
  )
})

describe("the daily test alarm", () => {
  it.live(
    "goes in by the listener and out by the messenger, and health knows",
    () =>
      Effect.gen(function* () {
        const sink = yield* MailSink.make()
        const { bot, url } = yield* startBot({})
        const port = yield* freePort
        const now = new Date(Date.now() - 60_000)
        const suite = yield* startSuite({
          daemons: [alarmBridge, commDispatcher],
          env: {
            ...relay(sink),
            SIGNALBOX_ALARM_SMTP_PORT: String(port),
            SIGNALBOX_ALARM_MINUTE_MS: "2000",
            SIGNALBOX_ALARM_ALLOWED_DOMAINS: "ok.test",
            SIGNALBOX_MESSENGER_URL: url,
            SIGNALBOX_MESSENGER_TOKEN: bot.token,
            SIGNALBOX_HEARTBEAT_CHAT_ID: "4711",
            SIGNALBOX_SYNTHETIC_ALARM_AT: `${String(now.getHours()).padStart(2, "0")}:${String(now.getMinutes()).padStart(2, "0")}`,
            SIGNALBOX_SYNTHETIC_ALARM_FROM: "heart@ok.test"
          }
        })
        yield* until(
          "the message",
          Effect.sync(() => bot.messages.length > 0),
          20
        )
        expect(bot.messages[0]).toMatchObject({
          chatId: "4711",
          text: expect.stringContaining("daily test of the alarm path")
        })
        const component = Effect.map(
          suite.call("GET", "/health", { of: "comm-dispatcher" }),
          ({ json }) => json.components.synthetic_alarm
        )
        yield* until(
          "its arrival is known",
          Effect.map(component, ({ arrived }) => arrived === true)
        )
        const [run] = yield* suite.sql<{
          message_id: string
          state: string
        }>`select source->>'message_id' as message_id, state from comm_dispatcher.run`
        expect(run).toMatchObject({
          message_id: expect.stringMatching(/^<daily-test\..*@ok\.test>$/),
          state: "delivered"
        })
        expect(sink.mails).toEqual([])
      }).pipe(quietly),
    120_000
  )
})
