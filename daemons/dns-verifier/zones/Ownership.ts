/** Which record sets of a zone are ours, from our tables. Runs in the surrounding transaction. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { nameInZone, isAtOrBelow } from "../record-sets/ZoneNames.ts"
import { common, setKey, united, without } from "../record-sets/CanonicalContent.ts"
import { type PlatformAddresses, desiredSetsOf } from "../record-sets/DesiredSets.ts"
import { desiredInputOf } from "../domain-store/DesiredRecords.ts"
import { ownedSets } from "../domain-store/OwnedSets.ts"

interface Named {
  readonly id: number
  readonly tenant_id: number
  readonly name: string
}

/**
 * Our record sets in the domain's part of the zone. A domain that was created later below another one takes over the
 * sets at its names that the other no longer needs. Otherwise each domain would remove what the other one needs.
 */
export const ownedInZone = Effect.fnUntraced(function* (domain: Named, platform: PlatformAddresses) {
  const sql = yield* SqlClient.SqlClient
  const kin = yield* sql<Named>`select id, tenant_id, name from dns_verifier.domain
    where tenant_id = ${domain.tenant_id} and (right(name, ${domain.name.length + 1}) = ${`.${domain.name}`}
    or right(${domain.name}, length(name) + 1) = '.' || name)
    order by length(name), id`
  for (const other of kin)
    yield* other.name.length > domain.name.length
      ? handOver(domain, other, platform)
      : handOver(other, domain, platform)
  return yield* ownedSets(domain.id)
})

const handOver = Effect.fnUntraced(function* (from: Named, to: Named, platform: PlatformAddresses) {
  const prefix = nameInZone(to.name, from.name)!
  const sets = (yield* ownedSets(from.id)).filter(({ name }) => isAtOrBelow(name, prefix))
  if (sets.length === 0) return
  const { sets: wanted } = desiredSetsOf(yield* desiredInputOf(from, platform, []))
  const theirs = yield* ownedSets(to.id)
  for (const set of sets) {
    const kept = common(set.type, set.contents, wanted.find((wish) => setKey(wish) === setKey(set))?.contents ?? [])
    const given = without(set.type, set.contents, kept)
    if (given.length === 0) continue
    const place = { type: set.type, name: nameInZone(set.name, prefix)! }
    yield* storeOwned(
      to,
      place,
      united(set.type, theirs.find((mine) => setKey(mine) === setKey(place))?.contents ?? [], given),
      set.ttl
    )
    yield* storeOwned(from, set, kept, set.ttl)
  }
})

/** Stores which contents of a set are ours; deletes the row when none is. */
export const storeOwned = Effect.fnUntraced(function* (
  domain: { readonly id: number; readonly tenant_id: number },
  place: { readonly type: string; readonly name: string },
  contents: ReadonlyArray<string>,
  ttl: number | null
) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  if (contents.length === 0)
    return yield* sql`delete from dns_verifier.owned_set
      where domain_id = ${domain.id} and type = ${place.type} and name = ${place.name}`
  yield* sql`insert into dns_verifier.owned_set (domain_id, tenant_id, type, name, contents, ttl)
    values (${domain.id}, ${domain.tenant_id}, ${place.type}, ${place.name}, ${pg.json(contents)}, ${ttl})
    on conflict (domain_id, type, name) do update
    set contents = excluded.contents, ttl = excluded.ttl, written_at = now()`
})
