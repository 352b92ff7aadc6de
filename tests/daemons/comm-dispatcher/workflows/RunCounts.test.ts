/** Run counts for a chart: correct at the edges, and read through an index. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Migrations from "#core/sql/Migrations.ts"
import { ledger } from "#daemons/comm-dispatcher/runs/migrations/0001_ledger.ts"
import { privateRanges } from "#daemons/comm-dispatcher/runs/migrations/0007_private_ranges.ts"
import { uncertainRuns } from "#daemons/comm-dispatcher/runs/migrations/0008_uncertain_runs.ts"
import { userRequests } from "#daemons/comm-dispatcher/runs/migrations/0009_user_requests.ts"
import { notifications } from "#daemons/comm-dispatcher/notifications/migrations/0002_notifications.ts"
import { workflows } from "#daemons/comm-dispatcher/workflows/migrations/0004_workflows.ts"
import * as RunCounts from "#daemons/comm-dispatcher/workflows/RunCounts.ts"
import { inFrame } from "#support/Frame.ts"

const at = (text: string) => Date.parse(`2030-01-01T${text}Z`)

it.live(
  "each run counts in the bucket it began in, the end of the stretch not included, and no more is read than that",
  () =>
    inFrame(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* Migrations.run({
          schema: "comm_dispatcher",
          steps: [ledger, notifications, workflows, privateRanges, uncertainRuns, userRequests]
        })
        const insert = (times: ReadonlyArray<string>, state: string, severity: string | null, workflow = "alarm") =>
          sql`insert into comm_dispatcher.run (id, trigger_key, tenant_id, event_type, state, severity, subject, body, sender, mode, source, steps, received_at, created_at, workflow)
        select gen_random_uuid(), gen_random_uuid()::text, 7, 'x', ${state}, ${severity}, '', '', '', 'parallel', '{}', '[]', t, t, ${workflow}
          from unnest(${times.map((time) => `2030-01-01T${time}Z`)}::timestamptz[]) t`
        yield* insert(["00:00:00", "00:59:59.999", "01:00:00"], "delivered", "INFO")
        yield* insert(["00:30:00"], "failed", "ALERT")
        yield* insert(["01:30:00"], "done", null, "bans-added")
        yield* insert(["02:00:00"], "delivered", "INFO")
        const stretch = { since: at("00:00:00"), until: at("02:00:00"), buckets: 2 }
        assert.deepStrictEqual(yield* RunCounts.buckets(stretch), [
          { at: "2030-01-01T00:00:00.000Z", states: { delivered: 2, failed: 1 }, severities: { INFO: 2, ALERT: 1 } },
          { at: "2030-01-01T01:00:00.000Z", states: { delivered: 1, done: 1 }, severities: { INFO: 1 } }
        ])
        assert.deepStrictEqual(
          (yield* RunCounts.buckets(stretch, "bans-added")).map(({ states }) => states),
          [{}, { done: 1 }]
        )

        yield* sql`insert into comm_dispatcher.run (id, trigger_key, tenant_id, event_type, state, subject, body, sender, mode, source, steps, received_at, created_at)
      select gen_random_uuid(), gen_random_uuid()::text, 7, 'x', 'delivered', '', '', '', 'parallel', '{}', '[]', t, t
        from generate_series('2029-01-01'::timestamptz, '2029-12-31', interval '20 minutes') t`
        yield* sql`analyze comm_dispatcher.run`
        const plan = yield* sql`explain ${RunCounts.bucketStatement(sql, stretch)}`
        assert.include(JSON.stringify(plan), "run_created")
      })
    ),
  120_000
)
