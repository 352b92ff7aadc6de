/** Search for people by typed text, in contacts and recent recipients, with the same speed in a full address book. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { fold } from "#daemons/mail-watcher/people/contacts/Folding.ts"
import { note, type Recipient } from "#daemons/mail-watcher/people/contacts/RecentRecipients.ts"
import { owner, People } from "../People.ts"

const searcher = Effect.gen(function* () {
  const made = yield* owner()
  const noted = (...recipients: ReadonlyArray<Recipient>) =>
    Effect.provideService(tenantTransaction(7, note(made.account, recipients)), SqlClient.SqlClient, made.suite.sql)
  const search = (q: string, more = "") =>
    Effect.map(made.send("GET", `webmail/contacts/search?q=${encodeURIComponent(q)}${more}`), ({ json, status }) =>
      status === 200
        ? (json.items as ReadonlyArray<{ readonly name: string; readonly address: string; readonly source: string }>)
        : []
    )
  return {
    ...made,
    noted,
    search,
    addresses: (q: string, more?: string) => Effect.map(search(q, more), (found) => found.map(({ address }) => address))
  }
})

describe("people", () => {
  layer(People.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "are found by name, company and address",
      () =>
        Effect.gen(function* () {
          const { addresses, make, noted, search } = yield* searcher
          yield* make("contacts", {
            name: "Änne-Marie Øst",
            company: "Große Firma",
            emails: ["am@b.example", "anne@müller.example"]
          })
          yield* make("contacts", { name: "Without Address", phones: ["12345"] })
          yield* noted({ address: "zoe@b.example", name: "Zoë Anner" })
          const both = ["am@b.example", "anne@xn--mller-kva.example"]
          for (const q of ["änne", "ANNE-M", "marie", "ost", "GROSSE", "firma anne", "rie"])
            assert.sameMembers(
              (yield* addresses(q)).filter((found) => found !== "zoe@b.example"),
              both,
              q
            )
          assert.deepStrictEqual(yield* addresses("müller"), [both[1]])
          assert.deepStrictEqual(yield* search("zoe"), [
            { name: "Zoë Anner", address: "zoe@b.example", source: "recent" }
          ])
          for (const q of ["without", "%", "_", "anne xyz", "\\"]) assert.deepStrictEqual(yield* addresses(q), [], q)
          const neighbour = yield* searcher
          assert.deepStrictEqual(yield* neighbour.addresses("anne"), [])
        }),
      120_000
    )

    it.effect(
      "are unique and ranked by use",
      () =>
        Effect.gen(function* () {
          const { addresses, make, noted, search } = yield* searcher
          for (const name of ["aa", "ab", "ac", "ad"])
            yield* make("contacts", { name: `Book ${name}`, emails: [`${name}@b.example`] })
          yield* noted({ address: "ad@b.example", name: "Recently" }, { address: "az@b.example", name: "Az" })
          yield* noted({ address: "ad@b.example" })
          assert.deepStrictEqual(yield* search("a", "&limit=3"), [
            { name: "Book ad", address: "ad@b.example", source: "address_book" },
            { name: "Az", address: "az@b.example", source: "recent" },
            { name: "Book aa", address: "aa@b.example", source: "address_book" }
          ])
          assert.deepStrictEqual(yield* addresses("recently"), ["ad@b.example"])
          // A contact found only by its name still ranks by the use of its address.
          yield* make("contacts", { name: "Mother A", emails: ["one@c.example"] })
          yield* make("contacts", { name: "Mother Z", emails: ["two@c.example"] })
          yield* noted({ address: "two@c.example" })
          assert.deepStrictEqual(yield* addresses("mother"), ["two@c.example", "one@c.example"])
          assert.strictEqual((yield* addresses("b.ex", "&limit=50")).length, 5)
          // A limit above the maximum is lowered to the maximum, so all seven are found.
          assert.strictEqual((yield* addresses("a", "&limit=51")).length, 7)
        }),
      120_000
    )

    it.effect(
      "are found by the index behind row-level security",
      () =>
        Effect.gen(function* () {
          const {
            account,
            addresses,
            suite: { sql }
          } = yield* searcher
          yield* sql`insert into mail_watcher.contact (tenant_id, account_id, name, company, emails, phones, websites, note, folded)
          select 7, ${account.id}, 'P' || n, '', '[]', '[]', '[]', '', '' from generate_series(1, 20000) n`
          yield* sql`insert into mail_watcher.contact_email (tenant_id, account_id, contact_id, address, name, folded)
          select 7, account_id, id, md5(name) || '@b.example', name, lower(name) || ' ' || md5(name) || '@b.example' from mail_watcher.contact where account_id = ${account.id}`
          yield* sql`insert into mail_watcher.contact_word (tenant_id, account_id, contact_id, word)
          select 7, account_id, id, unnest(array[lower(name), md5(name), md5(name) || '@b.example', 'example']) from mail_watcher.contact where account_id = ${account.id}`
          yield* sql`analyze mail_watcher.contact_word, mail_watcher.contact_email, mail_watcher.contact`
          assert.strictEqual((yield* addresses("p1999", "&limit=50")).length, 11)
          // Matches inside words, among the newest entries.
          assert.isAbove((yield* addresses("999", "&limit=50")).length, 10)
          assert.strictEqual((yield* addresses("p1999 example", "&limit=50")).length, 11)
          const plan = yield* Effect.provideService(
            tenantTransaction(
              7,
              sql<{ "QUERY PLAN": string }>`explain analyze select e.address from mail_watcher.contact_word w
            join mail_watcher.contact_email e on e.contact_id = w.contact_id
            where w.account_id = ${account.id} and w.word >= 'p1999' and w.word < ${"p1999\u{10ffff}"} and strpos(e.folded, 'p1999') > 0 order by w.word limit 100`
            ),
            SqlClient.SqlClient,
            sql
          )
          const text = plan.map((row) => row["QUERY PLAN"]).join("\n")
          assert.match(text, /Index (?:Only )?Scan using contact_word_pkey.*\n(?:.*\n)*?.*Index Cond: .*word >= /)
          assert.notMatch(text, /Seq Scan/)
        }),
      120_000
    )
  })
})

describe("folding", () => {
  layer(People.layer, { excludeTestServices: true })((it) =>
    it.effect("is idempotent", () =>
      Effect.sync(() => {
        for (const text of ["Ägir", "İstanbul", "ﬁsh", "STRASSE ẞ ß", "a\u0308\u200bb", "Ⅷ", "ŁÓDŹ Ðæøþħı"])
          assert.strictEqual(fold(fold(text)), fold(text), text)
        assert.strictEqual(fold("ŁÓDŹ  Ðæøþħı ẞ"), "lodz daeothhi ss")
      })
    )
  )
})
