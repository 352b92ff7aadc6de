/** Implementation of `signalbox events …`. */
import { Console, Duration, Effect, Option, Schema } from "effect"
import { exitUsage, fail, runsUntilStopped } from "#core/cli/Ending.ts"
import { moment, second } from "#core/cli/Moment.ts"
import { columns, print } from "#core/cli/Output.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as EventFeed from "#core/events/EventFeed.ts"
import { matches } from "#core/events/Events.ts"
import { entries, type LogFilter, type LoggedEvent, page } from "./log/EventLog.ts"
import { Pattern } from "./Pattern.ts"

/** Interval of reads. Unit: milliseconds. */
const look = Duration.millis(500)

/** Maximum number of events per read while following. Unit: rows. */
const atOnce = 500

interface Flags {
  readonly pattern: string
  readonly since: Option.Option<string>
  readonly until: Option.Option<string>
  readonly before: Option.Option<string>
  readonly follow: boolean
  readonly limit: number
  readonly json: boolean
}

/** Prints the log, and follows it with `--follow`. */
export const list = Effect.fnUntraced(function* (flags: Flags) {
  if (flags.follow && (Option.isSome(flags.before) || Option.isSome(flags.until))) {
    return yield* fail("--follow continues with new events: omit --before and --until", exitUsage)
  }
  if (!Schema.is(Pattern)(flags.pattern))
    return yield* fail("--pattern: write a type such as mail.new_message, a prefix such as 'mail.*', or '*'", exitUsage)
  const before = Option.map(flags.before, EventFeed.parsePosition)
  if (Option.isSome(before) && before.value === undefined)
    return yield* fail("--before: write the ID of a listed event", exitUsage)
  const filter: LogFilter = {
    pattern: flags.pattern,
    ...(Option.isSome(before) ? { before: before.value! } : {}),
    ...(yield* moment("since", flags.since)),
    ...(yield* moment("until", flags.until))
  }
  if (!flags.follow) {
    const { items } = yield* withStorage(page(null, filter, flags.limit))
    return yield* print(flags.json, items, lines)
  }
  yield* runsUntilStopped
  yield* withStorage(follow(filter, flags))
})

const follow = Effect.fnUntraced(function* (filter: LogFilter, flags: Flags) {
  const say = (events: ReadonlyArray<LoggedEvent>) =>
    Effect.forEach(
      flags.json ? events.map((event) => JSON.stringify(event)) : events.map((event) => cells(event).join("  ")),
      (text) => Console.log(text),
      { discard: true }
    )
  // The feed may repeat events that the list has shown; these are skipped.
  let from = yield* EventFeed.now
  const { items } = yield* page(null, filter, flags.limit)
  yield* say(items.toReversed())
  const told = new Set(items.map(({ id }) => id))
  while (true) {
    const { events, more, upto } = yield* EventFeed.forOne(null, from, atOnce)
    const fresh = events.filter(
      ({ at, type }) => matches(filter.pattern, type) && !told.delete(EventFeed.positionText(at))
    )
    yield* say(yield* entries(fresh.map(({ at }) => at)))
    from = upto
    if (!more) yield* Effect.sleep(look)
  }
})

/** A table of events. */
const lines = (events: ReadonlyArray<LoggedEvent>): ReadonlyArray<string> =>
  events.length === 0
    ? ["No matching events."]
    : columns([["ID", "AT", "TYPE", "FOR", "FROM", "DATA"], ...events.map(cells)])

const cells = ({ at, data, id, source, tenant_id, type, user_id }: LoggedEvent): ReadonlyArray<string> => [
  id,
  second(at),
  type,
  tenant_id === null ? "operators" : user_id === null ? `tenant:${tenant_id}` : `user:${user_id}`,
  source,
  JSON.stringify(data)
]
