/** Refused sign-ins, codes and hand-overs: counted, and summed up in the audit log (core/log/RefusalLog). */
import type { PgClient } from "@effect/sql-pg"
import { Context, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { Database } from "#core/sql/Database.ts"
import * as RefusalLog from "#core/log/RefusalLog.ts"

/**
 * Kinds: `edge_sign_in`, `edge_code`, `edge_throttled`, `edge_handoff`. Entries do not name the account: looking it up
 * would take extra time, and that time would reveal whether the account exists.
 */
export class Refusals extends Context.Service<Refusals, RefusalLog.RefusalLog>()("signalbox/edge-auth/Refusals") {}

export const layer: Layer.Layer<Refusals, never, SqlClient.SqlClient | PgClient.PgClient | Database> = Layer.effect(
  Refusals,
  RefusalLog.make("edge-auth")
)
