/** The command groups that daemons bring. Definitions only: what a command does is loaded when it runs. */
import type { ProgramOptions } from "#core/cli/Program.ts"
import { bank } from "./bank-fetcher/Commands.ts"
import { alarm } from "./comm-dispatcher/alarms/Commands.ts"
import { events } from "./comm-dispatcher/event-socket/Commands.ts"
import { support } from "./comm-dispatcher/support/Commands.ts"
import { webhookSecret } from "./comm-dispatcher/webhook-secrets/Commands.ts"
import { workflow } from "./comm-dispatcher/workflows/Commands.ts"
import { domain } from "./dns-verifier/domains/Commands.ts"
import { dnsAccount } from "./dns-verifier/providers/Commands.ts"
import { edge } from "./edge-auth/panel/Commands.ts"
import { audit } from "./identity/audit-log/Commands.ts"
import { setup } from "./identity/setup/Commands.ts"
import { tenant, user } from "./identity/users/Commands.ts"
import { localization } from "./localization/Commands.ts"
import { mailAlias } from "./mail-admin/aliases/Commands.ts"
import { mailbox, mailDomain } from "./mail-admin/domains/Commands.ts"
import { mailServer } from "./mail-admin/mail-server/Commands.ts"
import { contact, signature } from "./mail-watcher/people/Commands.ts"
import { provisioning } from "./provisioning/Commands.ts"
import { sip } from "./sip-config/Commands.ts"
import { status } from "./status-checker/Commands.ts"
import { backup } from "./watchdog/backups/Commands.ts"
import { monitor } from "./watchdog/monitoring/Commands.ts"
import { service } from "./watchdog/services/Commands.ts"
import { ban } from "./watchdog/bans/Commands.ts"
import { alert } from "./watchdog/alerting/Commands.ts"
import { wakeword } from "./wake-word/Commands.ts"

export const commands: ProgramOptions["commands"] = [
  alarm,
  workflow,
  events,
  webhookSecret,
  support,
  user,
  tenant,
  audit,
  setup,
  mailDomain,
  mailbox,
  mailAlias,
  mailServer,
  contact,
  signature,
  provisioning,
  sip,
  domain,
  dnsAccount,
  edge,
  status,
  localization,
  bank,
  backup,
  monitor,
  service,
  ban,
  alert,
  wakeword
]

/** The daemon of each group. A command reads the environment file of its daemon. */
export const daemonOf: ProgramOptions["daemonOf"] = {
  alarm: "comm-dispatcher",
  workflow: "comm-dispatcher",
  events: "comm-dispatcher",
  "webhook-secret": "comm-dispatcher",
  support: "comm-dispatcher",
  user: "identity",
  tenant: "identity",
  audit: "identity",
  setup: "identity",
  "mail-domain": "mail-admin",
  mailbox: "mail-admin",
  "mail-alias": "mail-admin",
  "mail-server": "mail-admin",
  contact: "mail-watcher",
  signature: "mail-watcher",
  provisioning: "provisioning",
  sip: "sip-config",
  domain: "dns-verifier",
  "dns-account": "dns-verifier",
  edge: "edge-auth",
  status: "status-checker",
  localization: "localization",
  bank: "bank-fetcher",
  backup: "watchdog",
  monitor: "watchdog",
  service: "watchdog",
  ban: "watchdog",
  alert: "watchdog",
  wakeword: "wake-word"
}
