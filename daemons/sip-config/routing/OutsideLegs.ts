/** Selects the trunks for an outbound call, and the caller ID on each. Pure. */
import type { Did, Extension, Line } from "./Rows.ts"
import type { Telephony } from "./Telephony.ts"

/** One attempt over one trunk. */
export interface Leg {
  /** ID of the trunk; its gateway in the switch is `trunk_<id>`. */
  readonly trunk: number
  /** Caller ID; undefined: the trunk's own default. */
  readonly callerId: string | undefined
}

/** Maximum number of trunks tried for one call. Reason: the caller hears nothing during each attempt. */
const maxLegs = 8

/** Legs over the extension's lines. */
export const legsOfExtension = (telephony: Telephony, { id, tenant_id: tenant }: Extension): ReadonlyArray<Leg> =>
  each(telephony, tenant, telephony.linesOf(id))

/** Legs over all trunks of the tenant, the extension's own lines first. An emergency call may use every trunk. */
export const legsOfEmergency = (telephony: Telephony, { id, tenant_id: tenant }: Extension): ReadonlyArray<Leg> => {
  const trunks = telephony.trunksOf(tenant).map((trunk) => ({ trunk_id: trunk.id, did_id: null }))
  return each(telephony, tenant, [...telephony.linesOf(id), ...telephony.linesOfTenant(tenant), ...trunks])
}

/** Legs over all lines of the tenant. */
export const legsOfTenant = (telephony: Telephony, tenant: number): ReadonlyArray<Leg> =>
  each(telephony, tenant, telephony.linesOfTenant(tenant))

/**
 * Legs for calls that a DID forwards to an outside number, with the DID as caller ID. Order: lines of the DID, its
 * trunk, then the tenant's other lines.
 */
export const legsOfDid = (
  telephony: Telephony,
  { id, number, tenant_id: tenant, trunk_id: trunk }: Did
): ReadonlyArray<Leg> => {
  const ownTrunk = trunk === null ? [] : [{ trunk_id: trunk, did_id: id }]
  return each(telephony, tenant, [...telephony.linesOfDid(id), ...ownTrunk, ...telephony.linesOfTenant(tenant)], number)
}

/** Legs over the enabled trunks of the tenant, each trunk once. */
const each = (
  telephony: Telephony,
  tenant: number,
  lines: ReadonlyArray<Pick<Line, "trunk_id" | "did_id">>,
  shown?: string
): ReadonlyArray<Leg> => {
  const legs: Array<Leg> = []
  for (const line of lines) {
    const trunk = telephony.get("trunk", line.trunk_id)
    if (trunk?.enabled !== true || trunk.tenant_id !== tenant || legs.some((leg) => leg.trunk === trunk.id)) continue
    const did = line.did_id === null ? undefined : telephony.get("did", line.did_id)
    const number = shown ?? (did?.tenant_id === tenant ? did.number : undefined) ?? trunk.caller_id ?? undefined
    legs.push({ trunk: trunk.id, callerId: number !== undefined && /^\+?\d{1,20}$/.test(number) ? number : undefined })
    if (legs.length === maxLegs) break
  }
  return legs
}
