/** Record sets of a domain that we wrote at its provider. Runs in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A set that we wrote, or wrote into. */
export interface OwnedSet {
  readonly type: string
  readonly name: string
  /** What of it is ours; see SetState.owned. */
  readonly contents: ReadonlyArray<string>
  /** Unit: seconds; as we asked for it. Null: it was left as it was. */
  readonly ttl: number | null
}

export const ownedSets = (domainId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<OwnedSet>`select type, name, contents, ttl from dns_verifier.owned_set
        where domain_id = ${domainId} order by name, type`
  )
