/**
 * Records results of several jobs in one transaction with the completion of their claims. When that fails, each result
 * is recorded by itself, so a lost claim or an unrecordable result affects only its own job.
 */
import { Effect, Exit, type Scope } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as Batcher from "../sql/Batcher.ts"
import type { Database } from "../sql/Database.ts"
import { type ClaimedJob, type ClaimLost, Jobs } from "./Jobs.ts"
import { transaction } from "../sql/Sql.ts"

export interface WithJob {
  readonly job: ClaimedJob<unknown>
}

/**
 * `record` does the work of several jobs of one queue in the surrounding transaction; it returns the results in their
 * order.
 */
export const make = <Item extends WithJob, A, E, R>(
  record: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<A>, E, R>,
  options: Batcher.BatcherOptions
): Effect.Effect<
  (item: Item) => Effect.Effect<A, E | SqlError.SqlError | ClaimLost>,
  never,
  R | Jobs | SqlClient.SqlClient | Database | Scope.Scope
> =>
  Effect.gen(function* () {
    const { completeAll } = yield* Jobs
    const recorded = (items: ReadonlyArray<Item>) =>
      Effect.exit(
        transaction(Effect.andThen(completeAll(items.map(({ job }) => job)), record(items))).pipe(
          // The completion was rolled back too, so each job still has to be completed.
          Effect.onError(() => Effect.sync(() => items.forEach(({ job }) => (job.claim.completed = false))))
        )
      )
    return yield* Batcher.make(
      (items: ReadonlyArray<Item>) =>
        Effect.gen(function* () {
          const together = yield* recorded(items)
          if (Exit.isSuccess(together) || items.length === 1)
            return items.map((_, index) => Exit.map(together, (answers) => answers[index]!))
          return yield* Effect.forEach(items, (item) =>
            Effect.map(
              recorded([item]),
              Exit.map((answers) => answers[0]!)
            )
          )
        }),
      options
    )
  })
