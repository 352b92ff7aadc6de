/**
 * Words of single operations in API documents, by method and path. Only for operations whose endpoint has no
 * description; a test names entries without such an operation.
 */
export const operationWords: Readonly<Record<string, string>> = {
  "POST /api/v1/users/{id}/unsuspend": "The user can sign in again. Sessions that the suspension ended stay ended.",
  "GET /api/v1/roles": "Roles are fixed; an account of a tenant has one of them.",
  "POST /api/v1/mail/accounts/{id}/unsuspend":
    "The mailbox accepts mail and sign-ins again. Its messages are unchanged.",
  "GET /api/v1/mail/webmail/messages/{folder}/{uid}/raw": "The message as the mail server stores it, `message/rfc822`.",
  "GET /api/v1/mail/signatures": "Signatures of the caller, for all of the caller's accounts.",
  "GET /api/v1/mail/webmail/attachments":
    "Files that the caller uploaded for mails. Files not sent are deleted after some time.",
  "GET /api/v1/alarm-bridge/status": "Says for each alarm mailbox whether it is connected, and when it was last read.",
  "GET /api/v1/workflows": "Each workflow with its triggers, its steps, and its runs by state.",
  "GET /api/v1/workflows/statistics": "Counts runs that began in the period. Without a period: the last 24 hours.",
  "GET /api/v1/workflows/runs/{id}":
    "Targets are in their order, attempts by number. Addresses of targets are those of the alarm.",
  "GET /api/v1/notifications/summary": "For a badge: counts only, without reading the notifications.",
  "GET /api/v1/support/sessions/mine": "A session lets the provider's support see what the caller sees, until it ends.",
  "GET /api/v1/dns-providers/types": "Names the fields of the credentials that an account of each type needs.",
  "GET /api/v1/dns-providers/{id}/zones":
    "Asks the provider now. Answers 502 when the provider refuses the credentials.",
  "GET /api/v1/domains/{id}/plans/{plan_id}":
    "Steps are in the order in which they are applied, with the outcome of each.",
  "POST /api/v1/domains/{id}/plans/{plan_id}/discard":
    "Nothing is changed at the provider. A plan that is applied or closed is answered 409.",
  "GET /api/v1/components": "Components of the status page, in their order, with their current status.",
  "GET /api/v1/uptime": "Uptime counts outages and, half, partial outages. Maintenance does not count.",
  "GET /api/v1/uptime/{id}": "One value for each day, 90 days by default.",
  "GET /": "The page for visitors, in the language of the request. It works without scripts.",
  "GET /feed.atom": "The newest incidents and maintenance, for feed readers. Source: RFC 4287.",
  "GET /badge.svg": "An image for other pages. Caches keep it for a short time.",
  "GET /badge/{file}": "An image for other pages. An unknown component is answered 404.",
  "GET /api/docs": "The page has no assets of other hosts.",
  "GET /api/openapi.json": "OpenAPI 3.1, as JSON.",
  "GET /api/v2/summary.json": "In the format of Atlassian Statuspage, for clients that read that format.",
  "GET /api/v2/status.json": "In the format of Atlassian Statuspage: `none`, `minor`, `major` or `critical`.",
  "GET /api/v2/components.json": "In the format of Atlassian Statuspage.",
  "GET /api/v2/incidents.json": "In the format of Atlassian Statuspage; closed incidents included.",
  "GET /api/v2/incidents/unresolved.json": "In the format of Atlassian Statuspage.",
  "GET /api/v2/scheduled-maintenances.json": "In the format of Atlassian Statuspage.",
  "GET /api/v2/scheduled-maintenances/active.json": "In the format of Atlassian Statuspage.",
  "GET /api/v2/scheduled-maintenances/upcoming.json": "In the format of Atlassian Statuspage.",
  "GET /subscribe": "The form for visitors; it needs no script.",
  "POST /subscribe": "The answer is the same for known and unknown addresses. A mail asks the visitor to confirm.",
  "GET /unsubscribe": "Shows a button; opening the link alone changes nothing, because programs open links too.",
  "GET /login": "Where a protected service sends visitors without a session. Shows the form, or goes back at once.",
  "GET /register": "Lets visitors ask for an account, where registration is on.",
  "POST /logout": "Ends the session at the edge, and its cookie in the browser.",
  "GET /account": "The visitor's own account at the edge: password, second factor, sessions.",
  "GET /api/v1/i18n/admin/statistics": "A text is stale when its source text changed after the translation.",
  "PUT /api/v1/i18n/admin/languages/{locale}": "Changes only the name that people see; the locale stays.",
  "GET /api/v1/i18n/admin/translations/{locale}/{key}/history": "Who changed the text, when, from what to what.",
  "GET /api/v1/i18n/languages": "Languages that people can choose, with their share of translated texts.",
  "GET /api/v1/i18n/texts/{locale}/{key}": "The text in this language, or the source text while it is not translated.",
  "POST /api/v1/i18n/admin/rebuilds/{id}/cancel":
    "Translations that are already stored stay. A finished rebuild is answered 409.",
  "POST /api/v1/crm/ebics/accounts/{uuid}/reactivate":
    "Fetching continues with the next schedule. The keys are unchanged.",
  "POST /api/v1/crm/ebics/accounts/{uuid}/permissions": "Sends HTD and HAA to the bank and stores the answer.",
  "GET /api/v1/crm/ebics/accounts/{uuid}/keys/status":
    "The hashes are those of the letters, for comparison by telephone.",
  "POST /api/v1/crm/ebics/accounts/{uuid}/keys/hia": "Possible once, after INI. The bank then waits for the letters.",
  "GET /api/v1/crm/ebics/accounts/{uuid}/keys/ini-letter": "A PDF, made anew at each request from the current keys.",
  "POST /api/v1/crm/ebics/accounts/{uuid}/keys/suspend":
    "Blocks the subscriber at the bank (SPR). Reactivation needs new keys and letters.",
  "GET /api/v1/crm/ebics/files/{uuid}/raw": "The file as the bank sent it, decrypted.",
  "GET /api/v1/crm/ebics/customers/{customer_id}/ibans": "IBANs by which transactions are assigned to the customer.",
  "DELETE /api/v1/crm/ebics/customers/{customer_id}/ibans": "Transactions that are already assigned stay assigned.",
  "GET /api/v1/provisioning/services": "Services that an account can have, such as mail or telephony.",
  "GET /api/v1/provisioning/packages": "A package is a set of services with quantities.",
  "GET /api/v1/provisioning/mappings": "A mapping says which field of an account becomes which setting of a device.",
  "GET /api/v1/provisioning/bookings":
    "A service that is neither in the plan nor booked is refused when a device is set up.",
  "GET /api/v1/wakeword/models/{name}/file": "The model as ONNX, for runtimes other than ours.",
  "GET /api/v1/wakeword/samples/{word}/{id}/audio": "WAV, for listening and for checks of the recording.",
  "GET /api/v1/wakeword/languages": "Training makes its samples with these voices.",
  "GET /api/v1/monitoring/alert-rules":
    "Rules that decide when a message about an alert is sent, gathered or held back.",
  "PUT /api/v1/monitoring/alert-rules": "Replaces all rules. They hold for messages that are sent from now on.",
  "PUT /api/v1/monitoring/silences/{id}": "A silence that is over is answered 409.",
  "GET /api/v1/monitoring/heartbeats": "A host that misses its heartbeat raises an alert.",
  "DELETE /api/v1/monitoring/heartbeats/{name}": "An open alert about the host closes.",
  "GET /api/v1/system/services/{name}": "State as systemd reports it, and why the service restarted.",
  "GET /api/v1/backups/schedules": "When backups and drills run, and where they are stored.",
  "POST /api/v1/backups/schedules": "The first run is at the next time of the schedule.",
  "PUT /api/v1/backups/schedules/{id}": "A run that has begun is not affected.",
  "GET /api/v1/backups/jobs/{uuid}": "The report of a drill says what was restored and compared.",
  "GET /api/v1/security/exemptions": "Addresses in an exemption are never banned.",
  "DELETE /api/v1/security/exemptions/{id}": "From now on the addresses can be banned again.",
  "GET /api/v1/monitoring/checks": "Checks of all kinds with their last value and since when it holds."
}
