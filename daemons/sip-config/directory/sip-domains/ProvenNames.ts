/** Lets the switch see a SIP domain when its tenant has proven the name in DNS. */
import * as ProvenName from "#core/ownership/ProvenName.ts"
import { setProven } from "./Store.ts"

/** Registers the consumer of `name.proven`. */
export const provenNames = ProvenName.consumer({
  name: "sip-config.proven-names",
  kind: "sip",
  handle: ({ name, tenant_id: tenantId }) => setProven(tenantId, name)
})
