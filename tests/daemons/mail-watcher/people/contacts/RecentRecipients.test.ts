/** Recipients of an account are stored once each, up to a limit. */
import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { maxNoted, maxRecent, note, type Recipient } from "#daemons/mail-watcher/people/contacts/RecentRecipients.ts"
import { newAccount, People } from "../People.ts"

const rows = Effect.fnUntraced(function* (account: number) {
  const { sql } = yield* People
  return yield* sql<{ address: string; name: string; uses: number; folded: string }>`select address, name, uses, folded
    from mail_watcher.recent_recipient where account_id = ${account} order by address`
})

/** Stores recipients like the sending code: in a transaction of the account's tenant. */
const noted = (account: { readonly id: number; readonly tenant_id: number }, recipients: ReadonlyArray<Recipient>) =>
  Effect.flatMap(People, ({ sql }) =>
    Effect.provideService(tenantTransaction(account.tenant_id, note(account, recipients)), SqlClient.SqlClient, sql)
  )

describe("recent recipients", () => {
  layer(People.layer, { excludeTestServices: true })((it) => {
    it.effect("are counted by normalised address and keep their name", () =>
      Effect.gen(function* () {
        const account = yield* newAccount(yield* People, 7)
        yield* noted(account, [
          { address: "Ann@Müller.example", name: "Ann Müller" },
          { address: "ann@müller.example" },
          { address: "nobody" }
        ])
        yield* noted(account, [
          { address: "ann@xn--mller-kva.example" },
          { address: "bob@b.example", name: "bob@b.example" }
        ])
        const found = {
          address: "ann@xn--mller-kva.example",
          name: "Ann Müller",
          uses: 2,
          folded: "ann muller ann@xn--mller-kva.example muller.example"
        }
        assert.deepStrictEqual(yield* rows(account.id), [
          found,
          { address: "bob@b.example", name: "", uses: 1, folded: "bob@b.example" }
        ])
        yield* noted(account, [{ address: found.address, name: "Änne\r\nM." }])
        assert.deepInclude((yield* rows(account.id))[0]!, {
          name: "Änne M.",
          uses: 3,
          folded: "anne m. ann@xn--mller-kva.example muller.example"
        })
      })
    )

    it.effect("drop the oldest beyond the limit", () =>
      Effect.gen(function* () {
        const { sql } = yield* People
        const account = yield* newAccount(yield* People, 7)
        const neighbour = yield* newAccount(yield* People, 7)
        for (const { id } of [account, neighbour]) {
          yield* sql`insert into mail_watcher.recent_recipient (tenant_id, account_id, address, folded, last_used_at)
            select 7, ${id}, 'a' || n || '@old.example', '', now() - make_interval(mins => n) from generate_series(1, ${maxRecent}) n`
        }
        yield* noted(account, [{ address: "new@b.example" }, { address: "a5@old.example" }])
        const found = yield* rows(account.id)
        assert.strictEqual(found.length, maxRecent)
        assert.deepStrictEqual(
          found.filter(({ address }) =>
            [`a${maxRecent}@old.example`, `a${maxRecent - 1}@old.example`, "new@b.example"].includes(address)
          ).length,
          2
        )
        assert.strictEqual((yield* rows(neighbour.id)).length, maxRecent)
        yield* noted(
          neighbour,
          Array.from({ length: maxNoted + 1 }, (_, n) => ({ address: `x${n}@many.example` }))
        )
        assert.strictEqual(
          (yield* rows(neighbour.id)).filter(({ address }) => address.endsWith("@many.example")).length,
          maxNoted
        )
      })
    )

    it.effect(
      "are recorded by concurrent mails without deadlock",
      () =>
        Effect.gen(function* () {
          const { sql } = yield* People
          const account = yield* newAccount(yield* People, 7)
          const [ann, bob] = [{ address: "ann@b.example" }, { address: "bob@b.example" }]
          const begun = yield* Deferred.make<void>()
          const second = yield* Effect.forkChild(Effect.andThen(Deferred.await(begun), noted(account, [bob, ann])))
          const waits = sql`select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`
          const first = Effect.gen(function* () {
            yield* note(account, [ann])
            yield* Deferred.succeed(begun, undefined)
            yield* Effect.repeat(waits, { until: (found) => found.length > 0 })
            yield* note(account, [bob])
          })
          yield* Effect.provideService(tenantTransaction(7, first), SqlClient.SqlClient, sql)
          yield* Fiber.join(second)
          assert.deepStrictEqual(
            (yield* rows(account.id)).map(({ uses }) => uses),
            [2, 2]
          )
        }),
      120_000
    )

    it.effect("are rolled back with their transaction", () =>
      Effect.gen(function* () {
        const account = yield* newAccount(yield* People, 7)
        const { sql } = yield* People
        yield* Effect.ignore(
          Effect.provideService(
            tenantTransaction(
              7,
              Effect.andThen(note(account, [{ address: "ann@b.example" }]), Effect.fail("changed their mind"))
            ),
            SqlClient.SqlClient,
            sql
          )
        )
        assert.deepStrictEqual(yield* rows(account.id), [])
        yield* Effect.provideService(note(account, [{ address: "ann@b.example" }]), SqlClient.SqlClient, sql)
        assert.strictEqual((yield* rows(account.id)).length, 1)
      })
    )
  })
})
