import { pageAdditions } from "./PageAdditions.ts"

/**
 * Endpoints that no interface document names: our additions, by daemon. Each line has the methods and the path. A test
 * compares this list and the tables of the documents with the endpoints of the daemons, so a new endpoint is either
 * documented or listed here.
 */
export const additions: Readonly<Record<string, string>> = {
  identity: `
    GET /.well-known/jwks.json
    POST /api/v1/auth/refresh
    POST /api/v1/auth/link
    GET /api/v1/auth/welcome
    POST /api/v1/auth/logout
    GET, PATCH /api/v1/auth/me
    GET, DELETE /api/v1/auth/sessions
    DELETE /api/v1/auth/sessions/{id}
    POST /api/v1/auth/password
    GET /api/v1/auth/factors
    POST, DELETE /api/v1/auth/totp
    POST /api/v1/auth/totp/confirm
    POST, DELETE /api/v1/auth/messenger
    POST /api/v1/auth/messenger/confirm
    POST /api/v1/auth/recovery-codes
    GET /api/v1/auth/providers
    GET /api/v1/auth/oidc/{provider}/start
    GET /api/v1/auth/oidc/{provider}/callback
    GET /api/v1/auth/linked
    POST, DELETE /api/v1/auth/linked/{provider}
    GET, POST /api/v1/users
    GET, PATCH, DELETE /api/v1/users/{id}
    POST /api/v1/users/{id}/suspend
    POST /api/v1/users/{id}/unsuspend
    POST /api/v1/users/{id}/password
    POST /api/v1/users/{id}/link
    POST /api/v1/users/{id}/sign-out
    GET /api/v1/users/{id}/sessions
    DELETE /api/v1/users/{id}/sessions/{session}
    GET /api/v1/roles
    GET, POST /api/v1/tenants
    GET, PATCH /api/v1/tenants/{id}
    POST /api/v1/tenants/{id}/suspend
    POST /api/v1/tenants/{id}/unsuspend
    GET, POST /api/v1/service-tokens
    GET, DELETE /api/v1/service-tokens/{id}
    GET /api/v1/branding
    GET /api/v1/settings/platform
    PUT /api/v1/settings/platform/{name}
    POST /api/v1/settings/platform/tests/{group}
    GET /api/v1/settings/setup
    PUT /api/v1/settings/setup/{name}
    GET /api/v1/audit`,
  "mail-admin": `
    GET, DELETE /api/v1/mail/domains/{id}
    POST /api/v1/mail/domains/{id}/dkim/rotate
    POST /api/v1/mail/domains/{id}/dkim/{selector}/activate
    GET, DELETE /api/v1/mail/accounts/{id}
    GET /api/v1/mail/accounts/{id}/app-passwords
    DELETE /api/v1/mail/accounts/{id}/app-passwords/{password}
    GET /api/v1/mail/app-passwords/mine
    DELETE /api/v1/mail/app-passwords/mine/{password}
    GET, DELETE /api/v1/mail/aliases/{id}
    GET /api/v1/mail/bans
    DELETE /api/v1/mail/bans/{id}
    POST /api/v1/mail/auth-policy
    GET /mail/config-v1.1.xml
    GET /.well-known/autoconfig/mail/config-v1.1.xml`,
  "mail-watcher": `
    GET, POST /api/v1/mail/webmail/accounts
    GET, PUT, DELETE /api/v1/mail/webmail/accounts/{id}
    POST /api/v1/mail/webmail/accounts/{id}/default
    GET /api/v1/mail/webmail/messages/{folder}/{uid}/raw
    GET /api/v1/mail/webmail/messages/{folder}/{uid}/attachments/{part}
    GET /api/v1/mail/webmail/search
    GET /api/v1/mail/webmail/threads/{folder}
    POST /api/v1/mail/push/{account}
    GET, PUT, DELETE /api/v1/mail/signatures/{id}
    GET, POST /api/v1/mail/contacts
    GET /api/v1/mail/contacts/export.vcf
    POST /api/v1/mail/contacts/import
    GET, PUT, DELETE /api/v1/mail/contacts/{id}
    GET /api/v1/mail/webmail/compose
    POST /api/v1/mail/webmail/messages/{folder}/bulk
    POST /api/v1/mail/webmail/folders
    PUT, DELETE /api/v1/mail/webmail/folders/{folder}
    POST /api/v1/mail/webmail/folders/{folder}/empty
    POST /api/v1/mail/webmail/drafts
    PUT, DELETE /api/v1/mail/webmail/drafts/{uid}
    POST /api/v1/mail/webmail/drafts/{uid}/send
    GET, POST /api/v1/mail/webmail/attachments
    DELETE /api/v1/mail/webmail/attachments/{id}`,
  "alarm-bridge": `
    GET /api/v1/alarm-bridge/status`,
  "comm-dispatcher": `
    GET, POST /api/v1/support/sessions
    GET, DELETE /api/v1/support/sessions/mine
    GET /api/v1/support/sessions/{code}
    POST /api/v1/support/sessions/{code}/close
    GET /api/v1/workflows
    GET /api/v1/workflows/statistics
    GET /api/v1/workflows/runs
    GET /api/v1/workflows/runs/{id}
    POST /api/v1/workflows/runs/{id}/acknowledge
    POST /api/v1/alarm-links/show
    POST /api/v1/alarm-links/acknowledge
    POST /api/v1/comm/test-alarm
    GET, POST /api/v1/comm/webhook-secrets
    DELETE /api/v1/comm/webhook-secrets/{id}
    POST /api/v1/notifications
    DELETE /api/v1/notifications/{uuid}/read
    DELETE /api/v1/notifications/read-all
    GET, PUT /api/v1/notifications/preferences
    GET, PUT /api/v1/notifications/settings
    GET /api/v1/notifications/push/key
    GET, POST /api/v1/notifications/push/subscriptions
    DELETE /api/v1/notifications/push/subscriptions/{id}
    GET /api/v1/events
    GET /api/v1/events/histogram`,
  "sip-config": `
    GET, PUT, DELETE /api/v1/sip/extensions/{id}
    POST /api/v1/sip/extensions/{id}/password
    GET /api/v1/sip/extensions/mine
    GET /api/v1/sip/extensions/mine/{id}/config
    POST /api/v1/sip/dids/{id}/assign
    GET /api/v1/sip/domains
    GET /api/v1/sip/domains/{id}
    POST /api/v1/sip/domains/{id}/ownership/check
    POST /api/v1/sip/domains/{id}/assert
    GET, POST /api/v1/sip/trunks
    GET, PUT, DELETE /api/v1/sip/trunks/{id}
    POST /api/v1/sip/trunks/{id}/networks/confirm
    GET, PUT, DELETE /api/v1/sip/dids/{id}
    GET, PUT, DELETE /api/v1/sip/lines/{id}
    GET, PUT, DELETE /api/v1/sip/ring-groups/{id}
    GET, PUT, DELETE /api/v1/sip/call-filters/{id}
    GET, POST /api/v1/sip/ivr-menus
    GET, PUT, DELETE /api/v1/sip/ivr-menus/{id}
    GET, POST /api/v1/sip/voicemail-boxes
    GET, PUT, DELETE /api/v1/sip/voicemail-boxes/{id}
    POST, GET /api/v1/sip/voicemail-boxes/{id}/pin
    GET, POST /api/v1/sip/external-numbers
    GET, PUT, DELETE /api/v1/sip/external-numbers/{id}
    GET, POST /api/v1/crm/customers
    POST /api/v1/crm/customers/imports
    GET /api/v1/crm/customers/imports/{id}
    GET, PUT, DELETE /api/v1/crm/customers/{id}
    POST /api/v1/sip/route-test
    GET /api/v1/sip/calls
    GET /api/v1/sip/calls/{id}`,
  "bank-fetcher": `
    POST /api/v1/crm/ebics/statements/import
    GET /api/v1/crm/ebics/files
    GET /api/v1/crm/ebics/files/{uuid}
    GET /api/v1/crm/ebics/files/{uuid}/raw
    POST /api/v1/crm/ebics/files/{uuid}/parse
    GET /api/v1/crm/ebics/transactions/export
    POST /api/v1/crm/ebics/accounts/{uuid}/reactivate
    POST /api/v1/crm/ebics/accounts/{uuid}/permissions
    POST /api/v1/crm/ebics/accounts/{uuid}/keys/bank/accept
    POST /api/v1/crm/ebics/accounts/{uuid}/keys/bank/refresh
    POST /api/v1/crm/ebics/accounts/{uuid}/keys/suspend
    POST /api/v1/crm/ebics/accounts/{uuid}/keys/resume
    POST /api/v1/crm/ebics/accounts/{uuid}/keys/reset
    POST /api/v1/crm/ebics/accounts/{uuid}/keys/unlock
    GET /api/v1/crm/ebics/fetches
    GET /api/v1/crm/ebics/fetches/{uuid}
    GET /api/v1/crm/ebics/reconcile/batches
    GET /api/v1/crm/ebics/reconcile/batches/{uuid}
    GET /api/v1/crm/ebics/customers
    GET, PUT, POST, DELETE /api/v1/crm/ebics/customers/{customer_id}/ibans
    GET, POST /api/v1/crm/invoices
    POST /api/v1/crm/invoices/imports
    GET /api/v1/crm/invoices/imports/{uuid}
    PUT /api/v1/crm/invoices/external/{external_id}
    GET, PUT, PATCH, DELETE /api/v1/crm/invoices/{uuid}
    POST /api/v1/crm/invoices/{uuid}/cancel
    GET, POST /api/v1/crm/payments
    POST /api/v1/crm/payments/imports
    GET /api/v1/crm/payments/imports/{uuid}
    PUT /api/v1/crm/payments/external/{external_id}
    GET /api/v1/crm/payments/{uuid}
    POST /api/v1/crm/payments/{uuid}/undo
    POST /api/v1/payments/webhooks/{provider}
    GET /api/v1/payments/webhook-events
    GET /api/v1/payments/webhook-events/{uuid}`,
  "dns-verifier": `
    GET, PUT, DELETE /api/v1/domains/{id}
    POST /api/v1/domains/{id}/ownership/check
    POST /api/v1/domains/{id}/assert
    GET /api/v1/domains/{id}/records/{record_id}
    GET /api/v1/domains/{id}/check
    GET /api/v1/dns-providers/types
    GET, PUT, DELETE /api/v1/dns-providers/{id}
    POST /api/v1/domains/{id}/plan
    GET /api/v1/domains/{id}/plans
    GET /api/v1/domains/{id}/plans/{plan_id}
    POST /api/v1/domains/{id}/plans/{plan_id}/apply
    POST /api/v1/domains/{id}/plans/{plan_id}/discard`,
  ...pageAdditions,
  localization: `
    GET /api/v1/i18n/languages
    GET /api/v1/i18n/bundles/{locale}
    GET /api/v1/i18n/texts/{locale}/{key}
    GET /api/v1/i18n/admin/statistics
    POST /api/v1/i18n/admin/languages
    PUT, DELETE /api/v1/i18n/admin/languages/{locale}
    POST /api/v1/i18n/admin/languages/{locale}/forget
    GET /api/v1/i18n/admin/translations/{locale}
    DELETE /api/v1/i18n/admin/translations/{locale}/{key}
    GET /api/v1/i18n/admin/translations/{locale}/{key}/history
    GET, POST /api/v1/i18n/admin/rebuilds
    GET /api/v1/i18n/admin/rebuilds/{id}
    POST /api/v1/i18n/admin/rebuilds/{id}/cancel
    GET /api/v1/i18n/admin/files/{locale}
    POST /api/v1/i18n/admin/files/{locale}/csv
    POST /api/v1/i18n/admin/files/{locale}/xliff`,
  provisioning: `
    GET, POST /api/v1/provisioning/services
    PUT, DELETE /api/v1/provisioning/services/{slug}
    GET, POST /api/v1/provisioning/packages
    DELETE /api/v1/provisioning/packages/{id}
    GET, POST /api/v1/provisioning/mappings
    DELETE /api/v1/provisioning/mappings/{id}
    GET /api/v1/provisioning/bookings
    PUT /api/v1/provisioning/plan
    PUT, DELETE /api/v1/provisioning/modules/{slug}
    POST /api/v1/provisioning/subscriptions
    PUT, DELETE /api/v1/provisioning/subscriptions/{id}
    PUT, DELETE /api/v1/provisioning/addons/{slug}
    GET /api/v1/provisioning/devices
    GET, DELETE /api/v1/provisioning/devices/{id}
    POST /provision/{token}
    POST /provision/profile/device.mobileconfig
    GET /provision/phone/{secret}/{file}
    POST /api/v1/provisioning/client-tokens/{id}/mail`,
  "wake-word": `
    GET /api/v1/wakeword/active/model
    GET /api/v1/wakeword/active/embedding
    GET /api/v1/wakeword/active/mel
    GET /api/v1/wakeword/models/{name}
    GET /api/v1/wakeword/models/{name}/file
    POST /api/v1/wakeword/models/{name}/deactivate
    DELETE /api/v1/wakeword/samples/{word}/{id}
    GET /api/v1/wakeword/samples/{word}
    GET /api/v1/wakeword/samples/{word}/{id}/audio
    GET /api/v1/wakeword/training
    POST /api/v1/wakeword/training/{job_id}/cancel
    GET /api/v1/wakeword/languages`,
  watchdog: `
    GET, POST /api/v1/monitoring/checks
    GET, PUT, DELETE /api/v1/monitoring/checks/{id}
    POST /api/v1/monitoring/checks/{id}/run
    GET /api/v1/system/services/{name}/logs/follow
    GET /api/v1/backups/jobs
    GET /api/v1/backups/jobs/{uuid}
    GET /api/v1/backups/retention
    PUT, DELETE /api/v1/backups/schedules/{id}
    POST /api/v1/backups/drill
    POST /api/v1/security/decisions
    GET, POST /api/v1/security/exemptions
    DELETE /api/v1/security/exemptions/{id}
    GET /api/v1/monitoring/alerts
    GET /api/v1/monitoring/alerts/{id}
    POST /api/v1/monitoring/alerts/{id}/acknowledge
    POST /api/v1/monitoring/alerts/test
    GET /api/v1/monitoring/alert-messages/{id}
    GET, PUT /api/v1/monitoring/alert-rules
    GET, POST /api/v1/monitoring/silences
    GET, PUT, DELETE /api/v1/monitoring/silences/{id}
    GET /api/v1/monitoring/heartbeats
    POST, DELETE /api/v1/monitoring/heartbeats/{name}`
}
