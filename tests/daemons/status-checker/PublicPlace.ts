/** A running status page with an outage, for the tests of its public interface. */
import { Context, Effect, Layer } from "effect"
import { until } from "#support/Frame.ts"
import { statesRead } from "./Operation.ts"
import { type Place as Started, startPlace } from "./publication/StartedPage.ts"

/** A status page with two components, an outage and a draft of an incident. */
export class Place extends Context.Service<Place, Started>()("test/Place") {
  static readonly layer = Layer.effect(
    Place,
    Effect.tap(startPlace(), ({ suite }) =>
      Effect.gen(function* () {
        const { sql } = suite
        yield* statesRead(suite)
        yield* sql`insert into status_checker.component_state (component_id, status, since, checked_at) values ('mail', 'degraded_performance', now() - interval '1 hour', now())`
        yield* sql`insert into status_checker.component_day (component_id, day, operational, major_outage)
        values ('mail', (now() at time zone 'UTC')::date - 1, 43200000, 21600000), ('gone', (now() at time zone 'UTC')::date - 1, 1, 0)`
        yield* sql`insert into status_checker.response_time (component_id, slot, checks, total_ms, most_ms) values
          ('mail', date_bin('15 minutes', now(), 'epoch') - interval '1 hour', 2, 400, 400),
          ('mail', date_bin('15 minutes', now(), 'epoch'), 2, 100, 60),
          ('mail', now() - interval '25 hours', 1, 9000, 9000)`
        yield* sql`insert into status_checker.incidents (id, title, title_en, status, severity, components, created_at, published_at)
        values ('outage-1', 'Netz weg', 'Network away', 'identified', 'critical', array['web'], now() - interval '10 minutes', now()),
          ('draft-1', 'Geheim', 'Secret', 'identified', 'critical', array['web'], now(), null)`
        yield* sql`insert into status_checker.incident_updates (incident_id, "timestamp", status, message, message_en) values ('outage-1', now() - interval '10 minutes', 'identified', 'Kabel.', 'Cable.')`
        yield* sql`select pg_notify('signalbox', 'status-checker')`
      })
    )
  )
}

/** Sends a request to the status page. */
export const ask = (path: string, headers?: Readonly<Record<string, string>>, method?: string) =>
  Effect.flatMap(Place, (place) => place.ask(path, headers, method))

/** Waits until everything that the layer wrote is shown. The page notices its statements one by one. */
export const settled = until(
  "the incident is shown",
  Effect.map(ask("/api/v1/incidents/outage-1"), ({ json, status }) => status === 200 && json.updates.length === 1),
  30
)

/** Headers of a browser whose preferred known language is German. */
export const german = { "accept-language": "fr;q=1, de-AT;q=0.9, en;q=0.8" }
