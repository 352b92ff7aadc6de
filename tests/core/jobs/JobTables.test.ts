/** The check of the job engine's tables. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { join } from "node:path"
import { check } from "#core/jobs/JobTables.ts"
import { inFrame } from "#support/Frame.ts"
import { readSourceTree } from "#support/SourceTree.ts"

/** The problem that `check` finds after this change, which is rolled back; undefined: none. */
const problemAfter = (change: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    let found: string | undefined
    yield* Effect.ignore(
      sql.withTransaction(
        Effect.gen(function* () {
          yield* sql.unsafe(change)
          found = yield* Effect.match(check, { onSuccess: () => undefined, onFailure: ({ message }) => message })
          return yield* Effect.fail("roll back")
        })
      )
    )
    return found
  })

it.live("accepts the installed engine, and names a missing column or another order of states", () =>
  inFrame(
    Effect.gen(function* () {
      expect(yield* problemAfter("select 1")).toBeUndefined()
      expect(yield* problemAfter("alter table pgboss.job rename column retry_count to retries")).toMatch(
        /pgboss\.job lacks retry_count/
      )
      expect(yield* problemAfter("alter type pgboss.job_state rename value 'retry' to 'again'")).toMatch(
        /the states of pgboss\.job are created, again, active/
      )
    })
  )
)

it("only its module names the engine's tables", () => {
  const others = readSourceTree(join(import.meta.dirname, "../../.."))
    .filter(({ path }) => /^(core|daemons|protocols|scripts)\//.test(path) && path !== "core/jobs/JobTables.ts")
    .filter(({ text }) => /\bpgboss\.[a-z_]/.test(text))
  expect(others.map(({ path }) => path)).toEqual([])
})
