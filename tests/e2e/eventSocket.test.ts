/**
 * The event socket of a real comm-dispatcher with 200 clients (2,000 in the long run) from tenants of 20 users each.
 * Writers whose transactions commit out of order emit 200 events per second, every tenth for a single user, and every 2
 * s a broadcast with one event per tenant. The server is killed during the test. Every client must receive exactly its
 * own events: none lost, repeated or foreign.
 */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { EventClient } from "#support/EventClient.ts"
import { EventFollower } from "#support/EventFollower.ts"
import { startFleet } from "#support/Fleet.ts"
import { until } from "#support/Frame.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { eventually } from "#support/Processes.ts"
import { make as makeRandom } from "#support/Random.ts"
import { testKey } from "#support/TestKey.ts"
import { startSuite } from "#support/TestSuite.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"
const tenants = long ? 100 : 10
const usersOfTenant = 20
/** Events per second, without the broadcasts. */
const rate = 200
/** `span`: shortest duration of the writing, in seconds. `kills`: number of kills in that time. */
const span = long ? 40 : 7
const kills = long ? 3 : 1
const writers = 4
/** Smallest number of written events. The writers go on until they have written so many, also on a busy machine. */
const enough = (rate * span) / 2
/** Longest time until all clients have received the last event. Unit: seconds. */
const settle = long ? 120 : 45

const userOf = (tenant: number, index: number) => tenant * 1_000 + index

/** A written event. */
interface Written {
  readonly n: number
  readonly tenant: number
  readonly user: number | null
}

describe("the event socket, followed by many", () => {
  it.live(
    `tells ${tenants * usersOfTenant} clients everything that is their own, once, over ${kills} kill(s)`,
    () =>
      Effect.gen(function* () {
        const random = makeRandom()
        const database = yield* freshDatabase
        const fleet = yield* startFleet({
          units: [{ name: "comm", daemons: ["comm-dispatcher"] }],
          dataDir: yield* temporaryDirectory("signalbox-events"),
          env: { DATABASE_URL: database.url, SIGNALBOX_COMM_DISPATCHER_PORT: "0", SIGNALBOX_ALARM_SMTP_PORT: "0" }
        })
        const unit = fleet.unit("comm")
        yield* eventually("it is ready", () => unit.isReady(), 60)
        const sql = Context.get(
          yield* Layer.build(
            PgClient.layer({ ...toSqlPg(database.target), applicationName: "test", maxConnections: writers + 1 })
          ),
          PgClient.PgClient
        )
        const key = yield* testKey(sql)
        const base = () => (unit.isReady() ? unit.addresses()["comm-dispatcher"] : undefined)
        const clients = yield* Effect.forEach(Array.from({ length: tenants * usersOfTenant }), (_, index) =>
          Effect.gen(function* () {
            const tenant = 1 + Math.floor(index / usersOfTenant)
            const user = userOf(tenant, index % usersOfTenant)
            const token = yield* Effect.promise(() => key.access({ tenantId: tenant, userId: user }))
            const follower = yield* Effect.acquireRelease(
              Effect.sync(() => new EventFollower(base, token, `10.1.${index >> 8}.${index & 255}`)),
              (follower) => Effect.sync(() => follower.end())
            )
            return { tenant, user, follower }
          })
        )
        const followers = clients.map(({ follower }) => follower)
        yield* eventually("all listen", () => followers.every(({ joined }) => joined === 1), 90)

        const written: Array<Written> = []
        let n = 0
        const emit = (events: ReadonlyArray<Written>, hold: number) =>
          Effect.andThen(
            sql.withTransaction(
              Effect.andThen(
                sql`with e as (insert into core.event (type, source, tenant_id, user_id, data)
                select 'walk.one', 'test', e.tenant, e."user", jsonb_build_object('n', e.n, 'tenant', e.tenant)
                  from jsonb_to_recordset(${sql.json(events)}::jsonb) e (n int, tenant int, "user" int) returning 1)
              select pg_notify('signalbox', 'event') from (select count(*) from e) c`,
                Effect.sleep(hold)
              )
            ),
            Effect.sync(() => written.push(...events))
          )
        const began = performance.now()
        const elapsed = () => (performance.now() - began) / 1000
        let killing = true
        const writer = Effect.gen(function* () {
          while (killing || elapsed() < span || written.length < enough) {
            const tenant = 1 + Math.floor(random.next() * tenants)
            const one = {
              n: n++,
              tenant,
              user: n % 10 === 0 ? userOf(tenant, Math.floor(random.next() * usersOfTenant)) : null
            }
            const begun = performance.now()
            yield* emit([one], random.next() * 30)
            yield* Effect.sleep(Math.max(0, (writers * 1000) / rate - (performance.now() - begun)))
          }
        })
        const broadcaster = Effect.gen(function* () {
          for (let round = 0; killing || elapsed() < span; round++) {
            yield* emit(
              Array.from({ length: tenants }, (_, index) => ({ n: n++, tenant: index + 1, user: null })),
              0
            )
            yield* Effect.sleep(Math.max(0, (round + 1) * 2_000 - elapsed() * 1000))
          }
        })
        const writing = yield* Effect.forkScoped(
          Effect.all([...Array.from({ length: writers }, () => writer), broadcaster], { concurrency: "unbounded" })
        )
        for (let kill = 1; kill <= kills; kill++) {
          yield* until(
            `time for kill ${kill}`,
            Effect.sync(() => elapsed() > (span * kill) / (kills + 1)),
            span
          )
          yield* eventually("all are back", () => unit.isReady() && followers.every(({ joined }) => joined >= kill), 90)
          assert.isTrue(unit.kill())
          // Also cuts the connections of some clients.
          for (const follower of random.shuffled(followers).slice(0, followers.length / 10)) follower.cut()
        }
        killing = false
        yield* Fiber.join(writing)

        const expected = new Map(
          clients.map(({ follower, tenant, user }) => [
            follower,
            written
              .filter((event) => event.tenant === tenant && (event.user === null || event.user === user))
              .map((event) => event.n)
              .toSorted((a, b) => a - b)
          ])
        )
        yield* eventually(
          "everybody has heard as much as there is",
          () => followers.every((follower) => follower.events.length >= expected.get(follower)!.length),
          settle
        ).pipe(
          Effect.tapCause(() => Effect.sync(() => process.stderr.write(`seed ${random.seed}\n${fleet.tail(20)}\n`)))
        )
        // Waits for possible duplicates.
        yield* Effect.sleep(300)
        for (const { follower, tenant } of clients) {
          assert.deepStrictEqual(
            follower.events.map(({ data }) => data.n as number).toSorted((a, b) => a - b),
            expected.get(follower)!,
            `seed ${random.seed}`
          )
          assert.isTrue(follower.events.every(({ data }) => data.tenant === tenant))
          assert.isAtLeast(follower.joined, 2)
        }
        assert.strictEqual(unit.readyAt.length, kills + 1)
      }),
    long ? 300_000 : 180_000
  )

  it.live(
    "closes when the token ends, by its time or with its session, and stays when a new one comes before",
    () =>
      Effect.gen(function* () {
        const suite = yield* startSuite({ daemons: [commDispatcher] })
        const key = yield* testKey(suite.sql)
        const who = { tenantId: 7, userId: 70 }
        const soon = () => Math.floor(Date.now() / 1000) + 10
        const session = randomUUID()
        const listening = (claims: object) =>
          Effect.acquireRelease(
            Effect.promise(async () =>
              EventClient.listening(suite.base(), { token: await key.access({ ...who, ...claims }) })
            ),
            (client) => Effect.sync(() => client.end())
          )
        const ended = yield* listening({ session })
        const expiring = yield* listening({ expires: soon() })
        const renewed = yield* listening({ expires: soon() })
        renewed.say("auth", { token: yield* Effect.promise(() => key.access(who)) })
        yield* suite.sql`insert into core.ended_session (session, forget_at) values (${session}, now() + interval '1 hour')`
        yield* suite.sql`select pg_notify('signalbox', 'standing')`
        const endedAt = performance.now()
        yield* Effect.promise(() => ended.until(() => ended.closed !== undefined))
        assert.strictEqual(ended.closed!.code, 4401)
        // The socket checks each token every 5 s.
        assert.isBelow(performance.now() - endedAt, 8_000)
        yield* Effect.promise(() => expiring.until(() => expiring.closed !== undefined, 30_000))
        assert.strictEqual(expiring.closed!.code, 4401)
        yield* suite.sql`insert into core.event (type, source, tenant_id, data) values ('walk.one', 'test', 7, '{"n": 1}')`
        yield* suite.sql`select pg_notify('signalbox', 'event')`
        yield* Effect.promise(() => renewed.until(() => renewed.events.length === 1))
        assert.isUndefined(renewed.closed)
        assert.lengthOf(ended.events, 0)
      }),
    120_000
  )
})
