/** Record sets of a domain that we wrote at its provider. Runs in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A record set that we wrote, completely or in part. */
export interface OwnedSet {
  readonly type: string
  readonly name: string
  /** Our part of the contents; see SetState.owned. */
  readonly contents: ReadonlyArray<string>
  /** The TTL that we requested. Unit: seconds. Null: we left the TTL unchanged. */
  readonly ttl: number | null
}

export const ownedSets = (domainId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<OwnedSet>`select type, name, contents, ttl from dns_verifier.owned_set
        where domain_id = ${domainId} order by name, type`
  )
