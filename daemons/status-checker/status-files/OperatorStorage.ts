/**
 * Storage of the `signalbox status` commands: the database, with or without a running daemon, and the files that the
 * settings of this machine name.
 */
import { Effect, Layer } from "effect"
import { type CommandFailed, fail } from "#core/cli/Ending.ts"
import { problemText } from "#core/cli/Input.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Events from "#core/events/Events.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as Wake from "#core/events/Wake.ts"
import { tables } from "../status/Tables.ts"
import * as StatusFiles from "./StatusFiles.ts"

/** Runs `use` in one short transaction over the tables of the page; refusals become messages. */
export const withStatus = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(
    Effect.andThen(
      Migrations.run(tables),
      // The components of the database are read when the layer is built, after the migrations.
      transaction(inWords(use)).pipe(
        Effect.provide(Layer.mergeAll(Events.layer.pipe(Layer.provideMerge(Wake.layer)), StatusFiles.statusFiles))
      )
    )
  )

const inWords = <A, E, R>(use: Effect.Effect<A, E, R>): Effect.Effect<A, E | CommandFailed, R> =>
  Effect.catch(use, (error): Effect.Effect<never, E | CommandFailed> =>
    isRefusal(error) ? fail(sentence(error)) : Effect.fail(error)
  )

interface Refusal {
  readonly detail?: string
  readonly errors?: ReadonlyArray<{ readonly field: string; readonly message: string }>
}

const refusals = new Set([
  "InvalidRequest",
  "NotFound",
  "IdTaken",
  "NotPublished",
  "AlreadyPublished",
  "AlreadyResolved",
  "ChangedSince",
  "MaintenanceOver",
  "TooManyComponents"
])

const isRefusal = (error: unknown): error is Refusal =>
  refusals.has(String((error as { readonly _tag?: unknown } | undefined)?._tag))

const sentence = ({ detail, errors }: Refusal): string =>
  errors === undefined ? (detail ?? "refused") : problemText(errors)

/** List of the ids in `a, b`. */
export const idList = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "")

/** Problems of the files that the settings of this machine name. */
export const fileProblems = (files: StatusFiles.StatusFiles["Service"]): ReadonlyArray<string> =>
  Object.values(files.health()).flatMap(({ detail, status }) =>
    status === "ok" || status === "unconfigured" || detail === undefined ? [] : [detail]
  )
