/**
 * Sends a message by mail, messenger or webhook, directly and without Postgres. Nothing is queued or retried here. No
 * error quotes the token of the bot or the address of the webhook.
 */
import { Duration, Effect, Redacted } from "effect"
import { hostname } from "node:os"
import { anyNetwork } from "#core/http/AddressGuard.ts"
import { brandSigned } from "#core/html/Brand.ts"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import * as MailRelay from "#core/mail-relay/MailRelay.ts"
import { defaultSender, relayOf } from "#core/second-path/NoticeSettings.ts"
import { rebuilt } from "#core/settings/LiveSettings.ts"
import { make as makeBot } from "#protocols/bot-api/BotApi.ts"
import type { Attempt } from "./DeliveryDecision.ts"
import type { Delivery, Message, Target } from "./Messages.ts"
import { textOf } from "./MessageText.ts"
import type { AlertSettings } from "./Settings.ts"

/** Longest text of the messenger. Unit: UTF-16 units. Source: bot API, sendMessage. */
const maxChatText = 4_096

/** Longest problem that is stored. Unit: characters. */
const maxProblem = 300

/** Time limit of a webhook. Reason: a working receiver answers within a second. */
const webhookTimeout = Duration.seconds(10)

/** Suppresses automatic replies such as vacation notices. */
const mailHeaders = { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" }

/** The configured targets. In-app notifications need no setting. */
export const targetsOf = (settings: AlertSettings): ReadonlyArray<Target> => [
  ...(settings.adminEmail.length > 0 ? [{ way: "mail", target: "" } as const] : []),
  ...(settings.messengerToken === undefined
    ? []
    : [...new Set(chatsOf(settings))].map((target) => ({ way: "messenger", target }) as const)),
  ...(settings.webhook === undefined ? [] : [{ way: "webhook", target: "" } as const]),
  { way: "app", target: "" },
  ...(settings.alarmSubject === undefined ? [] : [{ way: "alarm", target: "" } as const])
]

/** Chats for alerts; the chat of the operators where none are set. */
const chatsOf = ({ adminChat, chats }: AlertSettings): ReadonlyArray<string> =>
  chats.length === 0 && adminChat !== undefined ? [adminChat] : chats

export type Send = (message: Message, delivery: Pick<Delivery, "way" | "target">) => Effect.Effect<Attempt>

const failed = (problem: string, perhaps: boolean): Attempt => ({
  _tag: "Failed",
  problem: problem.slice(0, maxProblem),
  perhaps
})
const sent: Attempt = { _tag: "Sent" }

/**
 * Sends by the direct ways, with the present settings. Never fails. `mailZone`: time zone of the mails' readers; null:
 * UTC, as in the messenger and in the webhook, whose readers have no account.
 */
export const make = (
  settings: AlertSettings,
  mailZone: () => string | null
): Effect.Effect<Send, never, OutboundHttp> =>
  Effect.map(OutboundHttp, (http) => {
    const botOf = rebuilt(
      () => [settings.messengerToken, settings.messengerUrl],
      (token, baseUrl) =>
        token === undefined ? undefined : makeBot({ token, ...(baseUrl === undefined ? {} : { baseUrl }) })
    )
    const { language } = settings

    const mail = ({ content, group, id, kind }: Message) => {
      const { body, subject } = textOf(kind, group, content, language, true, mailZone())
      const from = settings.noticeFrom ?? defaultSender(hostname())
      const domain = from.slice(from.lastIndexOf("@") + 1)
      return MailRelay.send(relayOf(settings.noticeRelay), {
        from,
        to: settings.adminEmail,
        subject,
        text: brandSigned(body),
        // The same for each attempt, so that a mail reader merges a mail that was sent twice.
        messageId: `<alert.${id}@${domain}>`,
        headers: mailHeaders
      }).pipe(
        Effect.as(sent),
        // A mail that was perhaps accepted is sent again: its Message-ID is the same.
        Effect.catch((error) => Effect.succeed(failed(error.ownWords, false)))
      )
    }

    const messenger = ({ content, group, kind }: Message, chatId: string) => {
      const bot = botOf()
      if (bot === undefined) return Effect.succeed(failed("no messenger is configured", false))
      const { body, subject } = textOf(kind, group, content, language, false)
      const text = `${subject}\n\n${body}`
      return bot.sendMessage({ chatId, text: text.slice(0, maxChatText).toWellFormed() }).pipe(
        Effect.as(sent),
        Effect.catch((error) => Effect.succeed(failed(error.ownWords, error.reached === "perhaps")))
      )
    }

    const webhook = ({ content, createdAt, group, id, kind }: Message) => {
      if (settings.webhook === undefined) return Effect.succeed(failed("no webhook is configured", false))
      const { body, subject } = textOf(kind, group, content, language, true)
      return http
        .request({
          method: "POST",
          url: Redacted.value(settings.webhook),
          headers: { "content-type": "application/json", "idempotency-key": id },
          body: JSON.stringify({
            id,
            kind,
            group,
            severity: content.severity,
            host: content.host,
            title: subject,
            text: body,
            created_at: new Date(createdAt).toISOString(),
            count: content.count,
            alerts: content.lines.map(({ closedAt, key, openedAt, severity, summary }) => ({
              key,
              severity,
              summary,
              opened_at: new Date(openedAt).toISOString(),
              closed_at: closedAt === null ? null : new Date(closedAt).toISOString()
            }))
          }),
          timeout: webhookTimeout,
          allowCidrs: anyNetwork
        })
        .pipe(
          Effect.map(({ status }) =>
            status >= 200 && status < 300 ? sent : failed(`the webhook answered ${status}`, false)
          ),
          // The Idempotency-Key is the same for each attempt.
          Effect.catch((error) => Effect.succeed(failed(error.message, false)))
        )
    }

    return (message, { target, way }) =>
      way === "mail"
        ? mail(message)
        : way === "messenger"
          ? messenger(message, target)
          : way === "webhook"
            ? webhook(message)
            : Effect.succeed(failed(`${way} needs Postgres`, false))
  })
