/**
 * Claims of tenants to domain names, for the daemons that use such names. A claim is `pending` until its tenant has
 * proven that the name is its own, or the provider has asserted it.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** What the name is used for. The holder of a name may differ between kinds. */
export const ClaimKind = Schema.Literals(["mail", "sip", "dns"])
export type ClaimKind = typeof ClaimKind.Type

export const ClaimState = Schema.Literals(["pending", "proven"])
export type ClaimState = typeof ClaimState.Type

/** The tenant holds the name from now on. */
export const NameProven = define(
  "name.proven",
  Schema.Struct({ kind: ClaimKind, tenant_id: Schema.Int, name: Schema.String })
)
