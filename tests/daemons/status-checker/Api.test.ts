/** The public interface over a real database: its fields, languages and formats, and how soon changes show. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  ComponentView,
  IncidentView,
  MaintenanceView,
  ResponseTimesView,
  UptimeView
} from "#daemons/status-checker/publication/Api.ts"
import { until } from "#support/Frame.ts"
import { filed } from "./publication/StartedPage.ts"
import { only, read } from "./publication/Xml.ts"
import { ask, german, Place, settled } from "./PublicPlace.ts"

const exactly = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, value: unknown) =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error", errors: "all" })(value)

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

          const { json: times } = yield* ask("/api/v1/response-times")
          exactly(Schema.Struct({ components: Schema.Array(ResponseTimesView), hours: Schema.Literal(24) }), times)
          const { json: answers } = yield* ask("/api/v1/response-times/mail")
          exactly(ResponseTimesView, answers)
          assert.deepStrictEqual(
            [answers.mean_ms, answers.most_ms, answers.times.map(({ mean_ms }: any) => mean_ms)],
            [125, 400, [200, 50]]
          )
          assert.strictEqual((yield* ask("/api/v1/response-times/none")).status, 404)

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
      120_000
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
      120_000
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
            [
              docs.status,
              docs.headers["content-type"]?.startsWith("text/html"),
              docs.text.includes("/api/v1/incidents")
            ],
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
                "/api/v1/response-times",
                "/api/v1/response-times/{id}",
                "/api/v1/incidents",
                "/api/v1/incidents/{id}"
              ]
            ]
          )
        }),
      120_000
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
      120_000
    )
  })
})
