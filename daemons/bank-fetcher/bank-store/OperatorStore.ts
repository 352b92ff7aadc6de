/** Database access for commands of the daemon: one transaction as the platform role, which may emit events and jobs. */
import { Effect, Layer } from "effect"
import { fail } from "#core/cli/Ending.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Incarnation from "#core/cluster/Incarnation.ts"
import * as Events from "#core/events/Events.ts"
import * as Wake from "#core/events/Wake.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import * as Audit from "#core/log/Audit.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { bankFetcher } from "../Daemon.ts"

/** Author of changes by commands. */
export const operator = { actor: Audit.operator, address: undefined }

/** Reads the database of the daemon. */
export const reading = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(Effect.andThen(Migrations.run(bankFetcher.migrations), use)).pipe(Effect.mapError(told))

/** Changes the database of the daemon, in one transaction. `queues`: kinds of jobs that the change may send. */
export const changing = <A, E, R>(queues: ReadonlyArray<{ readonly queue: string }>, use: Effect.Effect<A, E, R>) => {
  const services = Layer.mergeAll(Events.layer, Jobs.layer(queues.map(({ queue }) => queue))).pipe(
    Layer.provideMerge(Incarnation.layer(["operator"])),
    Layer.provideMerge(Wake.layer)
  )
  return reading(Effect.provide(transaction(use), services))
}

/** A refusal of the API as a sentence for the operator; other errors unchanged. */
const told = <E>(error: E) => {
  const { code, detail, errors, reason, title } = error as Refusal
  if (typeof code !== "string" || typeof title !== "string") return error
  const more = errors?.map(({ field, message }) => `${field.replace(/^payload\.?/, "")} ${message}`.trim()).join("; ")
  return fail([title, more ?? detail ?? reason].filter((part) => part !== undefined).join(": "))
}

/** Fields of problem details (core/http/Problem.ts). */
interface Refusal {
  readonly code?: unknown
  readonly title?: unknown
  readonly detail?: string
  readonly reason?: string
  readonly errors?: ReadonlyArray<{ readonly field: string; readonly message: string }>
}
