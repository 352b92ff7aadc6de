import { checkDatabase, migrationFindings } from "#core/cli/DatabaseChecks.ts"
import { coreMigrations } from "#core/sql/CoreSchema.ts"
import { daemons } from "#daemons/Suite.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"

it("judges the migrations that ran", () => {
  const migrations = {
    schema: "a",
    steps: [
      { id: 1, name: "x", statements: [] },
      { id: 2, name: "y", statements: [] }
    ]
  }
  const ran = (...ids: ReadonlyArray<number>) => [
    {
      migrations,
      ran: ids.map((id) => ({
        schema: "a",
        id,
        name: `n${id}`,
        ranAt: new Date(id * 1_000),
        version: "9.1.0",
        additive: id > 10
      }))
    }
  ]
  expect(migrationFindings(ran(1, 2), "9.0.0")).toMatchObject([{ status: "ok" }])
  expect(migrationFindings(ran(1), "9.0.0")).toMatchObject([
    { status: "warn", detail: expect.stringMatching(/^pending: a 2; .*backup/) }
  ])
  expect(migrationFindings(ran(1, 2, 11), "9.0.0")).toMatchObject([
    { status: "warn", detail: "of a newer version, with which this one works: a 11" }
  ])
  expect(migrationFindings(ran(1, 2, 3), "9.0.0")).toMatchObject([
    {
      status: "bad",
      detail: expect.stringMatching(
        /schema a \(migration 3, n3\)\. Start version 9\.1\.0 again.*stay at 9\.0\.0, .*before 1970-01-01 00:00:03 UTC/
      )
    }
  ])
})

it.live("queries a real database without changes", () =>
  Effect.gen(function* () {
    const { superuser, target } = yield* freshDatabase
    const findings = yield* checkDatabase(target, daemons, "test")
    expect(findings.map((finding) => [finding.check, finding.status])).toEqual([
      ["database", "ok"],
      ["role", "ok"],
      // Test servers run without fsync.
      ["settings", "warn"],
      ["settings", "warn"],
      ["migrations", "warn"],
      ["connections", "ok"],
      // The packaged server is not the newest.
      ["server", "warn"]
    ])
    expect(findings.find(({ check }) => check === "migrations")?.detail).toContain(
      `core ${coreMigrations.steps[0]!.id}`
    )
    const again = yield* checkDatabase(superuser, daemons, "test")
    expect(again.filter(({ check }) => check === "role" || check === "migrations")).toMatchObject([
      { status: "warn", detail: expect.stringContaining("row-level security") },
      { status: "warn" }
    ])
  }).pipe(Effect.scoped)
)
