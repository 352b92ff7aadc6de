/**
 * Domains as other daemons need to know them. Each event carries the whole state after the change, so that a reader keeps the newest by
 * `version` and needs no order.
 */
import { Schema } from "effect"
import { define } from "../Events.ts"

/** Where a domain's DNS stands. Source: interface document 2 §2.1. */
export const DnsStatus = Schema.Literals(["manual", "managed", "credentials_missing", "pending_verification", "verified", "error"])
export type DnsStatus = typeof DnsStatus.Type

export const Domain = Schema.Struct({
  domain_id: Schema.Int,
  tenant_id: Schema.Int,
  customer_id: Schema.Int,
  /** Lower case, in ASCII. */
  name: Schema.String,
  dns_status: DnsStatus,
  /** `active` once DNS was verified. */
  status: Schema.Literals(["pending", "active"]),
  state: Schema.Literals(["active", "deleted"]),
  /** Grows with every change of this domain. */
  version: Schema.Int
})
export type Domain = typeof Domain.Type

export const DomainCreated = define("domain.created", Domain)
export const DomainChanged = define("domain.changed", Domain)
export const DomainDeleted = define("domain.deleted", Domain)

/** The A record points to the platform, for the first time or again. */
export const DomainVerified = define("domain.verified", Domain)

/** A verified domain points elsewhere, and has done so for several looks; `findings`: their codes. */
export const DomainFailed = define("domain.failed", Schema.Struct({ ...Domain.fields, findings: Schema.Array(Schema.String) }))

/** All of them, for those who only want the state. */
export const domainPattern = "domain.*"
