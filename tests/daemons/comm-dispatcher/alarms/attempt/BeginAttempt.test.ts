import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import fc from "fast-check"
import { SqlClient } from "effect/sql"
import * as Migrations from "#core/sql/Migrations.ts"
import * as BeginAttempt from "#daemons/comm-dispatcher/alarms/attempt/BeginAttempt.ts"
import * as RetryPlan from "#daemons/comm-dispatcher/alarms/attempt/RetryPlan.ts"
import { ledger } from "#daemons/comm-dispatcher/runs/migrations/0001_ledger.ts"
import { privateRanges } from "#daemons/comm-dispatcher/runs/migrations/0007_private_ranges.ts"
import type { TargetState } from "#daemons/comm-dispatcher/runs/Workflow.ts"
import { inFrame } from "#support/Frame.ts"

/** Records of targets before and after their first attempt began. */
const records = (now: number) =>
  fc
    .sample(
      fc.record({
        state: fc.constantFrom<TargetState>("pending", "pending", "pending", "delivered", "failed", "suppressed"),
        // None becomes due while the test runs.
        dueAt: fc.option(
          fc.oneof(fc.integer({ min: now - 10_000, max: now }), fc.integer({ min: now + 300_000, max: now + 600_000 }))
        ),
        begun: fc.constantFrom(0, 0, 0, 1),
        awaySince: fc.option(fc.constant(now - 5_000)),
        reason: fc.option(fc.constant("the channel is away"))
      }),
      { numRuns: 100, seed: 5 }
    )
    .map((drawn): RetryPlan.Target => ({ ...RetryPlan.initial(now), ...drawn }))

it.live("claims in Postgres exactly the targets that the claim rule claims, with the same record", () =>
  inFrame(
    Effect.gen(function* () {
      yield* Migrations.run({ schema: "comm_dispatcher", steps: [ledger, privateRanges] })
      const sql = yield* SqlClient.SqlClient
      const now = Date.now()
      const given = records(now)
      const ids = yield* Effect.forEach(given, (record, position) =>
        Effect.gen(function* () {
          const run = crypto.randomUUID()
          yield* sql`insert into comm_dispatcher.run
            (id, trigger_key, tenant_id, event_type, state, subject, body, sender, mode, source, steps, received_at)
            values (${run}::uuid, ${run}, 1, 'email.alarm.received', 'running', 's', 'b', 'a@b.test', 'parallel', '{}',
              '[]', now())`
          const [row] = yield* sql<{ id: number }>`insert into comm_dispatcher.target
            (run_id, tenant_id, position, chain, step, channel, target, state, due_at, record)
            values (${run}::uuid, 1, ${position}, 0, 0, 'webhook', 'https://a.test', ${record.state},
              ${record.dueAt === null ? null : new Date(record.dueAt)}, ${JSON.stringify(record)}::text::jsonb)
            returning id::float8 as id`
          return row!.id
        })
      )
      const { first } = Context.get(yield* Layer.build(BeginAttempt.layer), BeginAttempt.BeginAttempt)
      const claimed = yield* Effect.forEach(ids, first, { concurrency: "unbounded" })
      const expected = given.map((record) => (record.begun === 0 ? RetryPlan.claim(record, Date.now()) : undefined))
      assert.deepStrictEqual(
        claimed.map((row) => row?.record),
        expected
      )
      assert(expected.some((record) => record !== undefined) && expected.some((record) => record === undefined))
      const stored = yield* sql<{ record: RetryPlan.Target }>`select record from comm_dispatcher.target order by id`
      assert.deepStrictEqual(
        stored.map(({ record }) => record),
        given.map((record, index) => expected[index] ?? record)
      )
      const attempts = yield* sql<{
        id: number
      }>`select target_id::float8 as id from comm_dispatcher.attempt order by 1`
      assert.deepStrictEqual(
        attempts.map(({ id }) => id),
        ids.filter((_, index) => expected[index] !== undefined)
      )
    })
  )
)
