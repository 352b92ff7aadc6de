/** Account look-ups from memory give the same result as the database, at most a second after a change. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { Caller, type CallerInfo } from "#core/auth/Caller.ts"
import { accountOf } from "#daemons/mail-watcher/accounts/AccountAccess.ts"
import * as AccountsProjection from "#daemons/mail-watcher/accounts/AccountsProjection.ts"
import { goodFor } from "#core/lane/Projection.ts"
import * as Wake from "#core/events/Wake.ts"
import { newAccount, People } from "../people/People.ts"
import { holdsAfter, until } from "#support/Frame.ts"

const user = (tenantId: number, userId = tenantId * 10): CallerInfo => ({
  kind: "user",
  tenantId,
  userId,
  role: "member" as never,
  session: "s",
  permissions: new Set()
})
const platform: CallerInfo = { kind: "service", tokenId: 1, name: "t", scopes: new Set(["platform"]) }

/** Asks again for several seconds while the database does not confirm the accounts in time, as on busy cores. */
const outcome = <
  A extends { readonly id: number },
  E extends { readonly _tag: string; readonly detail?: string | undefined },
  R
>(
  asked: Effect.Effect<A, E, R>,
  caller: CallerInfo
) =>
  Effect.provideService(asked, Caller, caller).pipe(
    Effect.retry({ times: 5, while: ({ _tag }) => _tag === "NotFresh" }),
    Effect.result,
    Effect.map((result) => (Result.isSuccess(result) ? result.success : [result.failure._tag, result.failure.detail]))
  )

/** No notifications: the projection must learn of changes by comparison. */
const silent = Layer.succeed(
  Wake.Wake,
  Wake.Wake.of({ subscribe: () => Effect.succeed({ wait: () => Effect.never, ring: Effect.void }) } as never)
)

describe("accounts projection", () => {
  layer(People.layer, { excludeTestServices: true })((it) => {
    const within = <A, E>(
      test: (
        book: AccountsProjection.AccountsProjection["Service"],
        sql: SqlClient.SqlClient
      ) => Effect.Effect<A, E, any>
    ) =>
      Effect.gen(function* () {
        const { sql } = yield* People
        const run = Effect.flatMap(AccountsProjection.AccountsProjection, (book) => test(book, sql))
        return yield* run.pipe(
          Effect.provide(AccountsProjection.layer.pipe(Layer.provide(silent))),
          Effect.provideService(SqlClient.SqlClient, sql)
        )
      })

    it.effect(
      "finds the same account as the database",
      () =>
        within((book, sql) =>
          Effect.gen(function* () {
            yield* sql`insert into mail_watcher.account (tenant_id, user_id, address, kind, is_default) values
          (41, 410, 'one@book.test', 'own', false), (41, 410, 'two@book.test', 'own', true), (42, 420, 'three@book.test', 'own', false), (42, null, 'four@book.test', 'own', false)`
            yield* sql`insert into mail_watcher.account (tenant_id, user_id, address, kind, imap_host, imap_port, password) values
          (42, 420, 'one@book.test', 'foreign', 'h', 993, 'x'), (41, 410, 'five@book.test', 'foreign', 'h', 993, 'x'), (42, 420, 'five@book.test', 'foreign', 'h', 993, 'x')`
            yield* sql`insert into mail_watcher.account (tenant_id, user_id, address, kind, gone) values (41, 410, 'six@book.test', 'own', true)`
            const rows = yield* sql<{
              id: number
            }>`select id from mail_watcher.account where address like '%@book.test'`
            const names = [
              undefined,
              ...["one", "TWO", "three", "four", "five", "six", "none"].map((name) => `${name}@book.test`),
              "no address",
              "0",
              "999999999",
              ...rows.map(({ id }) => String(id))
            ]
            for (const caller of [platform, user(41), user(42), user(43), user(41, 420)]) {
              for (const name of names) {
                assert.deepStrictEqual(
                  yield* outcome(book.accountOf(name), caller),
                  yield* outcome(accountOf(name), caller),
                  `${name} of ${JSON.stringify(caller)}`
                )
              }
            }
            assert.deepStrictEqual(
              (yield* outcome(book.accountOf(undefined), user(41)) as any).address,
              "two@book.test"
            )
          })
        ),
      120_000
    )

    it.effect(
      "follows changes within a second without an announcement",
      () =>
        within((book, sql) =>
          Effect.gen(function* () {
            const { id } = yield* newAccount(yield* People, 44)
            const [owner] = yield* sql<{ user_id: number }>`select user_id from mail_watcher.account where id = ${id}`
            const [before, after] = [user(44, owner!.user_id), user(45, 451)]
            const has = (caller: CallerInfo) =>
              Effect.map(outcome(book.accountOf(String(id)), caller), (found) => !Array.isArray(found))
            const isGoneFor = (caller: CallerInfo) =>
              holdsAfter(
                1_000,
                "the account is gone",
                Effect.map(has(caller), (is) => !is)
              )
            assert.isTrue(yield* has(before))
            yield* sql`update mail_watcher.account set tenant_id = 45, user_id = 451 where id = ${id}`
            assert.isTrue(yield* has(after))
            yield* isGoneFor(before)
            yield* sql`delete from mail_watcher.account where id = ${id}`
            yield* isGoneFor(after)
            assert.isFalse(yield* has(platform))
          })
        ),
      120_000
    )

    it.effect(
      "answers without waiting only while fresh",
      () =>
        within((book, sql) =>
          Effect.gen(function* () {
            const { id } = yield* newAccount(yield* People, 46)
            const now = () => [platform, user(47)].map((caller) => book.accountNow(caller, String(id))?.id)
            assert.deepStrictEqual(now(), [undefined, undefined])
            let found: ReadonlyArray<number | undefined> = []
            // On busy cores the copy can be too old again before this test looks at it.
            yield* until(
              "it answers without waiting",
              Effect.map(outcome(book.accountOf(String(id)), platform), () => {
                found = now()
                return found[0] !== undefined
              })
            )
            assert.deepStrictEqual(found, [id, undefined])
            yield* sql`delete from mail_watcher.account where id = ${id}`
            yield* Effect.sleep(goodFor)
            assert.deepStrictEqual(now(), [undefined, undefined])
            // The comparison is complete by now.
            assert.isArray(yield* outcome(book.accountOf(String(id)), platform))
          })
        ),
      120_000
    )
  })
})
