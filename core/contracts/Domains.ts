/**
 * Domains as other daemons need to know them. Each event carries the whole state after the change, so that a reader
 * keeps the newest by `version` and needs no order.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** Where a domain's DNS stands. Source: interface document 2 §2.1. */
export const DnsStatus = Schema.Literals([
  "manual",
  "managed",
  "credentials_missing",
  "pending_verification",
  "verified",
  "error"
])
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
export const DomainFailed = define(
  "domain.failed",
  Schema.Struct({ ...Domain.fields, findings: Schema.Array(Schema.String) })
)

/** What became of changes to a domain's zone at its provider. */
const DnsPlan = Schema.Struct({
  /** Null: none could be made. */
  plan_id: Schema.NullOr(Schema.String),
  domain_id: Schema.Int,
  tenant_id: Schema.Int,
  customer_id: Schema.Int,
  domain: Schema.String,
  /** Record sets that were to be written, and those that are. */
  steps_total: Schema.Int,
  steps_done: Schema.Int,
  /** Why it did not get to its end, in English; null where it did. */
  problem: Schema.NullOr(Schema.String)
})

/** Every step is done, and the zone is as was planned. */
export const DnsPlanApplied = define("dns.plan.applied", DnsPlan)

/** It ended before its end, perhaps with some steps done; or the zone was another by then, and nothing was written. */
export const DnsPlanFailed = define("dns.plan.failed", DnsPlan)

/**
 * One that made itself waits for a person: it touches what others made, or much of the zone, or nothing may apply
 * itself.
 */
export const DnsPlanWaiting = define("dns.plan.waiting", DnsPlan)

/** All of them, for those who only want the state. */
export const domainPattern = "domain.*"
