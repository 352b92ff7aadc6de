/**
 * Accounts in memory, for reads. Finding an account in a transaction takes four round trips, as long as reading a page.
 * The projection (core/lane/Projection) is at most a second old. Changes read the account from the database
 * (AccountAccess).
 */
import { Context, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { Caller, type CallerInfo } from "#core/auth/Caller.ts"
import type { NotFound } from "#core/http/Problem.ts"
import * as Projection from "#core/lane/Projection.ts"
import type { Wake } from "#core/events/Wake.ts"
import { type Account, accountFields, accountTopic } from "./Account.ts"
import { type AccountName, chooseAccount, parseAccountQuery } from "./AccountChoice.ts"
import { AccountIndex } from "./AccountIndex.ts"
import type { AccountNeeded } from "./Errors.ts"

/**
 * Maximal duration of a refresh. Unit: milliseconds. Reason: the first one reads up to 100,000 accounts, some seconds
 * on a busy machine.
 */
const longest = 20_000

export class AccountsProjection extends Context.Service<
  AccountsProjection,
  {
    /**
     * The account that `?account=` names (AccountChoice). Fails with `NotFresh` while the database does not answer,
     * because ownership cannot be checked.
     */
    readonly accountOf: (
      text: string | undefined
    ) => Effect.Effect<Account, NotFound | AccountNeeded | Projection.NotFresh, Caller>
    /** Like `accountOf`, but without waiting, for the fast lane. Undefined: the answer needs the database. */
    readonly accountNow: (caller: CallerInfo, text: string | undefined) => Account | undefined
  }
>()("signalbox/mail-watcher/AccountBook") {}

type Row = Account & { readonly gone: boolean }

export const layer: Layer.Layer<AccountsProjection, never, SqlClient.SqlClient | Wake> = Layer.effect(
  AccountsProjection,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const index = new AccountIndex()
    const { ensureWhenBusy, fresh, refreshWhenBusy } = yield* Projection.make({
      name: "mail accounts",
      topic: accountTopic,
      longest,
      sources: {
        accounts: {
          changed: (since) =>
            sql`select ${accountFields(sql)}, gone from mail_watcher.account where ${Projection.after(sql, since)}`,
          apply: (rows: ReadonlyArray<Row>) => {
            for (const { gone, ...account } of rows) {
              if (gone) index.remove(account.id)
              else index.put(account)
            }
          }
        },
        deleted: {
          // The first refresh has nothing to remove.
          changed: (since) =>
            sql`select id from mail_watcher.account_deleted
              where ${since === undefined ? sql`false` : Projection.after(sql, since)}`,
          apply: (rows: ReadonlyArray<{ readonly id: number }>) => {
            for (const { id } of rows) index.remove(id)
          }
        }
      }
    })
    const find = (caller: CallerInfo, named: AccountName | undefined) =>
      chooseAccount(
        caller,
        named,
        caller.kind === "user"
          ? index.ofUser(caller.tenantId, caller.userId)
          : named === undefined
            ? []
            : index.named(named)
      )

    return AccountsProjection.of({
      accountOf: Effect.fnUntraced(function* (text) {
        const caller = yield* Caller
        const named = parseAccountQuery(text)
        yield* ensureWhenBusy
        const found = find(caller, named)
        if (Result.isSuccess(found)) return found.success
        // A missing account may have been created since the last refresh.
        yield* refreshWhenBusy
        return yield* Effect.fromResult(find(caller, named))
      }),
      accountNow: (caller, text) => (fresh() ? Result.getOrUndefined(find(caller, parseAccountQuery(text))) : undefined)
    })
  })
)
