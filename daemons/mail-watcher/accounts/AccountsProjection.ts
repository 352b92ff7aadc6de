/**
 * The accounts in memory, for those who read: a page of a list takes about as long as the four ways to the database and back that finding its
 * account in a transaction takes. A picture (core/Projection), so that what is taken from somebody is taken within a second. Whoever changes
 * something asks the database (AccountAccess).
 */
import { Context, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { Caller, type CallerInfo } from "#core/auth/Caller.ts"
import type { NotFound } from "#core/http/Problem.ts"
import * as Projection from "#core/lane/Projection.ts"
import type { Wake } from "#core/events/Wake.ts"
import { type Account, accountFields, accountTopic } from "./Account.ts"
import { type Named, chosen, namedBy } from "./AccountChoice.ts"
import { AccountIndex } from "./AccountIndex.ts"
import type { AccountNeeded } from "./Errors.ts"

/** How long a comparison may take. Unit: milliseconds. Reason: the first one reads 100,000 accounts on a busy machine in some seconds. */
const longest = 20_000

export class AccountsProjection extends Context.Service<
  AccountsProjection,
  {
    /** The account meant by `?account=` (AccountChoice). Fails with `NotFresh` when the database is away: then nobody can say whose it is. */
    readonly accountOf: (
      text: string | undefined
    ) => Effect.Effect<Account, NotFound | AccountNeeded | Projection.NotFresh, Caller>
    /** The same for the fast lane; undefined: not known without a look into the database. */
    readonly accountNow: (caller: CallerInfo, text: string | undefined) => Account | undefined
  }
>()("signalbox/mail-watcher/AccountBook") {}

type Row = Account & { readonly gone: boolean }

export const layer: Layer.Layer<AccountsProjection, never, SqlClient.SqlClient | Wake> = Layer.effect(
  AccountsProjection,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const index = new AccountIndex()
    const { ensure, fresh, refresh } = yield* Projection.make({
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
          // Before the first comparison there is nothing that could be gone.
          changed: (since) =>
            sql`select id from mail_watcher.account_deleted where ${since === undefined ? sql`false` : Projection.after(sql, since)}`,
          apply: (rows: ReadonlyArray<{ readonly id: number }>) => {
            for (const { id } of rows) index.remove(id)
          }
        }
      }
    })
    const find = (caller: CallerInfo, named: Named | undefined) =>
      chosen(
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
        const named = namedBy(text)
        yield* ensure
        const found = find(caller, named)
        if (Result.isSuccess(found)) return found.success
        // One that is not known may be a moment old.
        yield* refresh
        return yield* Effect.fromResult(find(caller, named))
      }),
      accountNow: (caller, text) => (fresh() ? Result.getOrUndefined(find(caller, namedBy(text))) : undefined)
    })
  })
)
