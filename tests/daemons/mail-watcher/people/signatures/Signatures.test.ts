/** Signatures through the API: sanitised, one default, and the right one for a recipient. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { maxSignatures } from "#daemons/mail-watcher/people/signatures/Store.ts"
import { maxHtml } from "#daemons/mail-watcher/people/signatures/SignatureHtml.ts"
import { owner, People } from "../People.ts"

/** The owner of an account, with calls about signatures. */
const signer = Effect.fnUntraced(function* (tenant = 7) {
  const made = yield* owner(tenant)
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    made.send(method, `signatures${path}`, body, headers)
  const match = (to: string) =>
    Effect.map(send("GET", `/match?to=${encodeURIComponent(to)}`), ({ json, status }) =>
      status === 200 ? json.name : status
    )
  return {
    ...made,
    send,
    match,
    make: (body: object) => made.make("signatures/", { name: "n", html: "<p>x</p>", ...body })
  }
})

describe("signatures", () => {
  layer(People.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "can be created, read, changed and deleted",
      () =>
        Effect.gen(function* () {
          const { actions, make, send } = yield* signer()
          const made = yield* make({
            name: "Work",
            html: '<p onclick=x()>Ann<script>x()</script></p><img src="https://a.example/l.png">',
            rules: [
              { match_type: "domain", match_value: "B.example" },
              { match_type: "domain", match_value: "b.example." }
            ]
          })
          assert.deepInclude(made, {
            name: "Work",
            html: '<p>Ann</p><img src="https://a.example/l.png" />',
            is_default: false,
            rules: [{ match_type: "domain", match_value: "b.example" }]
          } as object)
          for (const path of ["", "/"])
            assert.deepStrictEqual((yield* send("GET", path)).json, { items: [made], next_before: null })
          assert.deepStrictEqual((yield* send("GET", `/${made.id}`)).json, made)
          assert.strictEqual((yield* send("POST", "", { name: "second", html: "" })).status, 201)
          const changed = yield* send("PUT", `/${made.id}`, {
            name: "New",
            rules: [{ match_type: "address", match_value: "Bob@b.example" }]
          })
          assert.deepInclude(changed.json, {
            id: made.id,
            name: "New",
            html: '<p>Ann</p><img src="https://a.example/l.png" />',
            rules: [{ match_type: "address", match_value: "bob@b.example" }]
          })
          assert.deepInclude((yield* send("PUT", `/${made.id}`, { html: "<b>bold</b><style>p{}</style>" })).json, {
            name: "New",
            html: "<b>bold</b>"
          })
          assert.strictEqual((yield* send("DELETE", `/${made.id}`)).status, 204)
          assert.strictEqual((yield* send("DELETE", `/${made.id}`)).status, 404)
          assert.strictEqual((yield* send("GET", `/${made.id}`)).status, 404)
          assert.deepStrictEqual(yield* actions, [
            "mail_signature.created",
            "mail_signature.created",
            "mail_signature.changed name,rules",
            "mail_signature.changed html",
            "mail_signature.deleted"
          ])
        }),
      120_000
    )

    it.effect(
      "are chosen by the most specific rule, else the default",
      () =>
        Effect.gen(function* () {
          const { make, match, send } = yield* signer()
          const domain = (match_value: string) => ({ rules: [{ match_type: "domain", match_value }] })
          assert.strictEqual(yield* match("x@b.example"), 404)
          yield* make({ name: "short", ...domain("*.example") })
          yield* make({ name: "long", ...domain("*.b.example") })
          yield* make({ name: "exact", ...domain("b.example") })
          yield* make({ name: "idn", ...domain("Bücher.example") })
          const { id } = yield* make({ name: "ann", rules: [{ match_type: "address", match_value: "ann@b.example" }] })
          assert.strictEqual(yield* match("x@other.test"), 404)
          yield* make({ name: "rest", is_default: true })
          const chosen = yield* Effect.forEach(
            [
              "ANN@b.example",
              "bob@B.EXAMPLE",
              "x@a.b.example",
              "x@deep.a.b.example",
              "x@c.example",
              "x@xn--bcher-kva.example",
              "x@other.test",
              "x@example"
            ],
            match
          )
          assert.deepStrictEqual(chosen, ["ann", "exact", "long", "long", "short", "idn", "rest", "rest"])
          yield* send("DELETE", `/${id}`)
          assert.strictEqual(yield* match("ann@b.example"), "exact")
        }),
      120_000
    )

    it.effect(
      "have one default under concurrent changes",
      () =>
        Effect.gen(function* () {
          const { make, send } = yield* signer()
          const neighbour = yield* signer()
          yield* neighbour.make({ name: "neighbour's", is_default: true })
          const defaults = Effect.map(send("GET", "/"), ({ json }) =>
            json.items.filter((item: any) => item.is_default).map(({ id }: any) => id)
          )
          const first = yield* make({ is_default: true })
          const second = yield* make({ is_default: true })
          assert.deepStrictEqual(yield* defaults, [second.id])
          yield* send("PUT", `/${first.id}`, { is_default: true })
          assert.deepStrictEqual(yield* defaults, [first.id])
          const made = yield* Effect.forEach(
            Array.from({ length: 8 }),
            () => send("POST", "/", { name: "n", html: "", is_default: true }),
            { concurrency: 8 }
          )
          assert.deepStrictEqual(
            made.map(({ status }) => status),
            Array.from(made, () => 201)
          )
          assert.strictEqual((yield* defaults).length, 1)
          yield* send("PUT", `/${(yield* defaults)[0]}`, { is_default: false })
          assert.deepStrictEqual(yield* defaults, [])
          assert.strictEqual(yield* neighbour.match("x@b.example"), "neighbour's")
        }),
      120_000
    )

    it.effect(
      "are of one account, and of no other of the same tenant",
      () =>
        Effect.gen(function* () {
          const [one, other] = [yield* owner(), yield* owner()]
          const { id } = yield* one.make("signatures", { name: "n", html: "" })
          const calls = [["GET"], ["PUT", { name: "changed" }], ["DELETE"]] as const
          assert.deepStrictEqual(
            yield* Effect.forEach(calls, ([method, body]) =>
              Effect.map(other.send(method, `signatures/${id}`, body), ({ status }) => status)
            ),
            [404, 404, 404]
          )
          assert.deepInclude((yield* one.send("GET", `signatures/${id}`)).json, { id, name: "n" })
        }),
      120_000
    )

    it.effect(
      "share no rule",
      () =>
        Effect.gen(function* () {
          const { make, send } = yield* signer()
          const rules = [{ match_type: "domain", match_value: "b.example" }]
          const first = yield* make({ rules })
          const refused = yield* send("POST", "/", {
            name: "n",
            html: "",
            is_default: true,
            rules: [{ match_type: "domain", match_value: "c.example" }, ...rules]
          })
          assert.deepInclude(refused.json, {
            status: 409,
            code: "signature_rule_taken",
            signature_id: first.id,
            match_value: "b.example"
          })
          assert.strictEqual((yield* send("GET", "/")).json.items.length, 1)
          assert.strictEqual((yield* send("PUT", `/${first.id}`, { rules })).status, 200)
          yield* Effect.flatMap(signer(), (other) => other.make({ rules }))
          yield* send("PUT", `/${first.id}`, { rules: [] })
          yield* make({ rules })
        }),
      120_000
    )

    it.effect(
      "name the invalid field and are limited in number",
      () =>
        Effect.gen(function* () {
          const { account, match, send, suite } = yield* signer()
          const fields = (body: object) =>
            Effect.map(send("POST", "/", { name: "n", html: "", ...body }), ({ json, status }) => [
              status,
              ...(json.errors ?? []).map(({ field }: any) => field)
            ])
          const rule = (match_type: string, match_value: string) => ({ rules: [{ match_type, match_value }] })
          assert.deepStrictEqual(yield* fields(rule("domain", "a b")), [422, "payload.rules[0].match_value"])
          assert.deepStrictEqual(yield* fields(rule("address", "b.example")), [422, "payload.rules[0].match_value"])
          assert.deepStrictEqual(yield* fields(rule("subject", "b.example")), [422, "payload.rules[0].match_type"])
          assert.deepStrictEqual(yield* fields({ html: "x".repeat(maxHtml + 1) }), [422, "payload.html"])
          assert.deepStrictEqual(yield* fields({ html: "&".repeat(maxHtml / 4) }), [422, "payload.html"])
          assert.deepStrictEqual(yield* fields({ html: "<b>".repeat(3000) }), [422, "payload.html"])
          assert.strictEqual((yield* send("PUT", "/1", {})).status, 422)
          assert.strictEqual(yield* match("nobody"), 422)
          const { sql } = suite
          yield* sql`insert into mail_watcher.signature (tenant_id, account_id, name, html)
          select 7, ${account.id}, 'n', '' from generate_series(1, ${maxSignatures})`
          assert.deepInclude((yield* send("POST", "/", { name: "n", html: "" })).json, {
            status: 409,
            code: "limit_reached",
            limit: maxSignatures
          })
        }),
      120_000
    )

    it.effect(
      "are created once per Idempotency-Key",
      () =>
        Effect.gen(function* () {
          const { send } = yield* signer()
          const twice = yield* Effect.forEach([1, 2], () =>
            send("POST", "/", { name: "n", html: "" }, { "idempotency-key": "k" })
          )
          assert.strictEqual(twice[0]!.json.id, twice[1]!.json.id)
          assert.strictEqual((yield* send("GET", "/")).json.items.length, 1)
        }),
      120_000
    )
  })
})
