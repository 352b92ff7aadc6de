/** Database access and users for the commands of the daemon provisioning. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { fail } from "#core/cli/Ending.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Events from "#core/events/Events.ts"
import * as Wake from "#core/events/Wake.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { provisioning } from "./Daemon.ts"
import { People } from "./people/Exports.ts"

/** Runs `use` in one transaction that sees every tenant. */
export const inTransaction = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(
    Effect.andThen(
      Migrations.run(provisioning.migrations),
      Effect.provide(transaction(use), Events.layer.pipe(Layer.provideMerge(Wake.layer)))
    )
  )

/** The user with this number or e-mail address. */
export const userNamed = Effect.fnUntraced(function* (which: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = /^\d{1,9}$/.test(which)
    ? [{ user_id: Number(which) }]
    : yield* sql<{ user_id: number }>`select user_id from provisioning.known_user
        where email = ${which.trim().toLowerCase()} and state <> 'deleted' order by user_id limit 1`
  const user = row === undefined ? undefined : yield* People.user(row.user_id)
  return user ?? (yield* fail(`there is no user ${which}; a user that was just created may take a second`))
})
