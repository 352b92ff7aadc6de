/** Walks over every operation of wake-word, as two tenants and with invalid input. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { providerTenant } from "#core/auth/Caller.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { until } from "#support/Frame.ts"
import { fakeUser } from "#support/FakeUsers.ts"
import { badInput } from "#support/walk/BadInputWalk.ts"
import { rowSecurity } from "#support/walk/RowSecurity.ts"
import { tenancy } from "#support/walk/TenancyWalk.ts"
import type { Walk } from "#support/walk/Walk.ts"
import { startWakeWord } from "./WakeWordSuite.ts"
import { listeningCases, modelCases } from "./walk/ListeningCases.ts"
import { seeds } from "./walk/Seeds.ts"
import { sampleCases, trainingCases } from "./walk/TrainingCases.ts"

class Walked extends Context.Service<Walked, Walk>()("test/Walked") {
  static readonly layer = Layer.effect(
    Walked,
    Effect.gen(function* () {
      const suite = yield* startWakeWord({ env: { SIGNALBOX_WAKE_WORD_TRAININGS: "90" } })
      // Trainings must not run, because rows that the walk compares must not change by themselves. Their runner waits
      // for this lock.
      const session = Context.get(
        yield* Layer.build(
          PgClient.layer({ ...toSqlPg(suite.database.target), applicationName: "walk", maxConnections: 1 })
        ),
        PgClient.PgClient
      )
      yield* until(
        "the lock of the training runner",
        Effect.gen(function* () {
          yield* session`select pg_terminate_backend(pid) from pg_locks
            where locktype = 'advisory' and granted and pid <> pg_backend_pid()
              and database = (select oid from pg_database where datname = current_database())
              and (classid::bigint << 32) + objid::bigint = hashtextextended('wake word training runner', 0)`
          const [row] = yield* session<{ held: boolean }>`
            select pg_try_advisory_lock(hashtextextended('wake word training runner', 0)) as held`
          return row!.held
        }),
        30
      )
      // Ids that appear nowhere else in an answer, because the walk masks them before it compares.
      for (const [index, [table, column]] of (
        [
          ["model", "id"],
          ["sample", "id"],
          ["training", "seq"]
        ] as const
      ).entries())
        yield* suite.sql`select setval(pg_get_serial_sequence(${`wake_word.${table}`}, ${column}), ${700_000 + index * 10_000})`
      const made = seeds(suite)
      return {
        suite,
        schema: "wake_word",
        cases: { ...listeningCases(made), ...modelCases(made), ...sampleCases(made), ...trainingCases(made) },
        a: fakeUser("A", 7),
        b: fakeUser("B", 8),
        powerless: fakeUser("P", 8, ""),
        platform: {
          name: "platform",
          tenant: providerTenant,
          headers: { "x-service-token": yield* suite.token },
          mark: "mark-of-platform"
        }
      }
    })
  )
}

const clean = (found: ReadonlyArray<string>) => assert.strictEqual(found.join("\n"), "")

describe("wake-word, walked", () => {
  layer(Walked.layer, { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect("keeps tenants apart", () => Effect.map(Effect.flatMap(Walked, tenancy), clean), 180_000)
    it.effect(
      "keeps tenants apart in statements without WHERE",
      () =>
        Effect.map(
          Effect.flatMap(Walked, (walk) => rowSecurity(walk)),
          clean
        ),
      60_000
    )
    it.effect("refuses wrong input", () => Effect.map(Effect.flatMap(Walked, badInput), clean), 180_000)
  })
})
