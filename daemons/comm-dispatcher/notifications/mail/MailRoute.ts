/** The mail relay of notifications, and its last observed state. */
import { Context, Effect, Layer } from "effect"
import { hostname } from "node:os"
import type { Component } from "#core/daemon/Health.ts"
import {
  defaultSender,
  noticeSettings,
  optionalAddress,
  relayAddress,
  relayOf
} from "#core/second-path/NoticeSettings.ts"
import type { Relay } from "#core/second-path/RelayAddress.ts"
import * as Settings from "#core/config/Settings.ts"
import { rebuilt } from "#core/settings/LiveSettings.ts"
import { stored } from "#core/settings/StoredSetting.ts"

export const notifySettings = {
  notifyRelay: stored(
    relayAddress("SIGNALBOX_NOTIFY_SMTP_URL", {
      doc:
        "Relay for users' notifications, smtp://host:port or smtps://user:password@host:port; unset: " +
        "SIGNALBOX_NOTICE_SMTP_URL; " +
        "with neither set no notifications go by mail"
    }),
    {
      group: "relay",
      title: { en: "Relay for notifications", de: "Relay für Mitteilungen" },
      help: {
        en:
          "smtp://host:port or smtps://user:password@host:port. Sends users' notifications and replies to malformed " +
          "alarms. Without it: the relay for mails to operators.",
        de:
          "smtp://host:port oder smtps://benutzer:passwort@host:port. Sendet Mitteilungen an Benutzer und " +
          "Antworten auf fehlerhafte Alarme. Ohne Angabe: das Relay für Mails an Betreiber."
      }
    }
  ),
  notifyFrom: stored(
    optionalAddress("SIGNALBOX_NOTIFY_FROM", { doc: "Sender of these mails; unset: SIGNALBOX_NOTICE_FROM" }),
    {
      group: "relay",
      title: { en: "Sender of notifications", de: "Absender der Mitteilungen" },
      help: { en: "Such as noreply@example.org.", de: "Zum Beispiel noreply@example.org." }
    }
  ),
  noticeRelay: noticeSettings.noticeRelay,
  noticeFrom: noticeSettings.noticeFrom,
  notificationDays: Settings.integer("SIGNALBOX_NOTIFICATION_DAYS", {
    doc: "How long notifications of users are kept, read or not",
    unit: "days",
    default: 400,
    min: 1,
    max: 36_500
  })
}

export type NotifyConfig = Settings.Values<typeof notifySettings>

/** The relay and sender of mails to users. */
export interface MailSender {
  readonly relay: Relay
  readonly from: string
}

/** The present relay and sender of mails to users; undefined: not configured. `config` has present values. */
export const senderOf = (config: NotifyConfig): (() => MailSender | undefined) =>
  rebuilt(
    () => [config.notifyRelay ?? config.noticeRelay, config.notifyFrom ?? config.noticeFrom],
    (relay, from) =>
      relay === undefined ? undefined : { relay: relayOf(relay), from: from ?? defaultSender(hostname()) }
  )

export class MailWay extends Context.Service<
  MailWay,
  {
    /** The relay and sender of users' mails at this moment; undefined: not configured. */
    readonly way: () => MailSender | undefined
    /** Records for `/health` how the relay answered a mail. `failure` undefined: it accepted the mail. */
    readonly saw: (sender: MailSender, failure: string | undefined) => Effect.Effect<void>
    /** For `/health`, without a request. */
    readonly component: Effect.Effect<Component>
  }
>()("signalbox/comm-dispatcher/MailWay") {}

/** `config` has present values. */
export const layer = (config: NotifyConfig): Layer.Layer<MailWay> => {
  const way = senderOf(config)
  let seen: { readonly sender: MailSender; readonly failure: string | undefined } | undefined
  return Layer.succeed(MailWay, {
    way,
    saw: (sender, failure) => Effect.sync(() => void (seen = { sender, failure })),
    component: Effect.sync((): Component => {
      const sender = way()
      if (sender === undefined) return { status: "unconfigured" }
      // A failure of a former relay says nothing about this one.
      const failure = seen?.sender === sender ? seen.failure : undefined
      return failure === undefined ? { status: "ok" } : { status: "degraded", detail: failure }
    })
  })
}
