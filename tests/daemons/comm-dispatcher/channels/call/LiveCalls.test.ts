/** Calls in progress according to the ledger, and the wait for calls that a dead process left at the switch. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { liveAttempts } from "#daemons/comm-dispatcher/channels/call/LiveCalls.ts"
import { ledger } from "#daemons/comm-dispatcher/runs/migrations/0001_ledger.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { inFrame, until } from "#support/Frame.ts"
import { type FreshDatabase, freshDatabase } from "#support/Postgres.ts"
import { quiet, request, startSwitch, telephone } from "./Telephone.ts"
import { attemptIdOf } from "#daemons/comm-dispatcher/channels/Channels.ts"

const key = crypto.randomUUID()

/** Inserts one target into the ledger. */
const target = (channel: string, state: string, begun: number, of = key, age = "0") =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`with r as (insert into comm_dispatcher.run (id, trigger_key, tenant_id, event_type, state, subject, body, sender, mode, source, steps, received_at)
        values (gen_random_uuid(), gen_random_uuid()::text, 1, 'x', 'running', '', '', '', 'parallel', '{}', '[]', now()) returning id)
      insert into comm_dispatcher.target (run_id, tenant_id, position, chain, step, channel, target, state, record, idempotency_key, updated_at)
        select id, 1, 0, 0, 0, ${channel}, '+49301', ${state}, jsonb_build_object('begun', ${begun}::int), ${of}::uuid, now() - ${age}::interval from r`
  )

const migrated = <A, E, R>(database: FreshDatabase, effect: Effect.Effect<A, E, R>) =>
  inFrame(Effect.andThen(Migrations.run({ schema: "comm_dispatcher", steps: [ledger] }), effect), {
    target: database.target
  })

it.live(
  "calls under way or of unknown end, with the attempt before; nothing else and nothing old",
  () =>
    quiet(
      Effect.gen(function* () {
        const database = yield* freshDatabase
        const other = crypto.randomUUID()
        const found = yield* migrated(
          database,
          Effect.gen(function* () {
            yield* target("call", "attempting", 2)
            yield* target("call", "uncertain", 1, other)
            yield* target("call", "pending", 3, crypto.randomUUID())
            yield* target("call", "delivered", 1, crypto.randomUUID())
            yield* target("webhook", "attempting", 1, crypto.randomUUID())
            yield* target("call", "attempting", 1, crypto.randomUUID(), "2 hours")
            return yield* liveAttempts
          })
        )
        // Only an attempt that is just starting may still get its channel.
        expect(found.filter(({ mayBegin }) => mayBegin > Date.now() - 30_000).map(({ uuid }) => uuid)).toContain(
          attemptIdOf(key, 2)
        )
        expect(
          found.filter(({ mayBegin }) => mayBegin > Date.now()).every(({ uuid }) => uuid === attemptIdOf(key, 2))
        ).toBe(true)
        expect(found.map(({ uuid }) => uuid).toSorted()).toEqual(
          [attemptIdOf(key, 1), attemptIdOf(key, 2), attemptIdOf(other, 1)].toSorted()
        )
      })
    ),
  120_000
)

it.live(
  "the successor of a killed process dials when that process's call is over",
  () =>
    quiet(
      Effect.gen(function* () {
        const database = yield* freshDatabase
        const double = yield* startSwitch({ timeScale: 0.15 })
        yield* migrated(database, target("call", "attempting", 1))
        const first = yield* telephone(double, { target: database.target })
        const dying = yield* Effect.forkChild(first.channel.deliver(request({ attemptId: attemptIdOf(key, 1) })))
        yield* until(
          "dialled",
          Effect.sync(() => double.calls.length === 1)
        )
        // The lock of the dead process is free at once, but its call continues.
        yield* Fiber.interrupt(dying)
        const next = yield* telephone(double, { target: database.target })
        expect(yield* next.channel.deliver(request({ options: { repeat: 1, pause_ms: 0 } }))).toEqual({
          _tag: "Delivered",
          detail: "heard to the end, 4.8 s (NORMAL_CLEARING)"
        })
        expect(double.mostAtOnce).toBe(1)
      })
    ),
  120_000
)

it.live(
  "it does not wait for longer than a call waits at all, and says so",
  () =>
    quiet(
      Effect.gen(function* () {
        const database = yield* freshDatabase
        // The earlier call lasts far longer than the wait and the start of the next process together.
        const double = yield* startSwitch({ timeScale: 0.5 })
        yield* migrated(database, target("call", "attempting", 1))
        const first = yield* telephone(double, { target: database.target })
        const dying = yield* Effect.forkChild(first.channel.deliver(request({ attemptId: attemptIdOf(key, 1) })))
        yield* until(
          "dialled",
          Effect.sync(() => double.calls.length === 1)
        )
        yield* Fiber.interrupt(dying)
        const next = yield* telephone(double, { target: database.target, config: { callLockWait: 1_000 } })
        expect(yield* next.channel.deliver(request({ options: { repeat: 1, pause_ms: 0 } }))).toEqual({
          _tag: "Delivered",
          detail: "heard to the end, 4.8 s (NORMAL_CLEARING); while an earlier call was still going on"
        })
      })
    ),
  120_000
)

it.live(
  "an attempt that was begun a moment ago may still be dialled",
  () =>
    quiet(
      Effect.gen(function* () {
        const database = yield* freshDatabase
        const double = yield* startSwitch({ timeScale: 0.02 })
        const next = yield* telephone(double, { target: database.target })
        const begun = Date.now()
        // The process must not wait for its own call.
        const own = crypto.randomUUID()
        yield* migrated(
          database,
          Effect.andThen(target("call", "attempting", 1, own, "3 seconds"), target("call", "attempting", 1))
        )
        yield* next.channel.deliver(request({ attemptId: attemptIdOf(own, 1) }))
        expect(double.calls[0]!.started - begun).toBeGreaterThan(1_500)
      })
    ),
  120_000
)
