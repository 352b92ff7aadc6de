/** Counts refused sign-ins and tokens, and writes suspected attacks to the audit log (core/log/RefusalLog.ts). */
import type { PgClient } from "@effect/sql-pg"
import { Context, Layer, Metric } from "effect"
import type { SqlClient } from "effect/sql"
import type { Database } from "#core/sql/Database.ts"
import * as RefusalLog from "#core/log/RefusalLog.ts"

const refused = Metric.counter("identity_refused_total", { description: "Refused sign-ins and tokens, by kind" })

export class AccessRefusals extends Context.Service<AccessRefusals, RefusalLog.RefusalLog>()(
  "signalbox/identity/AccessRefusals"
) {}

export const layer: Layer.Layer<AccessRefusals, never, SqlClient.SqlClient | PgClient.PgClient | Database> =
  Layer.effect(AccessRefusals, RefusalLog.make(refused, "kind"))
