/** Settings of web push. */
import { hostname } from "node:os"
import { cidrProblem } from "#core/config/PlatformSettings.ts"
import { defaultSender, optionalAddress } from "#core/second-path/NoticeSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import type { NotifyConfig } from "../mail/MailRoute.ts"

export const pushSettings = {
  pushContact: optionalAddress("SIGNALBOX_PUSH_CONTACT", {
    doc: "Contact for push services about problems with our pushes; unset: the sender of users' mails"
  }),
  pushAllow: Settings.list("SIGNALBOX_PUSH_ALLOW_CIDRS", {
    doc: "Private networks that push services may be in",
    default: [],
    check: cidrProblem
  })
}

export type PushConfig = Settings.Values<typeof pushSettings>

/** Contact of the operator for push services, as a `mailto:` URI. Source: RFC 8292 §2.1. */
export const contactOf = (config: PushConfig & Pick<NotifyConfig, "notifyFrom" | "noticeFrom">): string => {
  return `mailto:${config.pushContact ?? config.notifyFrom ?? config.noticeFrom ?? defaultSender(hostname())}`
}
