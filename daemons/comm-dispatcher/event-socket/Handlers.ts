import { Clock, Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { Caller } from "#core/auth/Caller.ts"
import { parsePosition } from "#core/events/EventFeed.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { timeRangeOf } from "../vocabulary/Exports.ts"
import * as EventCounts from "./log/EventCounts.ts"
import * as EventLog from "./log/EventLog.ts"
import { EventsApi } from "./Api.ts"

const reader = Effect.map(Caller, (caller): EventLog.Reader => (caller.kind === "user" ? caller : null))

const everything = "*"

export const eventHandlers = Handlers.group(EventsApi, "events", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, pattern = everything, since, until } }) {
      const from = before === undefined ? undefined : parsePosition(before)
      const filter = {
        pattern,
        ...(from === undefined ? {} : { before: from }),
        ...(since === undefined ? {} : { since: new Date(since) }),
        ...(until === undefined ? {} : { until: new Date(until) })
      }
      const { items, more } = yield* orUnavailable(EventLog.page(yield* reader, filter, limit))
      return {
        items: items.map((item) => ({ ...item, at: item.at.toISOString() })),
        next_before: more ? items.at(-1)!.id : null
      }
    }),
    histogram: Effect.fnUntraced(function* ({ query: { pattern = everything, ...query } }) {
      const range = timeRangeOf(query, yield* Clock.currentTimeMillis)
      if (typeof range === "string")
        return yield* new InvalidRequest({ errors: [{ field: "query.since", message: range }] })
      const buckets = yield* orUnavailable(EventCounts.buckets(yield* reader, pattern, range))
      return { since: new Date(range.since).toISOString(), until: new Date(range.until).toISOString(), buckets }
    })
  })
)
