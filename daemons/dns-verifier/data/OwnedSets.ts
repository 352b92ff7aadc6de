/** Record sets of a domain that we wrote at its provider. Runs in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const ownedSets = (domainId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<{
        readonly type: string
        readonly name: string
        readonly contents: ReadonlyArray<string>
      }>`select type, name, contents
      from dns_verifier.owned_set where domain_id = ${domainId} order by name, type`
  )
