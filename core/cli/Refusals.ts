/**
 * Refusals of changes in words for the terminal. Commands share the functions that endpoints use, and so their
 * refusals.
 */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { type CommandFailed, fail } from "./Ending.ts"

interface Refusal {
  readonly _tag: string
  readonly detail?: unknown
  readonly errors?: ReadonlyArray<{ readonly field: string; readonly message: string }>
}

/** A refusal of the API as one line. Pure. */
export const sentence = (refusal: Refusal): string =>
  refusal.errors === undefined
    ? String(refusal.detail ?? refusal._tag)
    : refusal.errors.map(({ field, message }) => `${field.replace("payload.", "")} ${message}`).join("; ")

/** Ends the command with a sentence when `effect` is refused. Failures of the database stay. */
export const inWords = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, SqlError.SqlError | CommandFailed, R> =>
  Effect.catch(effect, (error): Effect.Effect<never, SqlError.SqlError | CommandFailed> =>
    error._tag === "SqlError" || error._tag === "CommandFailed"
      ? Effect.fail(error as unknown as SqlError.SqlError | CommandFailed)
      : fail(sentence(error))
  )
