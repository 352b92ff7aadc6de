/**
 * Domain events for other daemons. Each event carries the whole state after the change, so a reader keeps the highest
 * `version` and does not depend on the order of events.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** Status of a domain's DNS configuration. Source: interface document 2 §2.1. */
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
  /** `active` after the first successful DNS verification. */
  status: Schema.Literals(["pending", "active"]),
  state: Schema.Literals(["active", "deleted"]),
  /** Increases with every change of this domain. */
  version: Schema.Int
})
export type Domain = typeof Domain.Type

export const DomainCreated = define("domain.created", Domain)
export const DomainChanged = define("domain.changed", Domain)
export const DomainDeleted = define("domain.deleted", Domain)

/** The domain's A record points to the platform, for the first time or again. */
export const DomainVerified = define("domain.verified", Domain)

/** A verified domain has pointed elsewhere in several consecutive checks. `findings`: codes of the problems found. */
export const DomainFailed = define(
  "domain.failed",
  Schema.Struct({ ...Domain.fields, findings: Schema.Array(Schema.String) })
)

/** Result of a plan that changes a domain's zone at its DNS provider. */
const DnsPlan = Schema.Struct({
  /** Null when no plan could be made. */
  plan_id: Schema.NullOr(Schema.String),
  domain_id: Schema.Int,
  tenant_id: Schema.Int,
  customer_id: Schema.Int,
  domain: Schema.String,
  /** Number of record sets the plan writes, and number written so far. */
  steps_total: Schema.Int,
  steps_done: Schema.Int,
  /** Why the plan did not complete, in English; null when it completed. */
  problem: Schema.NullOr(Schema.String)
})

/** Every step of the plan is done and the zone matches the plan. */
export const DnsPlanApplied = define("dns.plan.applied", DnsPlan)

/** The plan stopped early. Some steps may be done; when the zone had changed since planning, none are. */
export const DnsPlanFailed = define("dns.plan.failed", DnsPlan)

/**
 * An automatically created plan waits for approval: it touches records of others, changes much of the zone, or
 * automatic application is off.
 */
export const DnsPlanWaiting = define("dns.plan.waiting", DnsPlan)

/** Matches all domain events, for readers that only need the current state. */
export const domainPattern = "domain.*"
