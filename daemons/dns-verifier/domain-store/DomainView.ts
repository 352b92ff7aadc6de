/** A domain as the endpoints answer it. */
import { Schema } from "effect"
import { DnsStatus } from "#core/contracts/Domains.ts"
import type { Domain } from "./Domains.ts"
import { shownName } from "./Names.ts"
import { iso } from "./Requests.ts"

export const domainFields = {
  id: Schema.Int,
  tenant_id: Schema.Int,
  customer_id: Schema.Int,
  /** Lower case, in ASCII. */
  name: Schema.String,
  /** The same as people read it: `bücher.example`. */
  display_name: Schema.String,
  /** Whether one of its labels mixes scripts, so that it may pass for another name. */
  mixed_scripts: Schema.Boolean,
  /** The account that its zone is written with; null: none. */
  dns_provider_id: Schema.NullOr(Schema.Int),
  dns_status: DnsStatus,
  /** `active` once DNS was verified, and for good. */
  status: Schema.Literals(["pending", "active"]),
  /** Type of the provider whose name servers answer, or its name where we have no type for it; null: not known. */
  detected_provider: Schema.NullOr(Schema.String),
  /** The zone it lies in: itself or a name above; null: not known. */
  zone: Schema.NullOr(Schema.String),
  /** When a look last saw something new. */
  observed_at: Schema.NullOr(Schema.String),
  verified_at: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String
}

export const DomainView = Schema.Struct(domainFields).annotate({ identifier: "Domain" })

/** A domain as it is answered. */
export const domainView = (row: Domain) => ({
  id: row.id,
  tenant_id: row.tenant_id,
  customer_id: row.customer_id,
  name: row.name,
  ...shownName(row.name),
  dns_provider_id: row.dns_provider_id,
  dns_status: row.dns_status,
  status: row.status,
  detected_provider: row.detected_provider,
  zone: row.zone,
  observed_at: iso(row.observed_at),
  verified_at: iso(row.verified_at),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString()
})
