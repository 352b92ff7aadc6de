/** Lets the mail server serve a domain when its tenant has proven the name in DNS. */
import { Effect } from "effect"
import type { NameProven } from "#core/contracts/NameClaims.ts"
import * as ProvenName from "#core/ownership/ProvenName.ts"
import { announceKeys } from "./DkimKeys.ts"
import { setProven } from "./Domains.ts"

/** Registers the consumer of `name.proven`. */
export const provenNames = ProvenName.consumer({
  name: "mail-admin.proven-names",
  kind: "mail",
  // A domain that was deleted meanwhile is skipped.
  handle: ({ name, tenant_id: tenantId }: typeof NameProven.data.Type) =>
    Effect.andThen(Effect.catchTag(setProven(tenantId, name), "NotFound", Effect.die), announceKeys)
})
