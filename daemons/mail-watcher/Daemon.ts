import * as Daemon from "#core/daemon/Daemon.ts"
import { accounts } from "./accounts/Feature.ts"
import { mailboxWatch } from "./mailbox-watch/Feature.ts"
import { people } from "./people/Feature.ts"
import { webmailChanges } from "./webmail-changes/Feature.ts"
import { webmailReading } from "./webmail-reading/Feature.ts"
import { webmailSending } from "./webmail-sending/Feature.ts"
import "./HealthTexts.ts"
import "./ProblemTexts.ts"

/** Watches mailboxes, and lets users read and send mail. */
export const mailWatcher = Daemon.make({
  name: "mail-watcher",
  title: "Mailboxes, watched and read",
  description: "Watches mailboxes and serves webmail: mails, signatures, contacts",
  port: 8102,
  features: [accounts, webmailReading, mailboxWatch, people, webmailChanges, webmailSending]
})
