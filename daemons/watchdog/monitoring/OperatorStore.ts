/** Database access for `signalbox monitor`: the tables of the daemon, and changes that close alerts. */
import { Effect, Layer } from "effect"
import { fail } from "#core/cli/Ending.ts"
import { operatorSettings } from "#core/cli/OperatorSettings.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Incarnation from "#core/cluster/Incarnation.ts"
import * as Events from "#core/events/Events.ts"
import * as Wake from "#core/events/Wake.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { alerts, alertSettings } from "../alerting/Exports.ts"
import { watchdog } from "../Daemon.ts"

/** Reads the database of the daemon. */
export const reading = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(Effect.andThen(Migrations.run(watchdog.migrations), use)).pipe(Effect.mapError(told))

/** Changes the database of the daemon, in one transaction. */
export const changing = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  reading(
    Effect.provide(
      transaction(use),
      alerts.pipe(
        Layer.provide(operatorSettings(alertSettings)),
        Layer.provideMerge(Events.layer),
        Layer.provideMerge(Incarnation.layer(["operator"])),
        Layer.provideMerge(Wake.layer)
      )
    )
  )

/** A refusal of the API as a sentence for the operator; other errors unchanged. */
const told = <E>(error: E) => {
  const { code, detail, errors, title } = error as Refusal
  if (typeof code !== "string" || typeof title !== "string") return error
  const more = errors?.map(({ field, message }) => `${field.replace(/^payload\.?/, "")} ${message}`.trim()).join("; ")
  return fail([title, more ?? detail].filter((part) => part !== undefined).join(": "))
}

/** Fields of problem details (core/http/Problem.ts). */
interface Refusal {
  readonly code?: unknown
  readonly title?: unknown
  readonly detail?: string
  readonly errors?: ReadonlyArray<{ readonly field: string; readonly message: string }>
}
