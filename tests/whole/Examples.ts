/**
 * Made-up values that reach the handlers, where a schema does not say enough. By name of the field or parameter; the
 * second table has the values of one operation.
 */
import type { Examples } from "./Sample.ts"

/** Within the two years that a maintenance may lie ahead. Unit: milliseconds. */
const ahead = 365 * 86_400_000

const uuid = "00000000-0000-4000-8000-000000000001"

const iban = "DE02120300000000202051"

const common: Examples = {
  account: "somebody@sweep.test",
  address: "somebody@sweep.test",
  amount: "1.00",
  category: "sweep",
  chat_id: "123456",
  destination: "somebody@elsewhere.test",
  digest_at: "07:00",
  domain: "sweep.example.org",
  email: "somebody@sweep.test",
  ends_at: new Date(Date.now() + ahead + 3_600_000).toISOString(),
  endpoint: "https://push.example.org/sweep",
  folder: "INBOX",
  format: "csv",
  from_date: "2026-01-05",
  greeting: "ivr/welcome.wav",
  iban,
  issued_on: "2030-01-31",
  key: "sweep.text",
  locale: "de",
  new_password: "a long password of the sweep",
  number: "+49301234567",
  paid_on: "2030-01-31",
  passphrase: "a long passphrase of the sweep",
  password: "a long password of the sweep",
  pattern: "4930*",
  plan_id: uuid,
  q: "sweep",
  read_at: new Date().toISOString(),
  record_id: "r1",
  selector: "mail1",
  starts_at: new Date(Date.now() + ahead).toISOString(),
  target: "+49301234567",
  time_zone: "Europe/Berlin",
  to: "somebody@elsewhere.test",
  type: "sweep.made",
  zone: "Europe/Berlin"
}

/** Operations whose handler refuses made-up arguments by the problem of a schema: they name things that must exist. */
export const refusedByHandler: ReadonlySet<string> = new Set([
  "POST /api/v1/admin/maintenance",
  "POST /api/v1/sip/dids",
  "POST /api/v1/sip/lines",
  "POST /api/v1/sip/trunks/{id}/networks/confirm",
  // A form with a file.
  "POST /api/v1/wakeword/samples/upload"
])

const byOperation: Readonly<Record<string, Examples>> = {
  "DELETE /api/v1/mail/webmail/attachments/{id}": { id: uuid },
  "DELETE /api/v1/i18n/admin/languages/{locale}": { locale: "it" },
  "GET /api/v1/i18n/admin/rebuilds/{id}": { id: uuid },
  "GET /api/v1/sip/calls/{id}": { id: uuid },
  "GET /api/v1/mail/webmail/search": { optional: ["q"] },
  "POST /api/v1/admin/components": { id: "sweep" },
  "POST /api/v1/admin/components/try": { type: "http", url: "https://sweep.example.org/" },
  "POST /api/v1/backups/schedules": { type: "full", cron: "0 4 * * *" },
  "POST /api/v1/edge/routes": { host: "sweep.example.org", path: "/sweep" },
  "POST /api/v1/monitoring/checks": { type: "http", url: "https://sweep.example.org/" },
  "POST /api/v1/monitoring/silences": {
    key_pattern: "sweep *",
    ends_at: new Date(Date.now() + 3_600_000).toISOString(),
    optional: ["key_pattern"]
  },
  "POST /api/v1/security/decisions": { address: "192.0.2.99" },
  "POST /api/v1/security/exemptions": { address: "192.0.2.98" },
  "POST /api/v1/auth/linked/{provider}": { return_to: "/mail" },
  "POST /api/v1/auth/password": { optional: ["current_password"] },
  "POST /api/v1/crm/customers/imports": { body: "number,name\n+49301234567,Sweep\n" },
  // The IBAN of the account that an earlier operation made.
  "POST /api/v1/crm/ebics/accounts/{uuid}/keys/reset": { confirm: iban },
  "POST /api/v1/crm/invoices/imports": { body: "number,amount,issued_on\nR1,1.00,2030-01-31\n" },
  "POST /api/v1/crm/payments/imports": { body: "external_id,amount,paid_on\nP1,1.00,2030-01-31\n" },
  "POST /api/v1/dns-providers": { type: "manual" },
  "POST /api/v1/domains": { name: "sweep.example.org" },
  "POST /api/v1/domains/{id}/records": { type: "A", name: "sweep.example.org", content: "192.0.2.1" },
  "POST /api/v1/i18n/admin/files/{locale}/csv": { body: "key,translation\nsweep.text,Sweep\n" },
  "POST /api/v1/i18n/admin/files/{locale}/xliff": { body: '<xliff version="1.2"></xliff>' },
  "POST /api/v1/i18n/admin/languages": { code: "it" },
  "POST /api/v1/i18n/admin/rebuilds/{id}/cancel": { id: uuid },
  "POST /api/v1/mail/contacts/import": { body: "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Sweep\r\nEND:VCARD\r\n" },
  "POST /api/v1/mail/webmail/messages/{folder}/bulk": { target: "Archive", optional: ["target"] },
  "POST /api/v1/notifications": { tenant_id: 1, optional: ["tenant_id"] },
  "POST /api/v1/notifications/push/subscriptions": {
    // Keys of a browser: an uncompressed point of P-256, and 16 bytes.
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg"
  },
  "POST /api/v1/provisioning/client-tokens": { optional: ["user_id"] },
  "POST /api/v1/provisioning/mappings": { optional: ["module_slug"] },
  "POST /api/v1/provisioning/packages": { type: "office" },
  "POST /api/v1/provisioning/services": {
    name_i18n: { en: "Sweep" },
    description_i18n: { en: "Sweep" },
    config_template: { protocol: "HTTPS" }
  },
  "PUT /api/v1/provisioning/services/{slug}": { name_i18n: { en: "Sweep" } },
  "POST /api/v1/settings/platform/tests/{group}": { group: "resolvers" },
  "PUT /api/v1/settings/setup/{name}": { name: "switch" },
  "POST /api/v1/sip/call-filters": { type: "blacklist" },
  "POST /api/v1/sip/ivr-menus": { optional: ["domain"] },
  "POST /api/v1/workflows/trigger": { type: "sweep.made" },
  "POST /api/v1/wakeword/train": { word: "computer", language: "de", size: "small", optional: ["size"] },
  "PUT /api/v1/domains/{id}/records/{record_id}": { type: "A" },
  "PUT /api/v1/notifications/settings": { from: "22:00", to: "06:00" }
}

/** Values for one operation. */
export const examplesOf = (operation: string): Examples => ({ ...common, ...byOperation[operation] })
