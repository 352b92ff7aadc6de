/** Rows of one tenant among everybody's. Pure. */
import type { Telephony } from "./Telephony.ts"

/** A row of the tenant and of no other. */
export const own = <Row extends { readonly tenant_id: number }>(
  row: Row | undefined,
  tenantId: number
): Row | undefined => (row?.tenant_id === tenantId ? row : undefined)

/** The name of the domain a row lies in, which is of the same tenant. */
export const domainOf = (
  telephony: Telephony,
  row: { readonly domain_id: number; readonly tenant_id: number } | undefined
): string | undefined =>
  row === undefined ? undefined : own(telephony.get("sip_domain", row.domain_id), row.tenant_id)?.domain
