/** Components of the database beside those of SERVICES_FILE: shown, checked, tried, changed, deleted, and refused. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { until } from "#support/Frame.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { as, callsOf, provider, startStatus, statesRead } from "../Operation.ts"

class Place extends Context.Service<Place, { readonly suite: TestSuite; readonly url: string }>()("test/Components") {
  static readonly layer = Layer.effect(
    Place,
    Effect.gen(function* () {
      const server = createServer((_, answer) => void answer.end("well"))
      yield* Effect.acquireRelease(
        Effect.callback<void>((done) => void server.listen(0, "127.0.0.1", () => done(Effect.void))),
        () => Effect.sync(() => server.close())
      )
      const { port } = server.address() as AddressInfo
      return { suite: yield* startStatus(), url: `http://127.0.0.1:${port}/` }
    })
  )
}

const names = { name: "Laden", name_en: "Shop" }

const shown = Effect.flatMap(Place, ({ suite }) =>
  Effect.map(suite.call("GET", "/api/v1/components"), ({ json }) => json.components as ReadonlyArray<any>)
)

describe("components of the database", () => {
  layer(Place.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect(
      "stand behind those of the file, are checked at once, and can be changed and deleted",
      () =>
        Effect.gen(function* () {
          const { suite, url } = yield* Place
          const { get, post, put, remove } = callsOf(suite, provider())
          const checks = [{ type: "http", url, expect: [200], contains: "well" }]
          const made = yield* post("components", { id: "shop", ...names, group: "Büro", checks })
          assert.deepStrictEqual(
            [made.status, made.json],
            [201, { id: "shop", ...names, group: "Büro", group_en: null, checks, hidden: false }]
          )
          yield* until(
            "the component is up",
            Effect.map(shown, (all) => all.some(({ id, status }) => id === "shop" && status === "operational")),
            30
          )
          assert.deepStrictEqual(
            (yield* shown).map(({ id }) => id),
            ["webmail", "telephony", "dns", "shop"]
          )
          // Incidents may name it, like a component of the file.
          assert.strictEqual(
            (yield* post("incidents", {
              title: "A",
              title_en: "A",
              severity: "minor",
              components: ["shop"],
              message: "B",
              message_en: "B"
            })).status,
            201
          )
          yield* until(
            "its response time is shown",
            Effect.map(suite.call("GET", "/api/v1/response-times/shop"), ({ json }) => json.times.length > 0)
          )
          // The database has the members of a check in another order, which is no change.
          assert.strictEqual((yield* put("components/shop", { ...names, group: "Büro", checks })).status, 200)
          const changed = yield* put("components/shop", { ...names, name_en: "Web shop", checks: [] })
          assert.deepStrictEqual([changed.status, changed.json.name_en, changed.json.checks], [200, "Web shop", []])
          yield* until(
            "its new name is shown",
            Effect.map(shown, (all) => all.some(({ name }) => name === "Web shop"))
          )
          assert.deepStrictEqual(
            (yield* get("components")).json.items.map(({ id }: any) => id),
            ["shop"]
          )
          assert.strictEqual((yield* remove("components/shop")).status, 204)
          assert.strictEqual((yield* remove("components/shop")).status, 404)
          yield* until(
            "it is gone",
            Effect.map(shown, (all) => all.every(({ id }) => id !== "shop"))
          )
          const audit = yield* suite.sql<{ action: string }>`select action from core.audit
            where entity_type = 'component' order by id`
          assert.deepStrictEqual(
            audit.map(({ action }) => action),
            ["component.created", "component.changed", "component.removed"]
          )
        }),
      120_000
    )

    it.effect("leave neither a state nor response times behind, and no wish to hear of them", () =>
      Effect.gen(function* () {
        const { suite } = yield* Place
        const { post, remove } = callsOf(suite, provider())
        const { sql } = suite
        for (const id of ["old", "webmail-2"])
          assert.strictEqual((yield* post("components", { id, ...names, checks: [] })).status, 201)
        yield* statesRead(suite)
        yield* sql`insert into status_checker.component_state (component_id, status, since, checked_at)
          values ('old', 'operational', now(), now())`
        yield* sql`insert into status_checker.component_day (component_id, day, operational) values ('old', now(), 5)`
        yield* sql`insert into status_checker.response_time (component_id, slot, checks, total_ms, most_ms)
          values ('old', now(), 1, 5, 5)`
        yield* sql`insert into status_checker.subscribers
            (email, lang, components, status, unsubscribe, unsubscribe_envelope)
          select name || '@example.org', 'en', components, 'confirmed', encode(sha256(name::bytea), 'hex'), 'x'
            from (values ('only', array['old']), ('both', array['old', 'webmail']), ('all', null),
              ('waits', array['old']), ('again', array['webmail'])) as t (name, components)`
        yield* sql`insert into status_checker.confirmations (token, subscriber_id, lang, components, expires_at)
          select encode(sha256(s.email::bytea), 'hex'), s.id, 'en', c.components, now() + interval '1 hour'
            from status_checker.subscribers s join (values ('waits@example.org', array['dns', 'old']),
              ('again@example.org', array['old'])) as c (email, components) on c.email = s.email`
        assert.strictEqual((yield* remove("components/old")).status, 204)
        const left = yield* sql`select 'state' as what from status_checker.component_state where component_id = 'old'
          union all select 'time' from status_checker.response_time where component_id = 'old'
          union all select 'day' from status_checker.component_day where component_id = 'old'`
        assert.deepStrictEqual(left, [{ what: "day" }])
        const subscribers = yield* sql`select email, components from status_checker.subscribers order by email`
        assert.deepStrictEqual(subscribers, [
          { email: "again@example.org", components: ["webmail"] },
          { email: "all@example.org", components: null },
          { email: "both@example.org", components: ["webmail"] },
          { email: "waits@example.org", components: ["old"] }
        ])
        // The wish that waits for its confirmation.
        const wishes = yield* sql`select components from status_checker.confirmations`
        assert.deepStrictEqual(wishes, [{ components: ["dns"] }])
        assert.strictEqual((yield* remove("components/webmail-2")).status, 204)
      })
    )

    it.effect("keep ids unique, also against the file, and are validated like the file", () =>
      Effect.gen(function* () {
        const { suite } = yield* Place
        const { get, post, remove } = callsOf(suite, provider())
        const taken = yield* post("components", { id: "webmail", ...names, checks: [] })
        assert.deepStrictEqual([taken.status, taken.json.code], [409, "id_taken"])
        const bad = yield* post("components", {
          id: "bad",
          ...names,
          checks: [{ type: "http", url: "https://user:secret@example.org/" }]
        })
        assert.deepStrictEqual([bad.status, bad.json.errors[0].field], [422, "payload.checks[0].url"])
        assert.notInclude(bad.text, "secret")
        // The file declared the id later: it hides the stored component, which can still be deleted.
        yield* suite.sql`insert into status_checker.component (id, name, name_en, checks)
          values ('webmail', 'Postfach', 'Mailbox', '[]')`
        assert.deepStrictEqual(
          (yield* get("components")).json.items.map(({ hidden, id }: any) => [id, hidden]),
          [["webmail", true]]
        )
        assert.strictEqual((yield* remove("components/webmail")).status, 204)
        assert.deepStrictEqual((yield* get("components")).json.items, [])
      })
    )

    it.effect("can be tried without being stored", () =>
      Effect.gen(function* () {
        const { suite, url } = yield* Place
        const { get, post } = callsOf(suite, provider())
        const { json, status } = yield* post("components/try", {
          checks: [
            { type: "http", url },
            { type: "tcp", host: "127.0.0.1", port: 1 }
          ]
        })
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(
          json.results.map(({ kind, outcome }: any) => [kind, outcome]),
          [
            ["http", "up"],
            ["tcp", "down"]
          ]
        )
        assert.deepStrictEqual((yield* get("components")).json.items, [])
        const german = yield* post("components/try", { checks: [{ type: "http", url }] }, { "accept-language": "de" })
        assert.strictEqual(german.json.results[0].detail, "antwortet mit 200")
      })
    )

    it.effect("show whole addresses only to those who may change them", () =>
      Effect.gen(function* () {
        const { suite } = yield* Place
        const { get, post, remove } = callsOf(suite, provider())
        const url = "https://status.example.org:8443/ping?key=secret"
        assert.strictEqual(
          (yield* post("components", { id: "keyed", ...names, checks: [{ type: "http", url }] })).status,
          201
        )
        const urls = (answer: { readonly json: any }) => answer.json.items.map(({ checks }: any) => checks[0].url)
        assert.deepStrictEqual(urls(yield* get("components")), [url])
        const reader = yield* callsOf(suite, provider("system.read")).get("components")
        assert.deepStrictEqual(urls(reader), ["https://status.example.org:8443"])
        assert.notInclude(reader.text, "secret")
        yield* remove("components/keyed")
      })
    )

    it.effect("can be tried a limited number of times by one caller", () =>
      Effect.gen(function* () {
        const { suite } = yield* Place
        const reach = { checks: [{ type: "tcp", host: "127.0.0.1", port: 1 }] }
        const { post } = callsOf(suite, provider("system.manage:77"))
        const answers = yield* Effect.forEach(Array.from({ length: 30 }), () => post("components/try", reach), {
          concurrency: 5
        })
        const refused = answers.filter(({ status }) => status === 429)
        assert.isAbove(refused.length, 0)
        assert.isAbove(answers.filter(({ status }) => status === 200).length, 10)
        const [first] = refused
        assert.strictEqual(first!.json.code, "too_many_requests")
        assert.match(first!.headers.get("retry-after") ?? "", /^\d+$/)
        assert.include(first!.headers.get("content-type") ?? "", "application/problem+json")
      })
    )

    it.effect("belong to the provider", () =>
      Effect.gen(function* () {
        const { suite } = yield* Place
        const body = { checks: [{ type: "tcp", host: "127.0.0.1", port: 1 }] }
        for (const caller of [as(2), provider("system.read")])
          assert.strictEqual((yield* callsOf(suite, caller).post("components/try", body)).status, 403)
        assert.strictEqual((yield* callsOf(suite, as(2)).get("components")).status, 403)
        assert.strictEqual((yield* callsOf(suite, provider("system.read")).get("components")).status, 200)
      })
    )
  })
})
