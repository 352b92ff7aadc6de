/** Counts refused sign-ins and tokens, and writes suspected attacks to the audit log (core/log/RefusalLog.ts). */
import type { PgClient } from "@effect/sql-pg"
import { Context, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { Database } from "#core/sql/Database.ts"
import * as RefusalLog from "#core/log/RefusalLog.ts"

export class AccessRefusals extends Context.Service<AccessRefusals, RefusalLog.RefusalLog>()(
  "signalbox/identity/AccessRefusals"
) {}

export const layer: Layer.Layer<AccessRefusals, never, SqlClient.SqlClient | PgClient.PgClient | Database> =
  Layer.effect(AccessRefusals, RefusalLog.make("identity"))
