import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Authentication } from "#core/auth/Authentication.ts"
import { parsePosition } from "#core/events/EventFeed.ts"
import { page } from "#core/http/Paging.ts"
import { Time } from "#core/http/Time.ts"
import { timeRangeQuery } from "../vocabulary/Exports.ts"
import { Pattern } from "./Pattern.ts"

/** Maximum number of buckets per response. Reason: more bars cannot be told apart. */
export const mostBuckets = 200

/** Id of an event, in the log and on the socket. */
const EventId = Schema.String.pipe(
  Schema.check(
    Schema.isPattern(/^\d{1,20}-\d{1,19}$/),
    Schema.makeFilter((text: string) => (parsePosition(text) === undefined ? "must be the id of an event" : undefined))
  )
)

export const EventView = Schema.Struct({
  /** Opaque. The event socket uses the same id, and resumes after it. */
  id: Schema.String,
  type: Schema.String,
  /** Null: visible to operators only. */
  tenant_id: Schema.NullOr(Schema.Int),
  /** Null: visible to everybody in the tenant. */
  user_id: Schema.NullOr(Schema.Int),
  /** The daemon that emitted the event. */
  source: Schema.String,
  at: Schema.String,
  data: Schema.Unknown
}).annotate({ identifier: "LoggedEvent" })

const EventPage = Schema.Struct({
  items: Schema.Array(EventView),
  /** Cursor for the next page; null on the last page. */
  next_before: Schema.NullOr(Schema.String)
}).annotate({ identifier: "EventPage" })

export const EventHistogram = Schema.Struct({
  since: Schema.String,
  until: Schema.String,
  /** Buckets of equal length; `counts` are by type. */
  buckets: Schema.Array(Schema.Struct({ at: Schema.String, counts: Schema.Record(Schema.String, Schema.Int) }))
}).annotate({ identifier: "EventHistogram" })

/** An exact type, a prefix (`mail.*`), or `*`. */
const pattern = { pattern: Schema.optionalKey(Pattern) }

const audience =
  "Users see the events of their tenant and their own events, as by the event socket; a service token of scope " +
  "`platform` sees everything."

/** The event log. */
const events = HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        limit: page().limit,
        before: Schema.optionalKey(EventId),
        ...pattern,
        since: Schema.optionalKey(Time),
        until: Schema.optionalKey(Time)
      },
      success: EventPage
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Event log, newest first",
        description:
          `${audience} \`since\` is inclusive, \`until\` is exclusive. Events are kept for 14 days. A page of ` +
          `long events may hold fewer than \`limit\`.`
      })
    ),
    HttpApiEndpoint.get("histogram", "/histogram", {
      query: {
        ...pattern,
        ...timeRangeQuery,
        buckets: Schema.optionalKey(
          Schema.NumberFromString.pipe(
            Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: mostBuckets })))
          )
        )
      },
      success: EventHistogram
    }).annotateMerge(OpenApi.annotations({ summary: "Number of events in a period, by type", description: audience }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/events")

export const EventsApi = Api.make("event-socket").add(events)
