/** The mail relay of notifications, and its last observed state. */
import { Context, Effect, Layer } from "effect"
import { hostname } from "node:os"
import type { Component } from "#core/daemon/Health.ts"
import {
  addressProblem,
  noticeSettings,
  optionalAddress,
  relayAddress,
  relayOf
} from "#core/second-path/NoticeSettings.ts"
import type { Relay } from "#core/second-path/RelayAddress.ts"
import * as Settings from "#core/config/Settings.ts"

export const notifySettings = {
  notifyRelay: relayAddress("SIGNALBOX_NOTIFY_SMTP_URL", {
    doc:
      "Relay for users' notifications, smtp://host:port or smtps://user:password@host:port; unset: " +
      "SIGNALBOX_NOTICE_SMTP_URL; " +
      "with neither set no notifications go by mail"
  }),
  notifyFrom: optionalAddress("SIGNALBOX_NOTIFY_FROM", { doc: "Sender of these mails; unset: SIGNALBOX_NOTICE_FROM" }),
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

/** The relay and sender of users' mails; undefined: not configured. */
export class MailWay extends Context.Service<
  MailWay,
  {
    readonly way: { readonly relay: Relay; readonly from: string } | undefined
    /** Records the result of a mail; undefined: the relay accepted it. */
    readonly saw: (failure: string | undefined) => Effect.Effect<void>
    /** For `/health`, without a request. */
    readonly component: Effect.Effect<Component>
  }
>()("signalbox/comm-dispatcher/MailWay") {}

export const layer = (config: NotifyConfig): Layer.Layer<MailWay> => {
  const relay = config.notifyRelay ?? config.noticeRelay
  const own = `signalbox@${hostname()}`
  const from =
    config.notifyFrom ?? config.noticeFrom ?? (addressProblem(own) === undefined ? own : "signalbox@localhost")
  let failing: string | undefined
  return Layer.succeed(MailWay, {
    way: relay === undefined ? undefined : { relay: relayOf(relay), from },
    saw: (failure) => Effect.sync(() => void (failing = failure)),
    component: Effect.sync((): Component => ({
      status: relay === undefined ? "unconfigured" : failing === undefined ? "ok" : "degraded",
      ...(failing === undefined ? {} : { detail: failing })
    }))
  })
}
