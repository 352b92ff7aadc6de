/**
 * Decides whether a call from outside may reach a DID, by the address that sent it. Pure. The profile for trunks asks
 * for no password, and its access list has the networks of all trunks, so each number is bound to its own trunk here.
 */
import { providerTenant } from "#core/auth/Caller.ts"
import { effectiveNetworks, isWithin } from "../directory/Exports.ts"
import type { Did, Trunk } from "./Rows.ts"
import type { Telephony } from "./Telephony.ts"

/** Networks by row; a changed trunk is a new row. */
const networks = new WeakMap<Trunk, ReadonlyArray<string>>()

const sends = (trunk: Trunk | undefined, tenantId: number, address: string): boolean => {
  if (trunk?.enabled !== true || trunk.tenant_id !== tenantId) return false
  let known = networks.get(trunk)
  if (known === undefined) networks.set(trunk, (known = effectiveNetworks(trunk)))
  return isWithin(address, known)
}

/**
 * A DID with a trunk gets calls from this trunk only; a DID without one from every trunk of its tenant and of the
 * provider.
 */
export const mayBring = (telephony: Telephony, did: Did, address: string): boolean =>
  did.trunk_id !== null
    ? sends(telephony.get("trunk", did.trunk_id), did.tenant_id, address)
    : [did.tenant_id, providerTenant].some((tenantId) =>
        telephony.trunksOf(tenantId).some((trunk) => sends(trunk, tenantId, address))
      )
