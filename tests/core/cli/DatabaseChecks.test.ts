import { checkDatabase, connectionFinding, migrationFindings, roleFinding } from "#core/cli/DatabaseChecks.ts"
import { judge } from "#core/sql/ConnectionBudget.ts"
import { coreMigrations } from "#core/sql/CoreSchema.ts"
import { daemons } from "#daemons/Suite.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"

const role = { name: "app", bypasses: false, creates: false, tenant: true, schemas: true }

it("judges the login role", () => {
  expect(roleFinding(role).status).toBe("ok")
  expect(roleFinding({ ...role, bypasses: true })).toMatchObject({
    status: "warn",
    detail: expect.stringContaining("row-level security")
  })
  expect(roleFinding({ ...role, tenant: false, creates: true }).status).toBe("ok")
  expect(roleFinding({ ...role, tenant: false })).toMatchObject({
    status: "bad",
    detail: expect.stringContaining("create role signalbox_tenant")
  })
  expect(roleFinding({ ...role, schemas: false }).status).toBe("bad")
})

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

it("judges connections", () => {
  expect(connectionFinding(judge({ max_connections: 200, reserved: 3 }, 2)).status).toBe("ok")
  expect(connectionFinding(judge({ max_connections: 10, reserved: 3 }, 2)).status).toBe("bad")
})

it.live("queries a real database without changes", () =>
  Effect.gen(function* () {
    const { superuser, target } = yield* freshDatabase
    const findings = yield* checkDatabase(target, daemons, "test")
    expect(findings.map((finding) => [finding.check, finding.status])).toEqual([
      ["database", "ok"],
      ["role", "ok"],
      ["migrations", "warn"],
      ["connections", "ok"]
    ])
    expect(findings[2]!.detail).toContain(`core ${coreMigrations.steps[0]!.id}`)
    const again = yield* checkDatabase(superuser, daemons, "test")
    expect(again.slice(1, 3).map((finding) => finding.status)).toEqual(["warn", "warn"])
  }).pipe(Effect.scoped)
)
