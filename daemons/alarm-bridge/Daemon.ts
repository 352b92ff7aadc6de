import * as Daemon from "#core/daemon/Daemon.ts"
import { mailboxes } from "./mailboxes/Feature.ts"
import { smtpListener } from "./smtp-listener/Feature.ts"
import { status } from "./status/Feature.ts"
import "./HealthTexts.ts"
import "./ProblemTexts.ts"

/** Receives alarm mail from IMAP mailboxes and from devices that send SMTP. */
export const alarmBridge = Daemon.make({
  name: "alarm-bridge",
  title: "Alarm mail in",
  description: "Alarm mail from mailboxes and SMTP",
  port: 8104,
  features: [mailboxes, smtpListener, status]
})
