/** Row-level security separates tenants in every table about people. Rows are deleted with their account. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { newAccount, People } from "../People.ts"

const tables = ["contact", "contact_email", "contact_word", "recent_recipient", "signature", "signature_rule"]

describe("tables of people", () => {
  layer(People.layer, { excludeTestServices: true })((it) => {
    it.effect("have row-level security", () =>
      Effect.gen(function* () {
        const { sql } = yield* People
        const found = yield* sql<{
          name: string
        }>`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = 'mail_watcher' and c.relrowsecurity and c.relforcerowsecurity and ${sql.in("c.relname", tables)} order by 1`
        assert.deepStrictEqual(
          found.map(({ name }) => name),
          tables
        )
      })
    )

    it.effect("lose the rows of a deleted account", () =>
      Effect.gen(function* () {
        const { sql } = yield* People
        const { id } = yield* newAccount(yield* People, 7)
        yield* sql`insert into mail_watcher.signature (id, tenant_id, account_id, name, html) overriding system value values (800001, 7, ${id}, 'n', '')`
        yield* sql`insert into mail_watcher.signature_rule (tenant_id, account_id, signature_id, match_type, match_value, position) values (7, ${id}, 800001, 'domain', 'b.test', 0)`
        yield* sql`insert into mail_watcher.contact (id, tenant_id, account_id, name, company, emails, phones, websites, note, folded)
          values (800001, 7, ${id}, 'n', '', '[]', '[]', '[]', '', '')`
        yield* sql`insert into mail_watcher.contact_email (tenant_id, account_id, contact_id, address, name, folded) values (7, ${id}, 800001, 'a@b.test', 'n', '')`
        yield* sql`insert into mail_watcher.contact_word (tenant_id, account_id, contact_id, word) values (7, ${id}, 800001, 'n')`
        yield* sql`insert into mail_watcher.recent_recipient (tenant_id, account_id, address, folded) values (7, ${id}, 'a@b.test', '')`
        const counts = Effect.forEach(tables, (table) =>
          Effect.map(sql`select 1 from ${sql(`mail_watcher.${table}`)} limit 1`, ({ length }) => length)
        )
        assert.deepStrictEqual(
          yield* counts,
          tables.map(() => 1)
        )
        yield* sql`delete from mail_watcher.account where id = ${id}`
        assert.deepStrictEqual(
          yield* counts,
          tables.map(() => 0)
        )
      })
    )
  })
})
