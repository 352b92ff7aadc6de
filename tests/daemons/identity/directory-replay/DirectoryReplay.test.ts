import type { PgClient } from "@effect/sql-pg"
import { expect, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer } from "effect"
import * as Database from "#core/sql/Database.ts"
import { Events, layer as eventsLayer } from "#core/events/Events.ts"
import type { ConnectionTarget } from "#core/postgres/ConnectionTarget.ts"
import * as Sql from "#core/sql/Sql.ts"
import { eventRetention } from "#core/daemon/Sweeps.ts"
import * as Wake from "#core/events/Wake.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { pageSize, replayEvery, replayPage } from "#daemons/identity/directory-replay/DirectoryReplay.ts"
import { until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"

/**
 * Services of the replay outside the fleet, because a process that places actors would take some of the tested ones.
 */
const outside = (target: ConnectionTarget) =>
  Layer.build(
    eventsLayer.pipe(
      Layer.provideMerge(Wake.layer),
      Layer.provideMerge(Sql.layer),
      Layer.provideMerge(Database.layerTarget(target, { applicationName: "test" }))
    )
  )

const finished = (sql: PgClient.PgClient, generation: number) =>
  until(
    `generation ${generation} is told`,
    Effect.map(
      sql`select 1 from identity.telling where generation = ${generation} and finished_at is not null`,
      (rows) => rows.length === 1
    ),
    60
  )

/** Backdates the last replay by this many days. */
const age = (sql: PgClient.PgClient, days: number) =>
  sql`update identity.telling set begun_at = now() - make_interval(days => ${days})`

const accounts = (sql: PgClient.PgClient, count: number) =>
  sql`insert into identity.account (tenant_id, email, name, role, version) select 1, 'p' || n || '@example.org', 'Person ' || n, 'user', n from generate_series(1, ${count}) n`

/** Entries announced since the event `after`, in order, with their number of announcements. */
const told = (sql: PgClient.PgClient, what: "user" | "tenant", after = "0") =>
  sql<{
    key: number
    version: number
    times: number
  }>`select (data->>${`${what}_id`})::int as key, (data->>'version')::int as version, count(*)::int as times
    from core.event where type = ${`identity.${what}.told`} and id > ${after}::bigint group by 1, 2 order by 1`

const present = (sql: PgClient.PgClient, table: "account" | "tenant") =>
  Effect.map(
    sql<{ id: number; version: number }>`select id, version from identity.${sql.literal(table)} order by id`,
    (rows) => rows.map(({ id, version }) => ({ key: id, version, times: 1 }))
  )

it.live(
  "each tenant and user is emitted once in a generation, also across crashes",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const database = yield* freshDatabase
        const last = yield* Effect.scoped(
          Effect.gen(function* () {
            const { sql } = yield* startSuite({ daemons: [identity], database })
            yield* finished(sql, 1)
            expect(yield* told(sql, "tenant")).toEqual([{ key: 1, version: 1, times: 1 }])
            yield* accounts(sql, 2 * pageSize + 10)
            yield* sql`insert into identity.tenant (name, version) select 'tenant ' || n, n from generate_series(2, 4) n`
            yield* age(sql, replayEvery)
            const [before] = yield* sql<{ last: string }>`select max(id)::text as last from core.event`
            const ground = yield* outside(database.target)
            const events = Context.get(ground, Events)
            const page = replayPage.pipe(Effect.provideContext(ground))
            expect(yield* page).toEqual({ generation: 2, emitted: 4, done: false })
            expect(yield* page).toEqual({ generation: 2, emitted: pageSize, done: false })
            // The events are emitted, and the process dies before the commit.
            const dying = {
              ...events,
              emitAll: (...told: Parameters<typeof events.emitAll>) =>
                Effect.andThen(events.emitAll(...told), Effect.die("killed"))
            }
            const died = yield* Effect.exit(
              replayPage.pipe(Effect.provideService(Events, dying as typeof events), Effect.provideContext(ground))
            )
            expect(Exit.isFailure(died)).toBe(true)
            expect((yield* told(sql, "user", before!.last)).length).toBe(pageSize)
            return before!.last
          })
        )

        const { sql } = yield* startSuite({ daemons: [identity], database })
        yield* finished(sql, 2)
        expect(yield* told(sql, "user", last)).toEqual(yield* present(sql, "account"))
        expect(yield* told(sql, "tenant", last)).toEqual(yield* present(sql, "tenant"))
        // These events have no recipients among users.
        expect(
          yield* sql`select 1 from core.event where type like 'identity.%.told' and (tenant_id is not null or user_id is not null)`
        ).toEqual([])
      })
    ),
  120_000
)

it.live(
  "the next generation starts after half the event retention, not earlier",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        expect(replayEvery).toBeLessThanOrEqual(eventRetention / 2)
        const { database, sql } = yield* startSuite({ daemons: [identity] })
        const ground = yield* outside(database.target)
        const page = replayPage.pipe(Effect.provideContext(ground))
        yield* finished(sql, 1)
        yield* accounts(sql, 3)
        yield* age(sql, replayEvery - 1)
        expect(yield* page).toEqual({ generation: 1, emitted: 0, done: true })
        yield* age(sql, replayEvery)
        expect(yield* page).toEqual({ generation: 2, emitted: 1, done: false })
        // Two replays at once, as during a move of the actor: the second waits for the first and sees its result.
        const events = Context.get(ground, Events)
        let [emitted, through] = [false, false]
        const heldUp = Effect.map(
          sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          ({ length }) => through || length > 0
        )
        const slow = {
          ...events,
          emitAll: (...told: Parameters<typeof events.emitAll>) =>
            Effect.andThen(
              events.emitAll(...told),
              Effect.andThen(
                Effect.sync(() => (emitted = true)),
                until("the other waits", heldUp)
              )
            )
        }
        const both = yield* Effect.all(
          [
            replayPage.pipe(Effect.provideService(Events, slow as typeof events), Effect.provideContext(ground)),
            Effect.andThen(
              until(
                "the first is in the middle",
                Effect.sync(() => emitted)
              ),
              Effect.tap(page, () => Effect.sync(() => (through = true)))
            )
          ],
          { concurrency: 2 }
        )
        const people = yield* present(sql, "account")
        expect(both).toEqual([
          { generation: 2, emitted: people.length, done: false },
          { generation: 2, emitted: 0, done: true }
        ])
        expect(yield* page).toEqual({ generation: 2, emitted: 0, done: true })
        expect((yield* told(sql, "user")).filter(({ version }) => version > 1)).toEqual(
          people.filter(({ version }) => version > 1)
        )
      })
    ),
  120_000
)

it.live(
  "a new reader learns all users from the replay, and a reader with newer versions keeps them",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { database, env, sql } = yield* startSuite({ daemons: [identity], fleet: [identity, commDispatcher] })
        yield* finished(sql, 1)
        yield* accounts(sql, pageSize + 5)
        yield* age(sql, replayEvery)
        const ground = yield* outside(database.target)
        const generation = Effect.gen(function* () {
          while (!(yield* replayPage).done);
        }).pipe(Effect.provideContext(ground))
        yield* generation
        yield* sql`delete from core.event where type not like 'identity.%.told'`
        yield* startSuite({
          daemons: [commDispatcher],
          fleet: [identity, commDispatcher],
          database,
          env: { SIGNALBOX_KEY_FILE: `${env["SIGNALBOX_DATA_DIR"]}/keys` }
        })
        const members = sql<{
          key: number
          version: number
          times: number
        }>`select user_id as key, version, 1 as times from comm_dispatcher.member order by user_id`
        const people = yield* present(sql, "account")
        yield* until(
          "all are known",
          Effect.map(members, ({ length }) => length === people.length),
          60
        )
        expect(yield* members).toEqual(people)

        // Other daemons already have newer versions than identity announces. Newer events are in transit or were read
        // before.
        const [newer, gone] = [people.at(-1)!.key, people.at(-2)!.key]
        yield* sql`update comm_dispatcher.member set version = version + 1, name = 'Newer' where user_id = ${newer}`
        yield* sql`update comm_dispatcher.member set version = version + 1, state = 'deleted', name = '' where user_id = ${gone}`
        yield* sql`insert into identity.messenger_factor (account_id, tenant_id, chat_id, confirmed_at)
      select id, tenant_id, '777', now() from identity.account where id = ${people[0]!.key}`
        yield* age(sql, replayEvery)
        yield* generation
        const chats = sql`select user_id, chat_id from comm_dispatcher.member_chat`
        yield* until(
          "the chat is known",
          Effect.map(chats, ({ length }) => length > 0),
          60
        )
        expect(yield* chats).toEqual([{ user_id: people[0]!.key, chat_id: "777" }])
        yield* until(
          "they were read",
          Effect.map(
            sql`select 1 from core.event_cursor c where c.consumer = 'comm-dispatcher.members'
          and (c.xid, c.id) >= (select e.xid, e.id from core.event e where e.type = 'identity.user.told' order by e.xid desc, e.id desc limit 1)`,
            ({ length }) => length === 1
          ),
          60
        )
        expect(
          yield* sql`select name, state from comm_dispatcher.member where user_id in (${newer}, ${gone}) order by user_id desc`
        ).toEqual([
          { name: "Newer", state: "active" },
          { name: "", state: "deleted" }
        ])
      })
    ),
  120_000
)
