/**
 * Mail domains and the DNS records they need, for daemons that manage or check DNS. Each event carries the whole state
 * after the change, so a reader keeps the highest `version` and does not depend on the order of events.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** Result of the DNS check. `unknown`: not checked since the record was written. */
export const RecordStatus = Schema.Literals(["ok", "missing", "wrong", "unknown"])
export type RecordStatus = typeof RecordStatus.Type

/** A DNS record that a mail domain needs. */
export const MailRecord = Schema.Struct({
  type: Schema.Literals(["MX", "TXT", "CNAME"]),
  /** Name relative to the domain; `@` is the domain itself. */
  name: Schema.String,
  /**
   * Content of the record. A TXT record is one unquoted text; the DNS writer splits it into character strings of at
   * most 255 bytes (RFC 1035 §3.3.14).
   */
  content: Schema.String,
  /** Priority of an MX record; null for other types. */
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
  /** All records the domain needs; empty once the domain is deleted. */
  records: Schema.Array(MailRecord),
  /** Increases with every change of this domain, also across deletion and re-creation. */
  version: Schema.Int
})
export type MailDomain = typeof MailDomain.Type

export const MailDomainCreated = define("mail.domain.created", MailDomain)
export const MailDomainChanged = define("mail.domain.changed", MailDomain)
export const MailDomainDeleted = define("mail.domain.deleted", MailDomain)

/** The DNS records of a mail domain were compared with the expected records. */
export const MailRecordsChecked = define(
  "dns.mail_records.checked",
  Schema.Struct({
    domain: Schema.String,
    /** When DNS was queried, ISO 8601. An older result does not replace a newer one. */
    checked_at: Schema.DateFromString,
    /** `content`: the expected content. A record whose expected content has changed since keeps its status. */
    records: Schema.Array(Schema.Struct({ ...MailRecord.fields, status: RecordStatus }))
  })
)
