/** By which trunks a call goes outside, and what number it shows there. Pure. */
import type { Did, Extension, Line } from "./Rows.ts"
import type { Telephony } from "./Telephony.ts"

/** One try. */
export interface Leg {
  /** The trunk's id; its gateway is called `trunk_<id>`. */
  readonly trunk: number
  /** The number to show; undefined: what the trunk shows by itself. */
  readonly callerId: string | undefined
}

/** Trunks tried for one call. Unit: trunks. Reason: a caller hears nothing while each is tried. */
const maxLegs = 8

/** By the extension's own lines. */
export const legsOfExtension = (telephony: Telephony, { id, tenant_id: tenant }: Extension): ReadonlyArray<Leg> =>
  each(telephony, tenant, telephony.linesOf(id))

/** By whatever the tenant has, the extension's own lines first: an emergency is told by no line too few. */
export const legsOfEmergency = (telephony: Telephony, { id, tenant_id: tenant }: Extension): ReadonlyArray<Leg> => {
  const trunks = telephony.trunksOf(tenant).map((trunk) => ({ trunk_id: trunk.id, did_id: null }))
  return each(telephony, tenant, [...telephony.linesOf(id), ...telephony.linesOfTenant(tenant), ...trunks])
}

/** By any line of a tenant. */
export const legsOfTenant = (telephony: Telephony, tenant: number): ReadonlyArray<Leg> =>
  each(telephony, tenant, telephony.linesOfTenant(tenant))

/**
 * What a number of ours sends on: by the lines of that number, then by its trunk, then by what else the tenant has; it
 * shows itself.
 */
export const legsOfDid = (
  telephony: Telephony,
  { id, number, tenant_id: tenant, trunk_id: trunk }: Did
): ReadonlyArray<Leg> => {
  const ownTrunk = trunk === null ? [] : [{ trunk_id: trunk, did_id: id }]
  return each(telephony, tenant, [...telephony.linesOfDid(id), ...ownTrunk, ...telephony.linesOfTenant(tenant)], number)
}

/** Each trunk that is switched on and the tenant's own, once. */
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
