/** Database access for the commands of the daemon identity: migrates its schema and can publish events. */
import { Effect, Layer } from "effect"
import { type CommandFailed, fail } from "#core/cli/Ending.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Events from "#core/events/Events.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as Wake from "#core/events/Wake.ts"
import { identity } from "../Daemon.ts"

/** Runs `use` with the migrated database. */
export const withIdentity = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(
    Effect.andThen(
      Migrations.run(identity.migrations),
      Effect.provide(use, Events.layer.pipe(Layer.provideMerge(Wake.layer)))
    )
  )

/** Runs `use` in one transaction that sees every tenant; problems become error messages. */
export const inTransaction = <A, E, R>(use: Effect.Effect<A, E, R>) => withIdentity(failWithProblem(transaction(use)))

/** Turns a problem of an endpoint into an error message for the operator. */
const failWithProblem = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, Problem> | CommandFailed, R> =>
  Effect.mapError(effect, (error) =>
    isProblem(error) ? fail(`${error.title}. ${error.detail ?? ""}`.trim()) : (error as Exclude<E, Problem>)
  )

interface Problem {
  readonly code: string
  readonly status: number
  readonly title: string
  readonly detail?: string | undefined
}

const isProblem = (error: unknown): error is Problem =>
  typeof error === "object" && error !== null && "code" in error && "status" in error && "title" in error
