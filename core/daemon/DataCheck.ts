/**
 * A check of stored rows, run by `signalbox check`: rows that an earlier version accepted and the current rules refuse.
 * It reads only, and runs when the tables of its daemon are up to date.
 */
import type { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Finding } from "../cli/Finding.ts"

/** Reads rows of all tenants. */
export type ReadRows = <Row>(statement: string) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>

export type DataCheck<Config> = (
  read: ReadRows,
  config: Config
) => Effect.Effect<ReadonlyArray<Finding>, SqlError.SqlError>
