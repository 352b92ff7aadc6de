/** Finds a request's account in the database. The query checks ownership, and row-level security checks it again. */
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Caller, inScope } from "#core/auth/Caller.ts"
import type { NotFound } from "#core/http/Problem.ts"
import { maxAddress } from "#protocols/mail-address/EmailAddress.ts"
import { type Account, accountFields } from "./Account.ts"
import { chooseAccount, parseAccountQuery } from "./AccountChoice.ts"
import type { AccountNeeded } from "./Errors.ts"
import { ownedBy } from "./Store.ts"

/** Query field that names the account. */
export const accountQuery = {
  account: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2 * maxAddress)))
}

/** Current row of the account that `?account=` names by address or id. Rules: AccountChoice. */
export const accountOf = (
  text: string | undefined
): Effect.Effect<Account, NotFound | AccountNeeded | SqlError.SqlError, Caller | SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const caller = yield* Caller
    const sql = yield* SqlClient.SqlClient
    const named = parseAccountQuery(text)
    const condition =
      named === undefined
        ? sql`${caller.kind === "user"}`
        : "id" in named
          ? sql`id = ${named.id}`
          : sql`address = ${named.address}`
    const found = yield* inScope(
      sql<Account>`select ${accountFields(sql)} from mail_watcher.account where not gone and ${ownedBy(sql, caller)}
        and ${condition}`
    )
    return yield* Effect.fromResult(chooseAccount(caller, named, found))
  })
