/**
 * Examples of single operations and schemas in API documents, where the name of a field does not say enough. A test
 * decodes each one, and names bodies without an operation.
 */
import { anna, day, uuid, type Value } from "./ExampleTexts.ts"

/**
 * Values of fields and parameters: `calls.id` is the `id` in the schema `calls`, or where `calls` is the last word of
 * the path before the parameter.
 */
export const ownValues: Readonly<Record<string, ReadonlyArray<Value>>> = {
  "BankService.message": ["camt.053"],
  "BankService.name": ["EOP"],
  "BankService.scope": ["DE"],
  "accounts.address": [anna],
  "alert-messages.id": [uuid],
  "alerts.id": [uuid],
  "app-passwords.password": ["3"],
  "attachments.id": [uuid],
  "call-filters.pattern": ["+49900*"],
  "calls.id": [uuid],
  "customers.name": ["Example Ltd"],
  "customers.number": ["K-1001"],
  "discount.until": [day],
  "domains.name": ["example.org"],
  "events.before": ["4711-1"],
  "export.from": [day],
  "export.to": [day],
  "extensions.number": ["1001"],
  "external.number": ["RE-2030-0001"],
  "external.until": [day],
  "fetches.account_id": [uuid],
  "invoices.number": ["RE-2030-0001"],
  "invoices.until": [day],
  "ivr-menus.greeting": ["ivr/welcome.wav"],
  "languages.code": ["pt-BR"],
  "linked.provider": ["google"],
  "mine.password": ["3"],
  "models.name": ["computer-small"],
  "notifications.type": ["mail.received"],
  "oidc.provider": ["google"],
  "packages.type": ["plan"],
  "ring-groups.number": ["600"],
  "search.before": [day],
  "search.since": [day],
  "sessions.code": ["1234-5678"],
  "settings.from": ["22:00"],
  "settings.to": ["07:00"],
  "silences.id": [uuid],
  "statements.from": [day],
  "statements.to": [day],
  "tenants.name": ["Example Ltd"],
  "train.name": ["computer-small"],
  "transactions.from": [day],
  "transactions.to": [day],
  "trunks.name": ["Provider"],
  "users.name": ["Anna Example"],
  "voicemail-boxes.number": ["1001"]
}

/** Request bodies by method and path, where their fields depend on each other. */
export const operationExamples: Readonly<Record<string, unknown>> = {
  "POST /api/v1/comm/notify": {
    channels: [
      { channel: "messenger", target: "123456", fallback: [{ channel: "call", target: "+493023125001" }] },
      { channel: "webhook", target: "https://hooks.example.net/alarm" }
    ],
    text: "Disk full on db1",
    severity: "CRITICAL"
  },
  "POST /api/v1/workflows/trigger": {
    event_type: "email.alarm.received",
    payload: {
      email_subject: "CRITICAL:MESSENGER+123456;RETRY:3x5m",
      email_body: "Disk full on db1",
      email_from: "ops@example.org"
    }
  }
}
