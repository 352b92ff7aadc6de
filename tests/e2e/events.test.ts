/**
 * `signalbox events list` over a real database: the stored log, and new events, including those of a transaction that
 * began earlier.
 */
import { assert, beforeAll, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { ensureBuilt, environmentOf, run, start } from "#support/Executable.ts"
import { client } from "#support/Frame.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"

beforeAll(ensureBuilt, 60_000)

it.live(
  "lists events of all tenants and follows what comes, each once, whatever the order of their commits",
  () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const env = { ...environmentOf(yield* temporaryDirectory("signalbox-e2e-")), DATABASE_URL: database.url }
      const events = (...args: ReadonlyArray<string>) => Effect.promise(() => run(["events", "list", ...args], env))
      assert.include((yield* events()).stdout, "No matching events.")
      const sql = yield* client(database.target)
      const emit = (type: string, n: number, at = 0) => sql`insert into core.event (type, source, tenant_id, data, at)
      values (${type}, 'test', 7, ${sql.json({ n })}, now() - make_interval(hours => ${at}))`
      yield* emit("mail.old", 1, 5)
      yield* emit("mail.new_message", 2)
      yield* emit("order.created", 3)
      const listed = (yield* events("--pattern", "mail.*", "--json")).stdout
      const items = JSON.parse(listed)
      assert.deepStrictEqual(
        items.map(({ data, tenant_id, type }: any) => [type, tenant_id, data.n]),
        [
          ["mail.new_message", 7, 2],
          ["mail.old", 7, 1]
        ]
      )
      assert.deepStrictEqual(
        JSON.parse((yield* events("--since", "1h", "--json")).stdout).map(({ data }: any) => data.n),
        [3, 2]
      )
      assert.deepStrictEqual(
        JSON.parse((yield* events("--pattern", "mail.*", "--before", items[0].id, "--json")).stdout).map(
          ({ data }: any) => data.n
        ),
        [1]
      )
      assert.match(
        (yield* events("--limit", "1")).stdout,
        /ID .*AT .*TYPE .*\n.*order\.created +tenant:7 +test +\{"n":3\}/
      )
      for (const wrong of [
        ["--pattern", "mail*"],
        ["--before", "7"],
        ["--since", "soon"],
        ["--follow", "--until", "1h"],
        ["--limit", "0"]
      ]) {
        assert.strictEqual((yield* events(...wrong)).code, 64, wrong.join(" "))
      }

      // A transaction that begins first and commits last. Events committed in between are listed at once, but the feed
      // delivers them only after that transaction has ended.
      const end = yield* Latch.make()
      const begun = yield* Latch.make()
      const writer = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(emit("mail.slow", 4), Effect.andThen(begun.open, end.await)))
      )
      yield* begun.await
      yield* emit("mail.quick", 5)
      const follower = start(["events", "list", "--pattern", "mail.*", "--since", "1h", "--follow", "--json"], env)
      yield* Effect.addFinalizer(() => Effect.sync(() => follower.signal("SIGKILL", "group")))
      const idOf = (type: string) =>
        Effect.map(
          sql<{ id: string }>`select xid || '-' || id as id from core.event where type = ${type}`,
          ([row]) => row!.id
        )
      const line = (id: string) => Effect.promise(() => follower.line(`{"id":"${id}"`))
      assert.include(yield* line(yield* idOf("mail.quick")), `"n":5`)
      yield* emit("mail.late", 6)
      yield* emit("order.created", 7)
      yield* end.open
      yield* Fiber.join(writer)
      assert.include(yield* line(yield* idOf("mail.slow")), `"n":4`)
      assert.include(yield* line(yield* idOf("mail.late")), `"n":6`)
      follower.signal("SIGTERM")
      const { code, stdout } = yield* Effect.promise(() => follower.ended)
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(
        stdout
          .trim()
          .split("\n")
          .map((text) => JSON.parse(text).data.n),
        [2, 5, 4, 6]
      )
    }).pipe(Effect.scoped),
  120_000
)
