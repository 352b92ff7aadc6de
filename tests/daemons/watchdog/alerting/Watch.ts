/** A watchdog whose second is short, with real receivers of its messages. */
import { Effect } from "effect"
import { watchdog } from "#daemons/watchdog/Daemon.ts"
import { alerting } from "#daemons/watchdog/alerting/Feature.ts"
import * as Daemon from "#core/daemon/Daemon.ts"
import { BotApiDouble } from "#support/BotApiDouble.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import * as MailSink from "#support/MailSink.ts"
import { type StartOptions, startSuite, type TestSuite } from "#support/TestSuite.ts"
import { WebhookSink } from "#support/WebhookSink.ts"

/** Length of a second. Unit: milliseconds. Attempts are repeated after 5, 15, 60 and 300 of them. */
export const second = 10

/** The daemon with this feature alone. `extra`: further features, such as one that reports. */
export const alertingDaemon = (...extra: ReadonlyArray<typeof alerting>) =>
  Daemon.make({ name: watchdog.name, title: "Watchdog", description: "test", port: 0, features: [alerting, ...extra] })

export const chat = "4711"

/** Receivers of all direct ways, which can go away and come back on the same port. */
export const receivers = Effect.gen(function* () {
  const mail = yield* MailSink.make()
  const bot = new BotApiDouble()
  const hook = new WebhookSink()
  const started = <A extends { start: (port?: number) => Promise<string>; stop: () => Promise<void> }>(double: A) =>
    Effect.acquireRelease(
      Effect.promise(() => double.start()),
      () => Effect.promise(() => double.stop().catch(() => undefined))
    )
  const botUrl = yield* started(bot)
  const hookUrl = yield* started(hook)
  const portOf = (url: string) => Number(new URL(url).port)
  return {
    mail,
    bot,
    hook,
    env: {
      SIGNALBOX_ADMIN_EMAIL: "boss@example.test",
      SIGNALBOX_NOTICE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      SIGNALBOX_NOTICE_FROM: "signalbox@example.test",
      SIGNALBOX_MESSENGER_TOKEN: bot.token,
      SIGNALBOX_MESSENGER_URL: botUrl,
      SIGNALBOX_ALERT_CHATS: chat,
      SIGNALBOX_ALERT_WEBHOOK_URL: `${hookUrl}/hook`,
      SIGNALBOX_ALARM_LANGUAGE: "en",
      SIGNALBOX_WATCHDOG_SECOND_MS: String(second)
    },
    away: { mail: mail.close, messenger: Effect.promise(() => bot.stop()), webhook: Effect.promise(() => hook.stop()) },
    back: {
      mail: mail.open,
      messenger: Effect.promise(() => bot.start(portOf(botUrl))),
      webhook: Effect.promise(() => hook.start(portOf(hookUrl)))
    },
    /** Subjects by each way, without the host. */
    told: () => {
      const bare = (text: string) => text.split("\n")[0]!.replace(/ \[[^\]]*\]$/, "")
      return {
        mail: mail.mails.map((one) => bare(one.mail.subject ?? "")),
        messenger: bot.messages.map(({ text }) => bare(text)),
        webhook: hook.acted.map(({ body }) => bare((JSON.parse(body) as { title: string }).title))
      }
    }
  }
})
export type Receivers = Effect.Success<typeof receivers>

export const startWatch = (options: Partial<StartOptions> & { readonly env: Readonly<Record<string, string>> }) =>
  startSuite({ daemons: [alertingDaemon()], verifier: fakeUsers, ...options })

/** A user of the provider. */
export const provider = { authorization: "Bearer user:1:*" }

export const callsOf = ({ call }: TestSuite) => {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = provider) =>
    call(method, `/api/v1/monitoring/${path}`, { headers, ...(body === undefined ? {} : { body }) })
  return {
    get: (path: string, headers?: Record<string, string>) => send("GET", path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) => send("POST", path, body, headers),
    put: (path: string, body: unknown) => send("PUT", path, body),
    remove: (path: string) => send("DELETE", path)
  }
}

/** Rules without gathering and pauses. */
export const atOnce = {
  repeat_critical_minutes: [],
  repeat_warning_minutes: [],
  gather_s: 0,
  group_interval_s: 0,
  flap_changes: 0,
  flap_window_minutes: 60
}

export const eventually = (what: string, look: () => boolean, seconds = 30) => until(what, Effect.sync(look), seconds)
