/** Tenant checks for rows in memory. Pure. */
import type { Telephony } from "./Telephony.ts"

/** The row if it belongs to the tenant, else undefined. */
export const own = <Row extends { readonly tenant_id: number }>(
  row: Row | undefined,
  tenantId: number
): Row | undefined => (row?.tenant_id === tenantId ? row : undefined)

/** Name of the row's SIP domain; undefined when the domain belongs to another tenant. */
export const domainOf = (
  telephony: Telephony,
  row: { readonly domain_id: number; readonly tenant_id: number } | undefined
): string | undefined =>
  row === undefined ? undefined : own(telephony.get("sip_domain", row.domain_id), row.tenant_id)?.domain
