/** A domain in the answers of the endpoints. */
import { Schema } from "effect"
import { DnsStatus } from "#core/contracts/Domains.ts"
import { ownershipOf } from "#core/ownership/Challenge.ts"
import { OwnershipView } from "#core/ownership/OwnershipView.ts"
import type { Domain } from "./Domains.ts"
import { shownName } from "./Names.ts"
import { iso } from "./Requests.ts"

export const domainFields = {
  id: Schema.Int,
  tenant_id: Schema.Int,
  customer_id: Schema.Int,
  /** In lower case and ASCII. */
  name: Schema.String,
  /** The same name in Unicode: `bücher.example`. */
  display_name: Schema.String,
  /** Whether a label mixes scripts, so that the name can be mistaken for another one. */
  mixed_scripts: Schema.Boolean,
  /** Several tenants may have a domain of this name; the proven one writes its zone and emits events. */
  ownership: OwnershipView,
  /** The account for writing the zone; null: none. */
  dns_provider_id: Schema.NullOr(Schema.Int),
  dns_status: DnsStatus,
  /** `active` after the first verification, permanently. */
  status: Schema.Literals(["pending", "active"]),
  /** Type of the provider whose name servers answer, or its name when it has no type here; null: unknown. */
  detected_provider: Schema.NullOr(Schema.String),
  /** The zone that contains the domain: the domain itself or a parent; null: unknown. */
  zone: Schema.NullOr(Schema.String),
  /** Time of the last check that found a change. */
  observed_at: Schema.NullOr(Schema.String),
  verified_at: Schema.NullOr(Schema.String),
  /** Settings of the installation that the domain waits for, such as SIGNALBOX_PLATFORM_IPV4. Absent: none. */
  waiting_for: Schema.optionalKey(Schema.Array(Schema.String)),
  created_at: Schema.String,
  updated_at: Schema.String
}

export const DomainView = Schema.Struct(domainFields).annotate({ identifier: "Domain" })

/** Converts a row to the answer. `missing`: settings that every domain waits for. */
export const domainView = (missing: ReadonlyArray<string>) => (row: Domain) => ({
  id: row.id,
  tenant_id: row.tenant_id,
  customer_id: row.customer_id,
  name: row.name,
  ...shownName(row.name),
  ownership: ownershipOf(row.name, row.proven ? "proven" : "pending", row.token),
  dns_provider_id: row.dns_provider_id,
  dns_status: row.dns_status,
  status: row.status,
  detected_provider: row.detected_provider,
  zone: row.zone,
  observed_at: iso(row.observed_at),
  verified_at: iso(row.verified_at),
  ...(missing.length === 0 ? {} : { waiting_for: missing }),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString()
})
