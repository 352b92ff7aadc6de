/**
 * Mail domains and the DNS records they need, for whoever keeps or checks DNS. Each event carries the whole state after
 * the change, so that a reader keeps the newest by `version` and needs no order.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** What DNS was found to say. `unknown`: nobody has looked since the record was written. */
export const RecordStatus = Schema.Literals(["ok", "missing", "wrong", "unknown"])
export type RecordStatus = typeof RecordStatus.Type

/** A record that a mail domain needs. */
export const MailRecord = Schema.Struct({
  type: Schema.Literals(["MX", "TXT", "CNAME"]),
  /** Below the domain; `@`: the domain itself. */
  name: Schema.String,
  /**
   * A TXT record as one text, without quotes: more than 255 bytes are cut into character strings where DNS is written
   * (RFC 1035 §3.3.14).
   */
  content: Schema.String,
  /** Of an MX; null otherwise. */
  priority: Schema.NullOr(Schema.Int)
})
export type MailRecord = typeof MailRecord.Type

/** One mail domain after a change. */
export const MailDomain = Schema.Struct({
  domain_id: Schema.Int,
  tenant_id: Schema.Int,
  customer_id: Schema.Int,
  /** Lower case, in ASCII. */
  domain: Schema.String,
  state: Schema.Literals(["active", "deleted"]),
  /** All that are wanted; none once it is deleted. */
  records: Schema.Array(MailRecord),
  /** Grows with every change of this domain, also over its deletion and return. */
  version: Schema.Int
})
export type MailDomain = typeof MailDomain.Type

export const MailDomainCreated = define("mail.domain.created", MailDomain)
export const MailDomainChanged = define("mail.domain.changed", MailDomain)
export const MailDomainDeleted = define("mail.domain.deleted", MailDomain)

/** Somebody compared what DNS answers with the records of a mail domain. */
export const MailRecordsChecked = define(
  "dns.mail_records.checked",
  Schema.Struct({
    domain: Schema.String,
    /** When DNS was asked, ISO 8601; an older answer does not replace a newer one. */
    checked_at: Schema.DateFromString,
    /** `content`: what was looked for. A record that is another by now keeps its status. */
    records: Schema.Array(Schema.Struct({ ...MailRecord.fields, status: RecordStatus }))
  })
)
