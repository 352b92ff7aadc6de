/** Walks over every operation of wake-word, as two tenants and with invalid input. */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { until } from "#support/Frame.ts"
import { distinctIds, fakeCallers, walked } from "#support/walk/Walked.ts"
import { startWakeWord } from "./WakeWordSuite.ts"
import { listeningCases, modelCases } from "./walk/ListeningCases.ts"
import { seeds } from "./walk/Seeds.ts"
import { sampleCases, trainingCases } from "./walk/TrainingCases.ts"

walked(
  "wake-word",
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
    yield* distinctIds(suite, "wake_word", ["model.id", "sample.id", "training.seq"])
    const made = seeds(suite)
    return {
      suite,
      schema: "wake_word",
      cases: { ...listeningCases(made), ...modelCases(made), ...sampleCases(made), ...trainingCases(made) },
      ...(yield* fakeCallers(suite))
    }
  }),
  180_000
)
