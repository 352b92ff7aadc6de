/**
 * The complete alarm path in the test process: both daemons over a real Postgres, mailbox and listener, and receivers.
 */
import { Effect } from "effect"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { alarmBridge } from "#daemons/alarm-bridge/Daemon.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import type { RunView } from "#daemons/comm-dispatcher/runs/RunViews.ts"
import { BotApiDouble } from "#support/BotApiDouble.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { poll } from "#support/peers/Loopback.ts"
import * as Postfix from "#support/peers/Postfix.ts"
import * as Swaks from "#support/peers/Swaks.ts"
import { startSuite } from "#support/TestSuite.ts"
import { WebhookSink } from "#support/WebhookSink.ts"

export type Run = typeof RunView.Type

export const mailbox = { address: "alarm@example.test", password: "secret" }
export const device = "device@allowed.example"
export const adminChat = "-100777"

/**
 * Longest time of one alarm through all steps. Unit: milliseconds. Reason: Dovecot reports a mail after 0.5 s; the rest
 * is for a loaded machine.
 */
const alarmTimeout = 20_000

export interface Mail {
  readonly subject: string
  readonly body: string
  /** Sender. Default: the allowed device. */
  readonly from?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Input of a mail: Postfix and the mailbox, or our SMTP listener. */
export type Way = "mailbox" | "listener"

export const startPath = Effect.gen(function* () {
  const sink = yield* Effect.acquireRelease(
    Effect.sync(() => new WebhookSink()),
    (sink) => Effect.promise(() => sink.stop())
  )
  const bot = yield* Effect.acquireRelease(
    Effect.sync(() => new BotApiDouble()),
    (bot) => Effect.promise(() => bot.stop())
  )
  const sinkUrl = yield* Effect.promise(() => sink.start())
  const botUrl = yield* Effect.promise(() => bot.start())
  const dovecot = yield* Dovecot.make({ users: [mailbox] })
  const postfix = yield* Postfix.make({ lmtpPort: dovecot.lmtpPort })
  const suite = yield* startSuite({
    daemons: [alarmBridge, commDispatcher],
    env: {
      SIGNALBOX_ALARM_SMTP_PORT: "0",
      SIGNALBOX_ALARM_MAILBOXES: JSON.stringify([
        {
          name: "alarms",
          host: "127.0.0.1",
          port: dovecot.imapPort,
          tls: "none",
          user: mailbox.address,
          password: mailbox.password
        }
      ]),
      SIGNALBOX_ALARM_ALLOWED_DOMAINS: "allowed.example",
      SIGNALBOX_ADMIN_CHAT_ID: adminChat,
      SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      SIGNALBOX_MESSENGER_URL: botUrl,
      SIGNALBOX_MESSENGER_TOKEN: bot.token
    }
  })
  const token = yield* suite.token
  const get = (of: string, path: string) =>
    Effect.map(suite.call("GET", path, { of, token }), ({ json, status, text }) => {
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`)
      return json
    })

  /** Polls until the answer is not undefined. Dies after `alarmTimeout` and shows the ledger. */
  const eventually = <A>(what: string, ask: Effect.Effect<A | undefined>): Effect.Effect<A> =>
    Effect.gen(function* () {
      const found = yield* Effect.promise(() => poll(() => Effect.runPromise(ask), alarmTimeout, 50))
      if (found !== undefined) return found
      const ledger = yield* get("comm-dispatcher", "/api/v1/workflows/runs")
      return yield* Effect.die(
        new Error(
          `not within ${alarmTimeout} ms: ${what}\n${JSON.stringify(ledger, null, 1)}\n${postfix.log().slice(-1_000)}`
        )
      )
    })

  const status = get("alarm-bridge", "/api/v1/alarm-bridge/status")
  const smtpPort: number = yield* eventually(
    "mailbox and listener to be watched",
    Effect.map(status, (now) =>
      now.smtp.state === "listening" && now.mailboxes[0].detection === "idle" ? (now.smtp.port as number) : undefined
    )
  )

  return {
    sink,
    sinkUrl,
    bot,
    suite,
    /** Sends the mail with swaks. */
    send: (way: Way, mail: Mail) =>
      Effect.map(
        Swaks.send({
          port: way === "mailbox" ? postfix.smtpPort : smtpPort,
          from: device,
          to: mailbox.address,
          ...mail,
          ...(mail.from === undefined ? {} : { from: mail.from })
        }),
        (sent) => {
          if (!sent.accepted) throw new Error(sent.transcript)
        }
      ),
    /** Waits for the ended run with this subject and state. */
    run: (subject: string, state?: Run["state"]): Effect.Effect<Run> =>
      eventually(
        `a run ${state ?? ""} of ${subject}`,
        Effect.gen(function* () {
          const { items } = yield* get(
            "comm-dispatcher",
            "/api/v1/workflows/runs?workflow=alarm&limit=200"
          ) as Effect.Effect<{ readonly items: ReadonlyArray<Run> }>
          const found = items.find(
            (run) => run.subject === subject && run.finished_at !== null && (state === undefined || run.state === state)
          )
          return found === undefined
            ? undefined
            : yield* get("comm-dispatcher", `/api/v1/workflows/runs/${found.id}`) as Effect.Effect<Run>
        })
      ),
    /** The queued triggers with this subject. */
    triggersOf: (subject: string) =>
      Effect.map(
        suite.sql<{
          data: unknown
        }>`select data from pgboss.job where name = ${AlarmTrigger.queue} and data -> 'payload' ->> 'email_subject' = ${subject}`,
        (rows) => rows.map((row) => row.data)
      )
  }
})
