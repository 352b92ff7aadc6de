/**
 * Operations that commands of `signalbox` do too. Commands work on the database without HTTP, so sources do not show
 * which operation a command stands for. Every command is in one of the two lists.
 */
import type { AnyCommand } from "#core/cli/AnyCommand.ts"
import { operationsOf } from "./Shape.ts"

/** The operation of each command. One line: the command, a colon, `METHOD, METHOD /path`. */
const lines = `
  alarm send: POST /api/v1/workflows/trigger
  alarm show: GET /api/v1/workflows/runs/{id}
  alarm list: GET /api/v1/workflows/runs
  alarm ack: POST /api/v1/workflows/runs/{id}/acknowledge
  workflow list: GET /api/v1/workflows
  workflow runs: GET /api/v1/workflows/runs
  events list: GET /api/v1/events
  webhook-secret list: GET /api/v1/comm/webhook-secrets
  webhook-secret rotate: POST /api/v1/comm/webhook-secrets
  webhook-secret delete: DELETE /api/v1/comm/webhook-secrets/{id}
  support list: GET /api/v1/support/sessions
  support show: GET /api/v1/support/sessions/{code}
  support close: POST /api/v1/support/sessions/{code}/close
  user create: POST /api/v1/users
  user list: GET /api/v1/users
  user show: GET /api/v1/users/{id}
  user change: PATCH /api/v1/users/{id}
  user suspend: POST /api/v1/users/{id}/suspend
  user unsuspend: POST /api/v1/users/{id}/unsuspend
  user role: PATCH /api/v1/users/{id}
  user password: POST /api/v1/users/{id}/password
  user link: POST /api/v1/users/{id}/link
  user sessions: GET /api/v1/users/{id}/sessions
  user sign-out: POST /api/v1/users/{id}/sign-out
  user delete: DELETE /api/v1/users/{id}
  tenant create: POST /api/v1/tenants
  tenant list: GET /api/v1/tenants
  tenant suspend: POST /api/v1/tenants/{id}/suspend
  tenant unsuspend: POST /api/v1/tenants/{id}/unsuspend
  audit list: GET /api/v1/audit
  setup skip: PUT /api/v1/settings/setup/{name}
  setup want: PUT /api/v1/settings/setup/{name}
  settings list: GET /api/v1/settings/platform
  settings set: PUT /api/v1/settings/platform/{name}
  settings unset: PUT /api/v1/settings/platform/{name}
  settings test: POST /api/v1/settings/platform/tests/{group}
  token create: POST /api/v1/service-tokens
  token list: GET /api/v1/service-tokens
  token revoke: DELETE /api/v1/service-tokens/{id}
  mail-domain list: GET /api/v1/mail/domains
  mail-domain show: GET /api/v1/mail/domains/{id}
  mail-domain create: POST /api/v1/mail/domains
  mail-domain delete: DELETE /api/v1/mail/domains/{id}
  mail-domain assert: POST /api/v1/mail/domains/{id}/assert
  provisioning link: POST /api/v1/provisioning/client-tokens
  provisioning links: GET /api/v1/provisioning/client-tokens
  provisioning revoke-link: DELETE /api/v1/provisioning/client-tokens/{id}
  provisioning devices: GET /api/v1/provisioning/devices
  provisioning revoke: DELETE /api/v1/provisioning/devices/{id}
  mailbox list: GET /api/v1/mail/domains/{id}/accounts
  mailbox create: POST /api/v1/mail/domains/{id}/accounts
  mailbox change: PUT /api/v1/mail/accounts/{id}
  mailbox suspend: POST /api/v1/mail/accounts/{id}/suspend
  mailbox unsuspend: POST /api/v1/mail/accounts/{id}/unsuspend
  mailbox delete: DELETE /api/v1/mail/accounts/{id}
  mail-alias list: GET /api/v1/mail/domains/{id}/aliases
  mail-alias create: POST /api/v1/mail/domains/{id}/aliases
  mail-alias delete: DELETE /api/v1/mail/aliases/{id}
  contact list: GET /api/v1/mail/contacts
  contact show: GET /api/v1/mail/contacts/{id}
  contact add: POST /api/v1/mail/contacts
  contact change: PUT /api/v1/mail/contacts/{id}
  contact delete: DELETE /api/v1/mail/contacts/{id}
  contact export: GET /api/v1/mail/contacts/export.vcf
  contact import: POST /api/v1/mail/contacts/import
  signature list: GET /api/v1/mail/signatures
  signature show: GET /api/v1/mail/signatures/{id}
  signature add: POST /api/v1/mail/signatures
  signature change: PUT /api/v1/mail/signatures/{id}
  signature delete: DELETE /api/v1/mail/signatures/{id}
  dns-account list: GET /api/v1/dns-providers
  dns-account types: GET /api/v1/dns-providers/types
  dns-account create: POST /api/v1/dns-providers
  dns-account change: PUT /api/v1/dns-providers/{id}
  dns-account delete: DELETE /api/v1/dns-providers/{id}
  sip extension list: GET /api/v1/sip/extensions
  sip extension create: POST /api/v1/sip/extensions
  sip extension change: PUT /api/v1/sip/extensions/{id}
  sip extension delete: DELETE /api/v1/sip/extensions/{id}
  sip ring-group list: GET /api/v1/sip/ring-groups
  sip ring-group create: POST /api/v1/sip/ring-groups
  sip ring-group change: PUT /api/v1/sip/ring-groups/{id}
  sip ring-group delete: DELETE /api/v1/sip/ring-groups/{id}
  sip create-did: POST /api/v1/sip/dids
  sip change-did: PUT /api/v1/sip/dids/{id}
  sip delete-did: DELETE /api/v1/sip/dids/{id}
  sip route: POST /api/v1/sip/route-test
  sip trunks: GET /api/v1/sip/trunks
  sip confirm-trunk: POST /api/v1/sip/trunks/{id}/networks/confirm
  sip domains: GET /api/v1/sip/domains
  sip assert-domain: POST /api/v1/sip/domains/{id}/assert
  sip dids: GET /api/v1/sip/dids
  sip assign-did: POST /api/v1/sip/dids/{id}/assign
  domain list: GET /api/v1/domains
  domain show: GET /api/v1/domains/{id}
  domain check: GET /api/v1/domains/{id}/check
  domain verify: POST /api/v1/domains/{id}/verify
  domain assert: POST /api/v1/domains/{id}/assert
  edge users list: GET /api/v1/edge/users
  edge users create: POST /api/v1/edge/users
  edge users approve: PATCH /api/v1/edge/users/{id}
  edge users block: PATCH /api/v1/edge/users/{id}
  edge users role: PATCH /api/v1/edge/users/{id}
  edge users password: POST /api/v1/edge/users/{id}/password
  edge users reset-factor: DELETE /api/v1/edge/users/{id}/second-factor
  edge users end-sessions: POST /api/v1/edge/users/{id}/sign-out
  edge users delete: DELETE /api/v1/edge/users/{id}
  edge routes list: GET /api/v1/edge/routes
  edge routes add: POST /api/v1/edge/routes
  edge routes enable: PATCH /api/v1/edge/routes/{id}
  edge routes disable: PATCH /api/v1/edge/routes/{id}
  edge routes remove: DELETE /api/v1/edge/routes/{id}
  edge coverage: GET /api/v1/edge/coverage
  status show: GET /api/v1/status
  status check: GET, POST /api/v1/admin/checks
  status component list: GET /api/v1/admin/components
  status component add: POST /api/v1/admin/components
  status component change: PUT /api/v1/admin/components/{id}
  status component delete: DELETE /api/v1/admin/components/{id}
  status incident list: GET /api/v1/admin/incidents
  status incident show: GET /api/v1/admin/incidents/{id}
  status incident draft: POST /api/v1/admin/incidents
  status incident edit: PUT /api/v1/admin/incidents/{id}
  status incident update: POST /api/v1/admin/incidents/{id}/updates
  status incident publish: POST /api/v1/admin/incidents/{id}/publish
  status incident resolve: POST /api/v1/admin/incidents/{id}/resolve
  status incident delete: DELETE /api/v1/admin/incidents/{id}
  status maintenance list: GET /api/v1/admin/maintenance
  status maintenance plan: POST /api/v1/admin/maintenance
  status maintenance cancel: DELETE /api/v1/admin/maintenance/{id}
  status subscribers list: GET /api/v1/admin/subscribers
  status subscribers count: GET /api/v1/admin/subscribers
  status subscribers remove: DELETE /api/v1/admin/subscribers/{id}
  localization languages: GET /api/v1/i18n/admin/statistics
  localization add: POST /api/v1/i18n/admin/languages
  localization remove: DELETE /api/v1/i18n/admin/languages/{locale}
  localization forget: POST /api/v1/i18n/admin/languages/{locale}/forget
  localization texts: GET /api/v1/i18n/admin/translations/{locale}
  localization set: PUT /api/v1/i18n/admin/translations/{locale}/{key}
  localization reset: DELETE /api/v1/i18n/admin/translations/{locale}/{key}
  localization history: GET /api/v1/i18n/admin/translations/{locale}/{key}/history
  localization rebuild: POST /api/v1/i18n/admin/rebuilds
  localization rebuilds: GET /api/v1/i18n/admin/rebuilds
  localization cancel: POST /api/v1/i18n/admin/rebuilds/{id}/cancel
  localization export: GET /api/v1/i18n/admin/files/{locale}
  localization import: POST /api/v1/i18n/admin/files/{locale}/csv
  bank dashboard: GET /api/v1/crm/ebics/dashboard
  bank account list: GET /api/v1/crm/ebics/accounts
  bank account show: GET /api/v1/crm/ebics/accounts/{uuid}
  bank account create: POST /api/v1/crm/ebics/accounts
  bank account update: PUT /api/v1/crm/ebics/accounts/{uuid}
  bank account deactivate: DELETE /api/v1/crm/ebics/accounts/{uuid}
  bank account reactivate: POST /api/v1/crm/ebics/accounts/{uuid}/reactivate
  bank account permissions: POST /api/v1/crm/ebics/accounts/{uuid}/permissions
  bank keys status: GET /api/v1/crm/ebics/accounts/{uuid}/keys/status
  bank keys init: POST /api/v1/crm/ebics/accounts/{uuid}/keys/init
  bank keys ini: POST /api/v1/crm/ebics/accounts/{uuid}/keys/ini
  bank keys hia: POST /api/v1/crm/ebics/accounts/{uuid}/keys/hia
  bank keys letter: GET /api/v1/crm/ebics/accounts/{uuid}/keys/ini-letter
  bank keys accept: POST /api/v1/crm/ebics/accounts/{uuid}/keys/bank/accept
  bank keys activate: POST /api/v1/crm/ebics/accounts/{uuid}/keys/activate
  bank keys refresh: POST /api/v1/crm/ebics/accounts/{uuid}/keys/bank/refresh
  bank keys suspend: POST /api/v1/crm/ebics/accounts/{uuid}/keys/suspend
  bank keys resume: POST /api/v1/crm/ebics/accounts/{uuid}/keys/resume
  bank keys reset: POST /api/v1/crm/ebics/accounts/{uuid}/keys/reset
  bank keys unlock: POST /api/v1/crm/ebics/accounts/{uuid}/keys/unlock
  bank fetch: POST /api/v1/crm/ebics/accounts/{uuid}/fetch
  bank fetches: GET /api/v1/crm/ebics/fetches
  bank import: POST /api/v1/crm/ebics/statements/import
  bank files: GET /api/v1/crm/ebics/files
  bank parse: POST /api/v1/crm/ebics/files/{uuid}/parse
  bank raw: GET /api/v1/crm/ebics/files/{uuid}/raw
  bank statements: GET /api/v1/crm/ebics/statements
  bank transactions: GET /api/v1/crm/ebics/transactions
  bank suggestions: GET /api/v1/crm/ebics/transactions/{uuid}/suggestions
  bank match: POST /api/v1/crm/ebics/transactions/{uuid}/reconcile
  bank ignore: POST /api/v1/crm/ebics/transactions/{uuid}/ignore
  bank undo: POST /api/v1/crm/ebics/transactions/{uuid}/undo
  bank reconcile: POST /api/v1/crm/ebics/reconcile/batch
  bank invoice list: GET /api/v1/crm/invoices
  bank invoice show: GET /api/v1/crm/invoices/{uuid}
  bank invoice create: POST /api/v1/crm/invoices
  bank invoice update: PATCH /api/v1/crm/invoices/{uuid}
  bank invoice delete: DELETE /api/v1/crm/invoices/{uuid}
  bank invoice cancel: POST /api/v1/crm/invoices/{uuid}/cancel
  bank invoice import: POST /api/v1/crm/invoices/imports
  bank invoice import-progress: GET /api/v1/crm/invoices/imports/{uuid}
  bank payment list: GET /api/v1/crm/payments
  bank payment show: GET /api/v1/crm/payments/{uuid}
  bank payment create: POST /api/v1/crm/payments
  bank payment undo: POST /api/v1/crm/payments/{uuid}/undo
  bank payment import: POST /api/v1/crm/payments/imports
  bank payment import-progress: GET /api/v1/crm/payments/imports/{uuid}
  bank customer-ibans list: GET /api/v1/crm/ebics/customers/{customer_id}/ibans
  bank customer-ibans add: POST /api/v1/crm/ebics/customers/{customer_id}/ibans
  bank customer-ibans remove: DELETE /api/v1/crm/ebics/customers/{customer_id}/ibans
  bank webhook-events list: GET /api/v1/payments/webhook-events
  bank webhook-events show: GET /api/v1/payments/webhook-events/{uuid}
  backup list: GET /api/v1/backups
  backup jobs: GET /api/v1/backups/jobs
  backup run: POST /api/v1/backups/trigger/{schedule_id}
  backup drill: POST /api/v1/backups/drill
  backup schedules: GET /api/v1/backups/schedules
  backup schedule add: POST /api/v1/backups/schedules
  backup schedule change: PUT /api/v1/backups/schedules/{id}
  backup schedule remove: DELETE /api/v1/backups/schedules/{id}
  backup prune: GET /api/v1/backups/retention
  monitor checks: GET /api/v1/monitoring/checks
  monitor show: GET /api/v1/monitoring/checks/{id}
  monitor run: POST /api/v1/monitoring/checks/{id}/run
  monitor add: POST /api/v1/monitoring/checks
  monitor change: PUT /api/v1/monitoring/checks/{id}
  monitor remove: DELETE /api/v1/monitoring/checks/{id}
  service list: GET /api/v1/system/services
  service show: GET /api/v1/system/services/{name}
  service logs: GET /api/v1/system/services/{name}/logs
  service restart: POST /api/v1/system/services/{name}/restart
  ban list: GET /api/v1/security/decisions
  ban add: POST /api/v1/security/decisions
  ban lift: DELETE /api/v1/security/decisions/{id}
  ban exempt: POST /api/v1/security/exemptions
  ban exemptions: GET /api/v1/security/exemptions
  ban alerts: GET /api/v1/security/alerts
  ban summary: GET /api/v1/security/summary
  alert list: GET /api/v1/monitoring/alerts
  alert show: GET /api/v1/monitoring/alerts/{id}
  alert ack: POST /api/v1/monitoring/alerts/{id}/acknowledge
  alert silence: POST /api/v1/monitoring/silences
  alert change-silence: PUT /api/v1/monitoring/silences/{id}
  alert unsilence: DELETE /api/v1/monitoring/silences/{id}
  alert silences: GET /api/v1/monitoring/silences
  alert test: POST /api/v1/monitoring/alerts/test
  alert rules: GET, PUT /api/v1/monitoring/alert-rules
  alert heartbeats: GET /api/v1/monitoring/heartbeats
  alert forget: DELETE /api/v1/monitoring/heartbeats/{name}
  wakeword status: GET /api/v1/wakeword/status
  wakeword models: GET /api/v1/wakeword/models
  wakeword activate: POST /api/v1/wakeword/models/{name}/activate
  wakeword deactivate: POST /api/v1/wakeword/models/{name}/deactivate
  wakeword delete: DELETE /api/v1/wakeword/models/{name}
  wakeword samples: GET /api/v1/wakeword/samples
  wakeword delete-samples: DELETE /api/v1/wakeword/samples/{word}
  wakeword train: POST /api/v1/wakeword/train
  wakeword training: GET /api/v1/wakeword/training
  wakeword cancel: POST /api/v1/wakeword/training/{job_id}/cancel`

const table = new Map(
  lines
    .trim()
    .split("\n")
    .map((line) => {
      const [command, operations] = line.trim().split(": ")
      return [command!, operationsOf(operations!)] as const
    })
)

/** Commands that are no operation of the API, by reason. */
export const otherCommands: Readonly<Record<string, ReadonlyArray<string>>> = {
  "starts or describes the program": ["up", "run", "check", "health", "routes", "openapi", "migrate"],
  "only for an operator of the machine": [
    "secrets rotate",
    "settings export",
    "settings import",
    "settings table",
    "mail-server role",
    "mail-server purge",
    "backup init",
    "backup now",
    "backup restore",
    "edge users first-link"
  ],
  "the page of edge-auth itself does the same": ["edge sessions list", "edge sessions end"]
}

/** Operations that commands do, by shape. */
export const cliCalls: ReadonlySet<string> = new Set([...table.values()].flat())

/** Commands of the two lists. */
export const listedCommands: ReadonlyArray<string> = [...table.keys(), ...Object.values(otherCommands).flat()]

/** Full names of a command and of all commands below it that do something themselves. */
export const leavesOf = (command: AnyCommand, above = ""): ReadonlyArray<string> => {
  const name = `${above} ${command.name}`.trim()
  const below = command.subcommands.flatMap(({ commands }) => commands as ReadonlyArray<AnyCommand>)
  return below.length === 0 ? [name] : below.flatMap((one) => leavesOf(one, name))
}
