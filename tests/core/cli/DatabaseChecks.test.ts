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
  expect(migrationFindings([{ migrations, last: 2 }])).toMatchObject([{ status: "ok" }])
  expect(migrationFindings([{ migrations, last: 1 }])).toMatchObject([
    { status: "warn", detail: expect.stringContaining("a 2") }
  ])
  expect(migrationFindings([{ migrations, last: 3 }])).toMatchObject([
    { status: "bad", detail: expect.stringContaining("newer") }
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
      ["connections", "ok"]
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
