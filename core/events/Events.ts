/**
 * The event outbox. `emit` writes the event in the transaction of its change; NOTIFY only wakes readers.
 *
 * A consumer has a name, a pattern and a durable cursor that moves after the work. Its handler is idempotent by event
 * id. Sequence numbers are assigned before commit, so "id > last" would skip rows of a slower transaction. A reader
 * therefore reads only rows below the snapshot horizon and stores a position of (transaction id, row id).
 */
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { PgClient } from "@effect/sql-pg"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { Database } from "../sql/Database.ts"
import * as Metrics from "../metrics/Metrics.ts"
import { collector } from "../metrics/Scrape.ts"
import { escapeLike } from "../sql/Like.ts"
import { asPlatform } from "../sql/Sql.ts"
import { Actor, type ActorSpec } from "../supervision/Supervisor.ts"
import * as NewCursors from "./NewCursors.ts"
import * as Survey from "./Survey.ts"
import { untilPoll, Wake } from "./Wake.ts"

/** Declaration of an event type, kept in core/contracts. */
export interface EventType<S extends Schema.Codec<unknown, unknown>> {
  readonly type: string
  readonly data: S
}

/** Declares an event type: its name (`mail.new_message`) and the shape of its data. */
export const define = <S extends Schema.Codec<unknown, unknown>>(type: string, data: S): EventType<S> => ({
  type,
  data
})

/** Who may see an event. Without tenant and user: operators and daemons only. */
export interface Audience {
  readonly tenantId?: number
  readonly userId?: number
}

/** An event as consumers get it. `data` is still encoded; decode it with the contract. */
export interface Event {
  readonly id: bigint
  readonly type: string
  readonly source: string
  readonly tenantId: number | null
  readonly userId: number | null
  readonly data: unknown
  readonly at: Date
}

export interface Consumer<R> {
  /** Durable name of the cursor: `<daemon>.<purpose>`. */
  readonly name: string
  /** `*`, an exact type, or a prefix such as `order.*`; or several of these. */
  readonly pattern: string | ReadonlyArray<string>
  /** Minimum interval between two reads. Reason: in a storm of other events every wake-up is a read. Default: none. */
  readonly pace?: Duration.Duration
  /** Filter of the events to handle; skipped events cost almost nothing. Pure. Default: all events. */
  readonly wants?: (event: Event) => boolean
  /** Runs before the cursor moves past the event. May get an event again after a crash. */
  readonly handle: (event: Event) => Effect.Effect<unknown, unknown, R>
  /** Start of a new consumer. Default `now`, the time of its declaration: it ignores earlier events. */
  readonly from?: "now" | "beginning"
}

/** Events read at once. Unit: rows. Reason: bounds memory after a long absence. */
const pageSize = 200

/** Longest wait without a wake-up. Unit: seconds. */
const lookInterval = 30

/** Wait while a long transaction holds back the horizon. Unit: milliseconds. */
const horizonWait = Duration.millis(50)

/**
 * Interval at which a reader stores its position after skipped events. Unit: seconds. Reason: a restart reads at most
 * this much again.
 */
const passInterval = Duration.seconds(1)

/**
 * Age of an unread event above which its reader is told as catching up. Unit: seconds. Reason: longer than readers need
 * in a storm of events, and longer than the clocks of two hosts differ.
 */
const lateAfter = 60

/** Position of a reader: after this row, ignoring events that were committed before `since`. */
interface Position {
  readonly xid: string
  readonly id: bigint
  /** Snapshot at the creation of a reader that started at `now`; null for one from the beginning. */
  readonly since: string | null
}

export class Events extends Context.Service<
  Events,
  {
    /** Writes the event in the surrounding transaction. */
    readonly emit: <S extends Schema.Codec<unknown, unknown>>(
      event: EventType<S>,
      source: string,
      data: S["Type"],
      audience?: Audience
    ) => Effect.Effect<void, SqlError.SqlError>
    /** Writes several events of one type in one statement. */
    readonly emitAll: <S extends Schema.Codec<unknown, unknown>>(
      event: EventType<S>,
      source: string,
      items: ReadonlyArray<{ readonly data: S["Type"]; readonly audience?: Audience }>
    ) => Effect.Effect<void, SqlError.SqlError>
    /**
     * The same as a fragment of the caller's statement: inserts an event for each row (tenant_id, user_id, data) of
     * `rows`; data is encoded as the contract says. The caller's statement must also contain `announcement`.
     */
    readonly emitting: (type: string, source: string, rows: Statement.Fragment) => Statement.Fragment
    /** The statement that wakes readers. */
    readonly announcement: Statement.Fragment
    /** The actor of a consumer; placed, so one process of the fleet reads. */
    readonly consumer: <R>(consumer: Consumer<R>) => ActorSpec<R>
    /** Age of the oldest open write transaction of the Postgres cluster, which holds readers back. Unit: seconds. */
    readonly horizonAge: Effect.Effect<number, SqlError.SqlError>
    /**
     * Consumers of this process that still have events older than `lateAfter` to handle, because they are new, were
     * stopped, or their handler fails. `at`: time of the event that a consumer handles now.
     */
    readonly catchingUp: Effect.Effect<ReadonlyArray<{ readonly consumer: string; readonly at: Date }>>
  }
>()("signalbox/core/Events") {}

const topic = "event"

const horizon = Metrics.gauge("event_horizon_age_seconds", {
  help: "Age of the oldest open write transaction of the database, which holds back readers of events.",
  labels: ["daemon"]
})
const lag = Metrics.gauge("event_consumer_lag_seconds", {
  help: "Age of the event that a late consumer of this process handles now. Consumers without delay have no series.",
  labels: ["daemon", "consumer"]
})
/** The pattern as one of the SQL operator `like`. */
export const likePattern = (pattern: string): string =>
  pattern === "*" ? "%" : escapeLike(pattern).replace(/\.\*$/, ".%")

/** Whether `pattern` covers `type`: `*`, the same type, or a prefix ending in `.*`. */
export const matches = (pattern: string, type: string): boolean =>
  pattern === "*" || pattern === type || (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1)))

export const layer: Layer.Layer<Events, never, SqlClient.SqlClient | PgClient.PgClient | Wake | Database> =
  Layer.effect(
    Events,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pg = yield* PgClient.PgClient
      const wake = yield* Wake
      const database = yield* Database

      const survey = yield* Survey.make
      const createCursor = yield* NewCursors.make
      const runFork = Effect.runForkWith(yield* Effect.context())
      const late = new Map<string, Date>()
      const announcement = wake.announcement(topic)
      const emitting: Events["Service"]["emitting"] = (type, source, rows) =>
        sql`insert into core.event (type, source, tenant_id, user_id, data)
          select ${type}, ${source}, e.tenant_id, e.user_id, e.data from (${rows}) as e`

      const emitAll: Events["Service"]["emitAll"] = (event, source, items) =>
        Effect.gen(function* () {
          if (items.length === 0) return
          const rows = yield* Effect.forEach(items, ({ audience, data }) =>
            Effect.map(Effect.orDie(Schema.encodeEffect(event.data)(data)), (data) => ({
              tenant_id: audience?.tenantId ?? null,
              user_id: audience?.userId ?? null,
              data
            }))
          )
          // One statement, so a caller without a transaction also writes event and wake-up together. An event without
          // wake-up would wait up to 30 seconds.
          const records = sql`select * from jsonb_to_recordset(${pg.json(rows)}::jsonb)
            as r (tenant_id int, user_id int, data jsonb)`
          yield* sql`with emitted as (${emitting(event.type, source, records)}) ${announcement}`
        }).pipe(
          asPlatform,
          Effect.provideService(SqlClient.SqlClient, sql),
          Effect.provideService(Database, database)
        ) as Effect.Effect<void, SqlError.SqlError>

      const emit: Events["Service"]["emit"] = (event, source, data, audience) =>
        emitAll(event, source, [{ data, ...(audience === undefined ? {} : { audience }) }])

      const page = (position: Position, horizon: string, likes: ReadonlyArray<string>) =>
        sql<Event & { readonly xid: string }>`
        select id, xid::text as xid, type, source, tenant_id as "tenantId", user_id as "userId", data, at
          from core.event e
         where (e.xid, e.id) > (${position.xid}::xid8, ${position.id}) and e.xid < ${horizon}::xid8
           and type like any(${likes}::text[])
           and pg_visible_in_snapshot(e.xid, ${position.since}::pg_snapshot) is not true
         -- e.xid is the column. A bare xid would mean the text of the select list, where 1000 sorts before 999.
         order by e.xid, e.id limit ${pageSize}`

      const store = (name: string, position: Position) =>
        sql`update core.event_cursor set xid = ${position.xid}::xid8, id = ${position.id}, moved_at = now()
        where consumer = ${name} and (xid, id) < (${position.xid}::xid8, ${position.id})`

      const consumer = <R>(spec: Consumer<R>): ActorSpec<R> => {
        // Its process may begin to read only seconds later. When this fails, the cursor is created then.
        runFork(Effect.ignore(createCursor(spec)))
        return reader(spec)
      }

      const reader = <R>(spec: Consumer<R>): ActorSpec<R> => ({
        name: `events ${spec.name}`,
        placed: true,
        run: Effect.gen(function* () {
          const actor = yield* Actor
          const wakeup = yield* wake.subscribe(topic)
          const likes = (typeof spec.pattern === "string" ? [spec.pattern] : spec.pattern).map(likePattern)
          yield* createCursor(spec)
          const [stored] = yield* sql<Position>`select xid::text as xid, id, since::text as since
          from core.event_cursor where consumer = ${spec.name}`
          let position = stored!
          let storedAt = 0
          while (true) {
            yield* actor.progress
            // The horizon is read before the page and bounds it. Read afterwards it could include an event that the
            // page missed, which would then count as seen.
            const { behind, held, xmin } = yield* survey(spec.name)
            // The position is never before the stored cursor. So without events after the cursor the page is empty,
            // which is the usual case of an idle process.
            const events = behind ? yield* page(position, xmin, likes) : []
            let passed = false
            for (const event of events) {
              passed = spec.wants?.(event) === false
              if (isLate(event)) late.set(spec.name, event.at)
              if (!passed) yield* spec.handle(event)
              position = { ...position, xid: event.xid, id: event.id }
              if (!passed) yield* store(spec.name, position)
            }
            if (events.length === pageSize) {
              if (passed) yield* store(spec.name, position)
              continue
            }
            late.delete(spec.name)
            // All events below the horizon are handled, so they need not be read again.
            position = { ...position, xid: xmin, id: 0n }
            const due = behind && Date.now() - storedAt > Duration.toMillis(passInterval)
            if (due) {
              yield* store(spec.name, position)
              storedAt = Date.now()
            }
            if (spec.pace !== undefined) yield* Effect.sleep(spec.pace)
            yield* wakeup.wait(held ? horizonWait : behind && !due ? passInterval : untilPoll(lookInterval))
          }
          // After a failure it continues here and stays late; after an interruption perhaps in another process.
        }).pipe(Effect.onInterrupt(() => Effect.sync(() => late.delete(spec.name))))
      })

      const horizonAge = Effect.map(
        sql<{ age: number }>`select coalesce(extract(epoch from max(now() - xact_start)), 0)::float8 as age
          from pg_stat_activity where backend_xid is not null`,
        (rows) => rows[0]!.age
      )
      yield* collector({
        daemon: "core",
        name: "events",
        collect: Effect.map(horizonAge, (age) => {
          horizon.setAll([[{ daemon: "core" }, age]])
          lag.setAll(
            Array.from(late, ([consumer, at]) => [
              { daemon: consumer.split(".", 1)[0]!, consumer },
              (Date.now() - at.getTime()) / 1_000
            ])
          )
        }),
        clear: () => [horizon, lag].forEach((gauge) => gauge.setAll([]))
      })

      return Events.of({
        emit,
        emitAll,
        emitting,
        announcement,
        consumer,
        catchingUp: Effect.sync(() => [...late].map(([consumer, at]) => ({ consumer, at }))),
        horizonAge
      })
    })
  )

const isLate = (event: Event) => Date.now() - event.at.getTime() > lateAfter * 1_000
