/** Opens and closes incidents. Other features report what they see; alerting decides who is told, when and how. */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import type { ConfigInvalid } from "#core/config/Environment.ts"
import type { Events } from "#core/events/Events.ts"
import type { StoredSettings } from "#core/settings/StoredSettings.ts"
import type { Wake } from "#core/events/Wake.ts"
import { atomically, isAway, type SqlClient } from "#core/sql/Sql.ts"
import { AlertDesk, alertDesk } from "./AlertDesk.ts"
import type { AlertReport } from "./Incident.ts"
import * as RecordChange from "./RecordChange.ts"

export type { AlertReport } from "./Incident.ts"

export class Alerts extends Context.Service<
  Alerts,
  {
    /**
     * Opens an incident when `failing` and none is open for `key`; closes the open one when not `failing`. Idempotent.
     * Joins the surrounding transaction, where there is one.
     */
    readonly report: (report: AlertReport) => Effect.Effect<void, SqlError.SqlError>
    /** The same while Postgres is away: people are told directly, and Postgres gets the incident when it is back. */
    readonly reportWithoutDatabase: (report: AlertReport) => Effect.Effect<void>
    /** `report`, and `reportWithoutDatabase` when Postgres is away. Call it outside of transactions. */
    readonly tell: (report: AlertReport) => Effect.Effect<void, SqlError.SqlError>
    /** Closes the open incident of a check that was removed. Joins the surrounding transaction. */
    readonly remove: (key: string, at: Date) => Effect.Effect<void, SqlError.SqlError>
  }
>()("signalbox/watchdog/Alerts") {}

type Needs = SqlClient.SqlClient | PgClient.PgClient | Events | Wake

const make = Effect.gen(function* () {
  const desk = yield* AlertDesk
  const services = yield* Effect.context<Needs>()
  const { second } = desk.settings
  // The surrounding transaction is in the caller's context, so the services are only added to it.
  const inTransaction = <A, E>(effect: Effect.Effect<A, E, Needs>): Effect.Effect<A, E | SqlError.SqlError> =>
    Effect.updateContext(atomically(effect), (current: Context.Context<never>) => Context.merge(services, current))
  const report = (found: AlertReport) => inTransaction(RecordChange.report(found, second))
  return Alerts.of({
    report,
    reportWithoutDatabase: desk.reportWithoutDatabase,
    tell: (found) =>
      Effect.catch(report(found), (error) => (isAway(error) ? desk.reportWithoutDatabase(found) : Effect.fail(error))),
    remove: (key, at) => inTransaction(RecordChange.remove(key, at))
  })
})

/** One instance a daemon: features that provide this constant share it. */
export const alerts: Layer.Layer<Alerts, ConfigInvalid, Needs | StoredSettings> = Layer.effect(Alerts, make).pipe(
  Layer.provide(alertDesk)
)
