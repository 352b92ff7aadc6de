import { reseal } from "#core/config/SecretRotation.ts"
import { addKey, contextOf, layer, Secrets } from "#core/config/Secrets.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { PgClient } from "@effect/sql-pg"
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { join } from "node:path"

const sealed = { table: "vault.entry", id: "id", column: "secret" }
const count = 450

interface Row {
  readonly id: string
  readonly secret: string | null
}

const rows = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Row>`select id::text as id, secret from vault.entry order by id`
)

/** Checks that every secret opens to the text that was sealed for its row. */
const allOpen = Effect.gen(function* () {
  const secrets = yield* Secrets
  for (const row of yield* rows) {
    if (row.secret === null) continue
    expect(Redacted.value(yield* secrets.open(row.secret, contextOf(sealed, row.id)))).toBe(`secret of ${row.id}`)
  }
})

/** Creates a table with envelopes of a first key, and adds a second key. */
const withVault = <A, E>(
  use: (path: string) => Effect.Effect<A, E, SqlClient.SqlClient | PgClient.PgClient | Secrets>
) =>
  Effect.gen(function* () {
    const { target } = yield* freshDatabase
    const path = join(yield* temporaryDirectory(), "keys")
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      yield* sql`create schema vault`
      yield* sql`create table vault.entry (id int primary key, secret text)`
      for (let id = 1; id <= count; id++) {
        const envelope = yield* secrets.seal(Redacted.make(`secret of ${id}`), contextOf(sealed, String(id)))
        yield* sql`insert into vault.entry values (${id}, ${envelope})`
      }
      yield* sql`insert into vault.entry values (${count + 1}, null)`
      yield* addKey(path)
      yield* use(path)
    }).pipe(Effect.provide([PgClient.layer(toSqlPg(target)), layer(path)]))
  }).pipe(Effect.scoped)

it.live("reseals every envelope once, and a second run changes nothing", () =>
  withVault(() =>
    Effect.gen(function* () {
      const secrets = yield* Secrets
      expect(yield* reseal(sealed)).toEqual({ table: "vault.entry", column: "secret", resealed: count, unreadable: [] })
      yield* allOpen
      for (const row of yield* rows) if (row.secret !== null) expect(yield* secrets.isCurrent(row.secret)).toBe(true)
      const before = yield* rows
      expect((yield* reseal(sealed)).resealed).toBe(0)
      expect(yield* rows).toEqual(before)
    })
  )
)

it.live("loses nothing when interrupted, and continues afterwards", () =>
  withVault(() =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const key = yield* (yield* Secrets).currentKey
      const done = sql<{
        n: number
      }>`select count(*)::int as n from vault.entry where starts_with(secret, ${`sbx1.${key}.`})`
      // Aborts the sweep at one row, like a kill or a lost connection. Earlier rows are committed, later ones
      // untouched.
      yield* sql`create function vault.stop() returns trigger language plpgsql as $$ begin raise 'killed'; end $$`
      yield* sql`create trigger stop before update on vault.entry for each row when (old.id = 300) execute function vault.stop()`
      yield* Effect.flip(reseal(sealed))
      yield* sql`drop trigger stop on vault.entry`
      expect((yield* done)[0]!.n).toBe(299)
      yield* allOpen
      expect((yield* reseal(sealed)).resealed).toBe(count - 299)
      yield* allOpen
    })
  )
)

it.live("keeps and reports envelopes that no key opens", () =>
  withVault(() =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`update vault.entry set secret = 'not an envelope' where id = 7`
      yield* sql`update vault.entry set secret = (select secret from vault.entry where id = 1) where id = 9`
      const rotated = yield* reseal(sealed)
      expect(rotated.resealed).toBe(count - 2)
      expect(rotated.unreadable.map((row) => row.id)).toEqual(["7", "9"])
      const [row] = yield* sql<Row>`select secret from vault.entry where id = 7`
      expect(row!.secret).toBe("not an envelope")
    })
  )
)
