/** The address book through the API. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { maxContacts } from "#daemons/mail-watcher/people/contacts/Store.ts"
import { owner, People } from "../People.ts"

const names = ({ json }: { readonly json: any }) => json.items.map(({ name }: { readonly name: string }) => name)

describe("contacts", () => {
  layer(People.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "can be created, changed and deleted",
      () =>
        Effect.gen(function* () {
          const { actions, make, send, suite } = yield* owner()
          const made = yield* make("contacts", {
            name: "Änne Müller",
            company: "Firm",
            emails: ["Anne@Müller.example", "anne@xn--mller-kva.example"],
            phones: ["+49 (170) 12/34", "+49 170"],
            websites: ["HTTPS://A.example"],
            messenger: "@anne_m",
            chat_app: "+49 170-123",
            note: "two\nlines"
          })
          const { created_at: _, id, updated_at: __, ...kept } = made
          assert.deepStrictEqual(kept, {
            name: "Änne Müller",
            company: "Firm",
            emails: ["anne@xn--mller-kva.example"],
            phones: ["+49 (170) 1234", "+49 170"],
            websites: ["https://a.example/"],
            messenger: "anne_m",
            chat_app: "+49170123",
            note: "two\nlines"
          })
          assert.deepStrictEqual((yield* send("GET", `contacts/${id}`)).json, made)
          const changed = yield* send("PUT", `contacts/${id}`, {
            emails: ["a@new.example"],
            messenger: null,
            company: ""
          })
          assert.deepInclude(changed.json, { ...kept, id, emails: ["a@new.example"], messenger: null, company: "" })
          const words = (address: string) =>
            Effect.map(send("GET", `webmail/contacts/search?q=${address}`), ({ json }) => json.items.length)
          assert.deepStrictEqual(yield* Effect.forEach(["a@new", "anne@xn", "firm", "muller"], words), [1, 0, 0, 1])
          assert.strictEqual((yield* send("DELETE", `contacts/${id}`)).status, 204)
          assert.deepStrictEqual(
            [(yield* send("DELETE", `contacts/${id}`)).status, (yield* send("GET", `contacts/${id}`)).status],
            [404, 404]
          )
          assert.deepStrictEqual(yield* suite.sql`select 1 from mail_watcher.contact_word where contact_id = ${id}`, [])
          assert.deepStrictEqual(yield* actions, [
            "mail_contact.created",
            "mail_contact.changed company,emails,messenger",
            "mail_contact.deleted"
          ])
        }),
      120_000
    )

    it.effect(
      "name the invalid field",
      () =>
        Effect.gen(function* () {
          const { send } = yield* owner()
          const refused = (body: object) =>
            Effect.map(
              send("POST", "contacts", { name: "n", ...body }),
              ({ json, status }) => `${status} ${json.errors?.[0]?.field}`
            )
          assert.strictEqual(yield* refused({ emails: ["a@b.example", "javascript:x@y"] }), "422 payload.emails[1]")
          assert.strictEqual(yield* refused({ emails: ["nobody"] }), "422 payload.emails[0]")
          assert.strictEqual(yield* refused({ phones: ["call me"] }), "422 payload.phones[0]")
          assert.strictEqual(yield* refused({ websites: ["javascript:alert(1)"] }), "422 payload.websites[0]")
          assert.strictEqual(yield* refused({ websites: ["a.example"] }), "422 payload.websites[0]")
          assert.strictEqual(yield* refused({ messenger: "https://other.example/x" }), "422 payload.messenger")
          assert.strictEqual(yield* refused({ chat_app: "1234" }), "422 payload.chat_app")
          assert.strictEqual(yield* refused({ note: "a\0b" }), "422 payload.note")
          assert.strictEqual(yield* refused({ name: "" }), "422 payload.name")
          assert.deepStrictEqual((yield* send("GET", "contacts")).json.items, [])
        }),
      120_000
    )

    it.effect(
      "are of one account, and of no other of the same tenant",
      () =>
        Effect.gen(function* () {
          const [one, other] = [yield* owner(), yield* owner()]
          const { id } = yield* one.make("contacts", { name: "n" })
          const calls = [["GET"], ["PUT", { name: "changed" }], ["DELETE"]] as const
          assert.deepStrictEqual(
            yield* Effect.forEach(calls, ([method, body]) =>
              Effect.map(other.send(method, `contacts/${id}`, body), ({ status }) => status)
            ),
            [404, 404, 404]
          )
          assert.deepInclude((yield* one.send("GET", `contacts/${id}`)).json, { id, name: "n" })
        }),
      120_000
    )

    it.effect(
      "are listed newest first and filtered by words",
      () =>
        Effect.gen(function* () {
          const { make, send } = yield* owner()
          const neighbour = yield* owner()
          yield* neighbour.make("contacts", { name: "Ann Neighbour" })
          for (const contact of [
            { name: "Ann Zoë", emails: ["ann@b.example"] },
            { name: "Bob", company: "Łódź GmbH" },
            { name: "Carl Ann", phones: ["+49 170 55"] }
          ])
            yield* make("contacts", contact)
          const first = yield* send("GET", "contacts/?limit=2")
          assert.deepStrictEqual(names(first), ["Carl Ann", "Bob"])
          assert.deepStrictEqual(names(yield* send("GET", `contacts?limit=2&before=${first.json.next_before}`)), [
            "Ann Zoë"
          ])
          const found = (q: string) => Effect.map(send("GET", `contacts?q=${encodeURIComponent(q)}`), names)
          assert.deepStrictEqual(
            yield* Effect.forEach(["ANN", "ann zoe", "lodz", "17055", "b.exam", "ann bob", "%"], found),
            [["Carl Ann", "Ann Zoë"], ["Ann Zoë"], ["Bob"], ["Carl Ann"], ["Ann Zoë"], [], []]
          )
        }),
      120_000
    )

    it.effect(
      "are limited in number and created once per Idempotency-Key",
      () =>
        Effect.gen(function* () {
          const { account, send, suite } = yield* owner()
          const twice = yield* Effect.forEach([1, 2], () =>
            send("POST", "contacts", { name: "n" }, { "idempotency-key": "k" })
          )
          assert.strictEqual(twice[0]!.json.id, twice[1]!.json.id)
          yield* suite.sql`insert into mail_watcher.contact (tenant_id, account_id, name, company, emails, phones, websites, note, folded)
          select 7, ${account.id}, 'n', '', '[]', '[]', '[]', '', '' from generate_series(2, ${maxContacts})`
          assert.deepInclude((yield* send("POST", "contacts", { name: "n" })).json, {
            status: 409,
            code: "limit_reached",
            limit: maxContacts
          })
        }),
      120_000
    )

    it.effect(
      "are exported and imported without duplicates",
      () =>
        Effect.gen(function* () {
          const { make, send, actions } = yield* owner()
          const other = yield* owner()
          for (let n = 0; n < 3; n++) {
            yield* make("contacts", {
              name: `Änne; ${n}, \\Müller`,
              company: "Firm; Ltd",
              emails: [`a${n}@b.example`, `c${n}@b.example`],
              phones: ["+49 170"],
              websites: ["https://a.example/x?y=1,2;3"],
              messenger: "anne_m",
              chat_app: "+49170123",
              note: "two\nlines, and; more"
            })
          }
          const { headers, text } = yield* send("GET", "contacts/export.vcf")
          assert.match(headers.get("content-type")!, /^text\/vcard/)
          assert.match(headers.get("content-disposition")!, /^attachment; filename="contacts.vcf"$/)
          const imported = (body: string, type = "text/vcard") =>
            other.send("POST", "contacts/import", body, { "content-type": type })
          assert.deepStrictEqual((yield* imported(text)).json, { imported: 3, skipped: 0 })
          assert.deepStrictEqual((yield* imported(text, "text/x-vcard; charset=utf-8")).json, {
            imported: 0,
            skipped: 3
          })
          const plain = ({ json }: { readonly json: any }) =>
            json.items
              .map((item: any) => ({ ...item, id: 0, created_at: "", updated_at: "" }))
              .sort((a: any, b: any) => (a.name < b.name ? -1 : 1))
          assert.deepStrictEqual(plain(yield* other.send("GET", "contacts")), plain(yield* send("GET", "contacts")))
          assert.strictEqual((yield* other.send("GET", "webmail/contacts/search?q=a1@b")).json.items.length, 1)
          assert.deepInclude((yield* imported("no card")).json, {
            status: 422,
            errors: [{ field: "payload", message: "must contain vCards" }]
          })
          assert.deepStrictEqual((yield* actions).length, 3)
          assert.deepStrictEqual(yield* other.actions, ["mail_contact.imported 3"])
        }),
      120_000
    )
  })
})
