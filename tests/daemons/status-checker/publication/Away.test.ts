/**
 * The page while Postgres is away, which is when people look: what is shown stays, what this process knows by itself is
 * renewed.
 */
import { assert, it } from "@effect/vitest"
import { Effect, References } from "effect"
import * as AwayPostgres from "#support/AwayPostgres.ts"
import { until } from "#support/Frame.ts"
import { filed, startPlace } from "./StartedPage.ts"

it.live(
  "is served from memory while Postgres is away, with incidents of the file and the age of the data",
  () =>
    Effect.gen(function* () {
      const { away, back, database } = yield* AwayPostgres.make
      const {
        ask,
        askHealth,
        suite: { sql },
        writeIncidents
      } = yield* startPlace({}, database)
      yield* sql`insert into status_checker.component_day (component_id, day, operational) values ('mail', (now() at time zone 'UTC')::date - 1, 86400000)`
      yield* sql`insert into status_checker.incidents (id, title, title_en, status, severity, components, created_at, published_at)
      values ('kept', 'Alt', 'Old', 'identified', 'minor', array['mail'], now(), now())`
      yield* sql`select pg_notify('signalbox', 'status-checker')`
      const status = Effect.map(ask("/api/v1/status"), ({ json }) => json)
      const ids = Effect.map(status, ({ incidents }) => incidents.map(({ id }: any) => id))
      const health = Effect.map(askHealth, ({ json }) => json.components.publication)
      yield* until(
        "the incident is shown",
        Effect.map(ids, (found) => found.includes("kept")),
        30
      )
      assert.strictEqual((yield* health).status, "ok")

      yield* away
      writeIncidents([
        {
          ...filed,
          id: "fresh",
          title_en: "The database is away",
          status: "investigating",
          severity: "critical",
          components: ["web"],
          resolved_at: null,
          created_at: new Date().toISOString()
        }
      ])
      yield* until(
        "the file's incident is shown",
        Effect.map(ids, (found) => found.includes("fresh")),
        30
      )
      const shown = yield* status
      assert.deepStrictEqual(
        [shown.status, shown.incidents.map(({ id }: any) => id).toSorted()],
        ["major_outage", ["fresh", "kept"]]
      )
      assert.strictEqual((yield* ask("/api/v1/uptime/mail?days=2")).json.days[0].uptime, 100)
      assert.include((yield* ask("/")).text, "The database is away")
      yield* until(
        "health tells the age",
        Effect.map(
          health,
          ({ age_s, detail, status }) =>
            status === "degraded" && age_s >= 10 && /history and incidents of the page are \d+ s old/.test(detail)
        ),
        30
      )

      yield* back
      yield* until(
        "health is valid again",
        Effect.map(health, ({ status }) => status === "ok"),
        30
      )
      // Set right meanwhile: the page follows.
      yield* Effect.retry(
        sql`update status_checker.incidents set status = 'resolved', resolved_at = now() - interval '2 days'`,
        { times: 20 }
      )
      yield* until(
        "the incident is over",
        Effect.map(ids, (found) => !found.includes("kept")),
        30
      )
    }).pipe(
      Effect.scoped,
      // Everything complains of the database, on purpose.
      Effect.provideService(References.MinimumLogLevel, "Fatal")
    ),
  180_000
)
