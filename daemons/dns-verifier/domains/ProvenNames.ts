/** Makes a tenant the holder of its domain when it has proven the name in DNS. */
import * as ProvenName from "#core/ownership/ProvenName.ts"
import { setProven } from "./DomainChanges.ts"

/** Registers the consumer of `name.proven`. */
export const provenNames = ProvenName.consumer({
  name: "dns-verifier.proven-names",
  kind: "dns",
  handle: ({ name, tenant_id: tenantId }) => setProven(tenantId, name)
})
