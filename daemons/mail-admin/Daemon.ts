import * as Daemon from "#core/daemon/Daemon.ts"
import { aliases } from "./aliases/Feature.ts"
import { appPasswords } from "./app-passwords/Feature.ts"
import { autoconfig } from "./autoconfig/Feature.ts"
import { bans } from "./bans/Feature.ts"
import { domains } from "./domains/Feature.ts"
import { mailServer } from "./mail-server/Feature.ts"
import { sessionCuts } from "./session-cuts/Feature.ts"
import "./HealthTexts.ts"
import "./ProblemTexts.ts"

/** Manages mail domains, mailboxes and aliases, which the mail server reads from views. */
export const mailAdmin = Daemon.make({
  name: "mail-admin",
  title: "Mail domains, mailboxes and aliases",
  description: "Mail domains, the DNS records they need, mailboxes and aliases",
  port: 8103,
  features: [sessionCuts, domains, aliases, bans, mailServer, appPasswords, autoconfig]
})
