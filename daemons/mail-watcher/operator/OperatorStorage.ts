/** Database and account of the commands about webmail. They need no running daemon. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Caller, operatorCaller } from "#core/auth/Caller.ts"
import { fail } from "#core/cli/Ending.ts"
import { inWords } from "#core/cli/Refusals.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { type Account, accountFields, chooseAccount, parseAccountQuery } from "../accounts/Exports.ts"
import { mailWatcher } from "../Daemon.ts"

/** The account of this address or id. The rules are those for service tokens. */
const meant = Effect.fnUntraced(function* (which: string) {
  const sql = yield* SqlClient.SqlClient
  const named = parseAccountQuery(which) ?? { address: "" }
  const found = yield* sql<Account>`select ${accountFields(sql)} from mail_watcher.account
    where not gone and ${"id" in named ? sql`id = ${named.id}` : sql`address = ${named.address}`}`
  if (found.length === 0) return yield* fail(`there is no mail account ${which}`)
  return yield* Effect.fromResult(chooseAccount(operatorCaller, named, found))
})

/** Runs `use` with the account, in one transaction as the operator of this machine. Refusals become sentences. */
export const withAccount = <A, E extends { readonly _tag: string }, R>(
  which: string,
  use: (account: Account) => Effect.Effect<A, E, R>
) =>
  withStorage(
    Effect.andThen(
      Migrations.run(mailWatcher.migrations),
      transaction(inWords(Effect.flatMap(meant(which), use)).pipe(Effect.provideService(Caller, operatorCaller)))
    )
  )
