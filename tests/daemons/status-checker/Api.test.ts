/** The public interface over a real database: what it says, in which language and form, and to whom it says no. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { ComponentView, IncidentView, MaintenanceView, UptimeView } from "#daemons/status-checker/publication/Api.ts"
import { until } from "#support/Frame.ts"
import { filed, type Place as Started, startPlace } from "./publication/StartedPage.ts"
import { only, read } from "./publication/Xml.ts"

class Place extends Context.Service<Place, Started>()("test/Place") {
  static readonly layer = Layer.effect(
    Place,
    Effect.tap(startPlace(), ({ suite: { sql } }) =>
      Effect.gen(function* () {
        yield* sql`insert into status_checker.component_state (component_id, status, since, checked_at) values ('mail', 'degraded_performance', now() - interval '1 hour', now())`
        yield* sql`insert into status_checker.component_day (component_id, day, operational, major_outage)
        values ('mail', (now() at time zone 'UTC')::date - 1, 43200000, 21600000), ('gone', (now() at time zone 'UTC')::date - 1, 1, 0)`
        yield* sql`insert into status_checker.incidents (id, title, title_en, status, severity, components, created_at, published_at)
        values ('outage-1', 'Netz weg', 'Network away', 'identified', 'critical', array['web'], now() - interval '10 minutes', now()),
          ('draft-1', 'Geheim', 'Secret', 'identified', 'critical', array['web'], now(), null)`
        yield* sql`insert into status_checker.incident_updates (incident_id, "timestamp", status, message, message_en) values ('outage-1', now() - interval '10 minutes', 'identified', 'Kabel.', 'Cable.')`
        yield* sql`select pg_notify('signalbox', 'status-checker')`
      })
    )
  )
}

const ask = (path: string, headers?: Readonly<Record<string, string>>, method?: string) =>
  Effect.flatMap(Place, (place) => place.ask(path, headers, method))

/** Once all that the layer wrote is shown: its statements are seen one by one. */
const settled = until(
  "the incident is shown",
  Effect.map(ask("/api/v1/incidents/outage-1"), ({ json, status }) => status === 200 && json.updates.length === 1),
  30
)

const exactly = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, value: unknown) =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error", errors: "all" })(value)

const german = { "accept-language": "fr;q=1, de-AT;q=0.9, en;q=0.8" }

describe("the public interface", () => {
  layer(Place.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect(
      "answers with exactly the documented fields",
      () =>
        Effect.gen(function* () {
          yield* settled
          const { headers, json, status } = yield* ask("/api/v1/status")
          assert.deepStrictEqual(
            [status, headers["content-type"], headers["content-language"], json.status],
            [200, "application/json", "en", "major_outage"]
          )
          exactly(
            Schema.Struct({
              status: Schema.String,
              components: Schema.Array(ComponentView),
              incidents: Schema.Array(IncidentView),
              maintenance: Schema.Array(MaintenanceView),
              timestamp: Schema.String
            }),
            json
          )
          assert.deepStrictEqual(
            json.components.map(({ group, id, name, status }: any) => [id, name, group, status]),
            [
              ["mail", "Mail", "Büro", "degraded_performance"],
              ["web", "Web & <sites>", null, "major_outage"]
            ]
          )
          // The one of January is long over, and a draft is nobody's business.
          assert.deepStrictEqual(
            json.incidents.map(({ id, title, updates }: any) => [id, title, updates[0].message]),
            [["outage-1", "Network away", "Cable."]]
          )
          assert.isBelow(Math.abs(Date.now() - Date.parse(json.timestamp)), 90_000)

          const { json: list } = yield* ask("/api/v1/incidents")
          exactly(Schema.Struct({ incidents: Schema.Array(IncidentView), total: Schema.Number }), list)
          assert.deepStrictEqual([list.total, list.incidents.map(({ id }: any) => id)], [2, ["outage-1", filed.id]])
          const newest = (yield* ask("/api/v1/incidents?limit=1")).json
          assert.deepStrictEqual([newest.total, newest.incidents.map(({ id }: any) => id)], [2, ["outage-1"]])
          const resolved = (yield* ask("/api/v1/incidents?status=resolved&limit=100")).json
          assert.deepStrictEqual([resolved.total, resolved.incidents[0].resolved_at], [1, "2026-01-02T05:00:00.000Z"])
          exactly(IncidentView, (yield* ask(`/api/v1/incidents/${filed.id}`)).json)
          exactly(Schema.Struct({ components: Schema.Array(ComponentView) }), (yield* ask("/api/v1/components")).json)
          exactly(ComponentView, (yield* ask("/api/v1/components/mail")).json)

          const { json: uptime } = yield* ask("/api/v1/uptime")
          exactly(Schema.Struct({ components: Schema.Array(UptimeView), days: Schema.Literal(90) }), uptime)
          assert.deepStrictEqual(
            uptime.components.map(({ days, id }: any) => [id, days.length]),
            [
              ["mail", 90],
              ["web", 90]
            ]
          )
          const { json: mail } = yield* ask("/api/v1/uptime/mail?days=2")
          exactly(UptimeView, mail)
          assert.deepStrictEqual(
            [mail.uptime, mail.days[0].uptime, mail.days[0].measured, mail.days[1].status],
            [66.666, 66.666, 75, "unknown"]
          )
          const lengths = yield* Effect.forEach(["mail?days=90", "mail?days=3", "web?days=3", "mail"], (one) =>
            Effect.map(ask(`/api/v1/uptime/${one}`), ({ json }) => [json.id, json.days.length])
          )
          assert.deepStrictEqual(lengths, [
            ["mail", 90],
            ["mail", 3],
            ["web", 3],
            ["mail", 90]
          ])
        }),
      90_000
    )

    it.effect(
      "answers in the language of the query, otherwise of the browser, otherwise in English",
      () =>
        Effect.gen(function* () {
          yield* settled
          const said = (path: string, headers?: Readonly<Record<string, string>>) =>
            Effect.map(ask(path, headers), ({ headers, json }) => [headers["content-language"], json.name])
          assert.deepStrictEqual(yield* said("/api/v1/components/mail"), ["en", "Mail"])
          assert.deepStrictEqual(yield* said("/api/v1/components/mail", german), ["de", "Post"])
          assert.deepStrictEqual(yield* said("/api/v1/components/mail?lang=en", german), ["en", "Mail"])
          assert.deepStrictEqual(yield* said("/api/v1/components/mail?lang=de"), ["de", "Post"])
          assert.deepStrictEqual(yield* said("/api/v1/components/mail?lang=fr", german), ["de", "Post"])
          const page = yield* ask("/", german)
          assert.deepStrictEqual(
            [page.headers["content-language"], page.headers["content-type"], /<html lang="(..)"/.exec(page.text)?.[1]],
            ["de", "text/html; charset=utf-8", "de"]
          )
          assert.match(page.headers["content-security-policy"]!, /^default-src 'none'/)
          assert.strictEqual(/<html lang="(..)"/.exec((yield* ask("/?lang=en", german)).text)?.[1], "en")
          // A garbled or endless header is none.
          for (const header of ["de;q=zz", ";;,,=", "x".repeat(12_000), `${"en,".repeat(3_000)}de`])
            assert.strictEqual((yield* ask("/", { "accept-language": header })).status, 200)
        }),
      90_000
    )

    it.effect(
      "is equal in every encoding, and 304 while unchanged",
      () =>
        Effect.gen(function* () {
          yield* settled
          for (const path of ["/", "/api/v1/status", "/api/v1/uptime", "/api/v2/summary.json", "/feed.atom"]) {
            const plain = yield* ask(path)
            const [br, gzip] = [
              yield* ask(path, { "accept-encoding": "gzip, br" }),
              yield* ask(path, { "accept-encoding": "gzip;q=0.9, br;q=0.1" })
            ]
            if (plain.bytes.length < 1_024) continue
            assert.deepStrictEqual(
              [plain.headers["content-encoding"], br.headers["content-encoding"], gzip.headers["content-encoding"]],
              [undefined, "br", "gzip"],
              path
            )
            assert.strictEqual(plain.headers["vary"], "accept-language, accept-encoding")
            if (br.headers["etag"]!.startsWith(plain.headers["etag"]!.slice(0, -1))) {
              assert.isTrue(
                brotliDecompressSync(br.bytes).equals(plain.bytes) && gunzipSync(gzip.bytes).equals(plain.bytes),
                path
              )
            }
            const tags = [plain, br, gzip].map(({ headers }) => headers["etag"]!)
            assert.strictEqual(new Set(tags).size, 3)
            for (const tag of tags) assert.match(tag, /^"[A-Za-z0-9_-]{22}(-br|-gzip)?"$/)
          }
          const first = yield* ask("/api/v1/components")
          const tag = first.headers["etag"]!
          for (const condition of [tag, `W/${tag}`, `"x", ${tag}`, "*", ` ${tag} ,"y"`]) {
            const again = yield* ask("/api/v1/components", { "if-none-match": condition })
            assert.deepStrictEqual(
              [
                again.status,
                again.bytes.length,
                again.headers["etag"],
                again.headers["cache-control"],
                again.headers["content-type"]
              ],
              [304, 0, tag, "public, max-age=10, must-revalidate", undefined],
              condition
            )
          }
          for (const condition of ['"x"', tag.slice(1, -1), "", "W/*", `${tag}x`, '"'.repeat(8_000)]) {
            assert.strictEqual(
              (yield* ask("/api/v1/components", { "if-none-match": condition })).status,
              200,
              condition
            )
          }
          assert.strictEqual((yield* ask("/api/v1/components", { ...german, "if-none-match": tag })).status, 200)
        }),
      90_000
    )

    it.effect(
      "answers HEAD and CORS requests, answers ranges with the whole body, and refuses other methods",
      () =>
        Effect.gen(function* () {
          yield* settled
          const [get, head] = [yield* ask("/api/v1/components"), yield* ask("/api/v1/components", {}, "HEAD")]
          assert.deepStrictEqual(
            [head.status, head.bytes.length, head.headers["content-length"], head.headers["etag"]],
            [200, 0, String(get.bytes.length), get.headers["etag"]]
          )
          assert.strictEqual((yield* ask("/api/v1/components/none", {}, "HEAD")).status, 404)
          assert.strictEqual(get.headers["access-control-allow-origin"], "*")
          const preflight = yield* ask(
            "/api/v1/components",
            {
              origin: "https://else.example",
              "access-control-request-method": "GET",
              "access-control-request-headers": "if-none-match"
            },
            "OPTIONS"
          )
          assert.deepStrictEqual(
            [
              preflight.status,
              preflight.headers["access-control-allow-origin"],
              preflight.headers["access-control-allow-headers"]
            ],
            [204, "*", "if-none-match"]
          )
          const ranged = yield* ask("/api/v1/components", { range: "bytes=0-3" })
          assert.deepStrictEqual([ranged.status, ranged.text], [200, get.text])
          for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
            const refused = yield* ask("/api/v1/components", {}, method)
            assert.deepStrictEqual(
              [refused.status, refused.json?.code, refused.headers["allow"]],
              [405, "method_not_allowed", "GET, HEAD, OPTIONS"],
              method
            )
          }
          assert.notStrictEqual((yield* ask("/", {}, "TRACE")).status, 200)
        }),
      90_000
    )

    it.effect(
      "names invalid fields, and answers 404 for unknown ids",
      () =>
        Effect.gen(function* () {
          const wrong = (path: string) =>
            Effect.map(ask(path), ({ headers, json, status }) => [
              status,
              headers["content-type"],
              json.code,
              json.errors.map(({ field }: any) => field)
            ])
          for (const days of ["0", "91", "-1", "1.5", "abc", "", "1e1", "9".repeat(5_000), "%00", "٣"]) {
            assert.deepStrictEqual(
              yield* wrong(`/api/v1/uptime/mail?days=${encodeURI(days)}`),
              [422, "application/problem+json", "invalid_request", ["query.days"]],
              days
            )
          }
          assert.deepStrictEqual(yield* wrong("/api/v1/uptime?days=91"), [
            422,
            "application/problem+json",
            "invalid_request",
            ["query.days"]
          ])
          assert.deepStrictEqual(yield* wrong("/api/v1/incidents?limit=0&status=open"), [
            422,
            "application/problem+json",
            "invalid_request",
            ["query.limit", "query.status"]
          ])
          assert.strictEqual((yield* ask("/api/v1/uptime/mail?days=90")).status, 200)
          for (const path of [
            "components/none",
            "components/mail/x",
            "components/%",
            "components/%2e%2e",
            "components/__proto__",
            "components/gone",
            "uptime/none?days=5",
            "incidents/draft-1",
            "incidents/%ff"
          ]) {
            const missing = yield* ask(`/api/v1/${path}`)
            assert.deepStrictEqual([missing.status, missing.json?.code], [404, "not_found"], path)
          }
          assert.strictEqual((yield* ask(`/api/v1/status?${"a=b&".repeat(2_500)}`)).status, 200)
          assert.strictEqual((yield* ask(`/api/v1/components/${"x".repeat(10_000)}`)).status, 404)
          assert.strictEqual((yield* ask("/api/v1/status?%%%=&&&lang")).status, 200)
          // Spelt so that the lane does not know it: the router answers alike, also what is wrong.
          const odd = yield* ask("/api/v1/%63omponents/mail", german)
          assert.deepStrictEqual(
            [odd.status, odd.json?.name, odd.headers["etag"]],
            [200, "Post", (yield* ask("/api/v1/components/mail", german)).headers["etag"]]
          )
          assert.deepStrictEqual(yield* wrong("/api/v1/%75ptime/mail?days=91"), [
            422,
            "application/problem+json",
            "invalid_request",
            ["query.days"]
          ])
          assert.strictEqual((yield* ask("/api/v1/%63omponents/none")).status, 404)
        }),
      90_000
    )

    it.effect(
      "serves the formats of other programs, badges and the OpenAPI document",
      () =>
        Effect.gen(function* () {
          yield* settled
          const { json } = yield* ask("/api/v2/summary.json")
          assert.deepStrictEqual(
            [json.page.url, json.status.indicator, json.incidents.map(({ id }: any) => id), json.components.length],
            ["https://status.example.org", "critical", ["outage-1"], 3]
          )
          const lists = yield* Effect.forEach(
            [
              "status",
              "components",
              "incidents",
              "incidents/unresolved",
              "scheduled-maintenances",
              "scheduled-maintenances/active",
              "scheduled-maintenances/upcoming"
            ],
            (name) => Effect.map(ask(`/api/v2/${name}.json`), (one) => [one.status, Object.keys(one.json)[1]])
          )
          assert.deepStrictEqual(lists, [
            [200, "status"],
            [200, "components"],
            [200, "incidents"],
            [200, "incidents"],
            [200, "scheduled_maintenances"],
            [200, "scheduled_maintenances"],
            [200, "scheduled_maintenances"]
          ])
          const feed = yield* ask("/feed.atom?lang=de")
          assert.deepStrictEqual(
            [feed.headers["content-type"], read(feed.text).name],
            ["application/atom+xml; charset=utf-8", "feed"]
          )
          const badge = yield* ask("/badge/web.svg?lang=de")
          assert.deepStrictEqual(
            [badge.status, badge.headers["content-type"], only(read(badge.text), "title")],
            [200, "image/svg+xml; charset=utf-8", "Netz & <Seiten>: schwerer Ausfall"]
          )
          assert.strictEqual(only(read((yield* ask("/badge.svg")).text), "title"), "Status: major outage")
          for (const path of ["/badge/none.svg", "/badge/web", "/badge/web.png"])
            assert.strictEqual((yield* ask(path)).status, 404)
          const docs = yield* ask("/api/docs")
          assert.deepStrictEqual(
            [docs.status, docs.headers["content-type"]?.startsWith("text/html"), docs.text.includes("swagger")],
            [200, true, true]
          )
          const described = (yield* ask("/api/openapi.json")).json
          assert.deepStrictEqual(
            [
              described.info.version,
              Object.keys(described.paths).filter(
                (path) => path.startsWith("/api/v1/") && !path.includes("/admin") && !path.includes("subscri")
              )
            ],
            [
              "2.7.0",
              [
                "/api/v1/status",
                "/api/v1/components",
                "/api/v1/components/{id}",
                "/api/v1/uptime",
                "/api/v1/uptime/{id}",
                "/api/v1/incidents",
                "/api/v1/incidents/{id}"
              ]
            ]
          )
        }),
      90_000
    )

    it.effect(
      "shows changes of the database, of the file and of time",
      () =>
        Effect.gen(function* () {
          const {
            suite: { sql },
            writeIncidents
          } = yield* Place
          yield* settled
          const status = Effect.map(ask("/api/v1/components/mail"), ({ json }) => json.status)
          const shows = (expected: string) =>
            until(
              expected,
              Effect.map(status, (found) => found === expected),
              30
            )
          writeIncidents([
            filed,
            {
              ...filed,
              id: "now",
              status: "investigating",
              severity: "major",
              components: ["mail"],
              resolved_at: null,
              created_at: new Date().toISOString()
            }
          ])
          yield* shows("partial_outage")
          writeIncidents([filed])
          yield* shows("degraded_performance")
          // Told beforehand, so it is the clock alone by which it begins and ends.
          yield* sql`insert into status_checker.maintenance (id, title, title_en, components, starts_at, ends_at)
          values ('m', 'Umbau', 'Works', array['mail'], now() + interval '1 second', now() + interval '1 hour')`
          yield* sql`select pg_notify('signalbox', 'status-checker')`
          yield* shows("under_maintenance")
          yield* sql`update status_checker.maintenance set ends_at = now() + interval '2 seconds'`
          yield* sql`select pg_notify('signalbox', 'status-checker')`
          yield* shows("degraded_performance")
        }),
      90_000
    )
  })
})
