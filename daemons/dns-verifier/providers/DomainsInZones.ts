/** Assigns a customer's domains to the zones of an account. Runs in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Provider } from "./AccountStore.ts"
import type { Zone } from "../record-sets/RecordSet.ts"

/** Maximum number of domains read. Reason: bounds the answer; for a customer with more, the oldest are read. */
const maxDomains = 10_000

interface Lying {
  readonly id: number
  readonly name: string
}

/** Domains by zone id. A domain belongs to the matching zone with the longest name. */
export const domainsInZones = Effect.fnUntraced(function* (
  { customer_id, tenant_id }: Provider,
  zones: ReadonlyArray<Zone>
) {
  const sql = yield* SqlClient.SqlClient
  const domains = yield* sql<Lying>`select id, name from dns_verifier.domain
    where tenant_id = ${tenant_id} and customer_id = ${customer_id} order by id limit ${maxDomains}`
  const byName = new Map(zones.map((zone) => [zone.name, zone]))
  const found = new Map<string, Array<Lying>>()
  for (const domain of domains) {
    for (let name = domain.name; name !== ""; name = name.split(".").slice(1).join(".")) {
      const zone = byName.get(name)
      if (zone === undefined) continue
      found.set(zone.id, [...(found.get(zone.id) ?? []), { id: domain.id, name: domain.name }])
      break
    }
  }
  return found as ReadonlyMap<string, ReadonlyArray<Lying>>
})
