/** Operations that neither console nor command line call, by reason. One line: `METHOD, METHOD /path`. */
export const exceptions: Readonly<Record<string, string>> = {
  "public, for programs and feed readers": `
    GET /api/v1/components/{id}
    GET /api/docs
    GET /api/v1/uptime
    GET /api/v1/uptime/{id}
    GET /api/v1/response-times/{id}
    GET /api/v1/incidents
    GET /api/v1/incidents/{id}
    GET /feed.atom
    GET /badge.svg
    GET /badge/{file}
    GET /api/openapi.json
    GET /api/v2/summary.json
    GET /api/v2/status.json
    GET /api/v2/components.json
    GET /api/v2/incidents.json
    GET /api/v2/incidents/unresolved.json
    GET /api/v2/scheduled-maintenances.json
    GET /api/v2/scheduled-maintenances/active.json
    GET /api/v2/scheduled-maintenances/upcoming.json
    GET /api/v1/i18n/texts/{locale}/{key}
    GET /.well-known/jwks.json`,

  "a page of its own, outside the console": `
    GET /
    GET /incidents/{id}
    GET /history
    GET, POST /subscribe
    POST /api/v1/subscribe
    GET, POST /subscribe/confirm
    GET, POST /unsubscribe
    GET, POST /login
    GET, POST /register
    GET, POST /logout
    GET, POST /account
    GET, POST /admin
    GET /admin/coverage.json
    GET /api/v1/auth/welcome`,

  "called by other servers: proxies, mail servers, switches, banks": `
    GET /verify
    GET /handoff
    POST /api/v1/auth/token/introspect
    POST /api/v1/mail/auth-policy
    POST /api/v1/mail/push/{account}
    POST /api/v1/payments/webhooks/{provider}
    GET /api/v1/auth/oidc/{provider}/start
    GET /api/v1/auth/oidc/{provider}/callback`,

  "called by programs that report or send": `
    POST /api/v1/comm/call
    POST /api/v1/comm/messenger
    POST /api/v1/comm/messenger/voice
    POST /api/v1/comm/notify
    POST /api/v1/comm/heartbeat
    GET /api/v1/comm/health
    GET /api/v1/alarm-bridge/status
    POST /api/v1/notifications
    POST /api/v1/monitoring/heartbeats/{name}
    PUT /api/v1/crm/invoices/external/{external_id}
    PUT /api/v1/crm/payments/external/{external_id}
    PUT /api/v1/crm/invoices/{uuid}`,

  "called by devices and mail programs that are being set up": `
    GET /mail/config-v1.1.xml
    GET /.well-known/autoconfig/mail/config-v1.1.xml
    GET, POST /provision/{token}
    POST /provision/profile/device.mobileconfig
    GET /provision/phone/{secret}/{file}
    POST /api/v1/auth/mail-token`,

  "the list already has everything that is shown; one of them is for programs": `
    GET /api/v1/backups/jobs/{uuid}
    GET /api/v1/crm/ebics/reconcile/batches
    GET /api/v1/crm/ebics/fetches/{uuid}
    GET /api/v1/dns-providers/{id}
    GET /api/v1/domains/{id}/records/{record_id}
    GET /api/v1/i18n/admin/rebuilds/{id}
    GET /api/v1/mail/accounts/{id}
    GET /api/v1/mail/aliases/{id}
    GET /api/v1/mail/webmail/accounts/{id}
    GET /api/v1/monitoring/silences/{id}
    GET /api/v1/notifications/push/subscriptions
    GET /api/v1/service-tokens/{id}
    GET /api/v1/sip/call-filters/{id}
    GET /api/v1/sip/calls/{id}
    GET /api/v1/sip/domains/{id}
    GET /api/v1/sip/lines/{id}
    GET /api/v1/tenants/{id}
    GET /api/v1/wakeword/training/{job_id}`,

  "the console does the same by another operation": `
    POST /api/v1/mail/webmail/messages/{folder}/{uid}/flags
    POST /api/v1/mail/webmail/messages/{folder}/{uid}/move
    DELETE /api/v1/mail/webmail/messages/{folder}/{uid}
    POST /api/v1/mail/webmail/drafts/{uid}/send
    GET /api/v1/mail/webmail/attachments
    GET /api/v1/mail/bans
    DELETE /api/v1/mail/bans/{id}`,

  "called by the program of the provider that sells": `
    PUT /api/v1/provisioning/plan
    PUT, DELETE /api/v1/provisioning/modules/{slug}
    POST /api/v1/provisioning/subscriptions
    PUT, DELETE /api/v1/provisioning/subscriptions/{id}
    PUT, DELETE /api/v1/provisioning/addons/{slug}`
}
