import * as Daemon from "#core/daemon/Daemon.ts"
import { mailboxes } from "./mailboxes/Feature.ts"
import { smtpListener } from "./smtp-listener/Feature.ts"
import { status } from "./status/Feature.ts"

/** Alarm mail in: mailboxes by IMAP, devices by SMTP. */
export const alarmBridge = Daemon.make({
  name: "alarm-bridge",
  title: "Alarm mail in",
  description: "How alarm mail comes in",
  port: 8104,
  features: [mailboxes, smtpListener, status]
})
