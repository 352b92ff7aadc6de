/**
 * The three walks as tests of one daemon, with fake users as callers. Daemons that need further walks or real sign-ins
 * call `tenancy`, `rowSecurity` and `badInput` themselves.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, type Scope } from "effect"
import { providerTenant } from "#core/auth/Caller.ts"
import { fakeUser } from "#support/FakeUsers.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { badInput } from "./BadInputWalk.ts"
import { rowSecurity } from "./RowSecurity.ts"
import { tenancy } from "./TenancyWalk.ts"
import type { Walk } from "./Walk.ts"

/** First value of the first sequence, and distance between sequences. Reason: no other number of a test is as high. */
const firstId = 700_000
const step = 10_000

/**
 * Moves the sequences of these columns (`table.column`) to ranges of their own. The ids then appear nowhere else in an
 * answer, so the walk masks nothing else before it compares answers.
 */
export const distinctIds = ({ sql }: TestSuite, schema: string, columns: ReadonlyArray<string>) =>
  Effect.forEach(
    columns,
    (each, index) => {
      const [table, column] = each.split(".") as [string, string]
      const sequence = sql`pg_get_serial_sequence(${`${schema}.${table}`}, ${column})`
      return sql`select setval(${sequence}, ${firstId + index * step})`
    },
    { discard: true }
  )

/** Fake users of two tenants with all permissions, one of the second without any, and the platform's service token. */
export const fakeCallers = (suite: TestSuite) =>
  Effect.map(suite.token, (token) => ({
    a: fakeUser("A", 7),
    b: fakeUser("B", 8),
    powerless: fakeUser("P", 8, ""),
    platform: {
      name: "platform",
      tenant: providerTenant,
      headers: { "x-service-token": token },
      mark: "mark-of-platform"
    }
  }))

/** Asserts that a walk has found nothing. The message lists the findings. */
export const clean = (findings: ReadonlyArray<string>): void => assert.strictEqual(findings.join("\n"), "")

class Walked extends Context.Service<Walked, Walk>()("test/Walked") {}

/**
 * Timeout of the test of row security. Unit: milliseconds. Shorter than that of the other walks, because it asks the
 * database only and sends no requests.
 */
const rowsTimeout = 60_000

/** Declares the tests. `start`: starts the daemon once for all. `timeout`: of each longer walk, in milliseconds. */
export const walked = (daemon: string, start: Effect.Effect<Walk, unknown, Scope.Scope>, timeout = 120_000) =>
  describe(`${daemon}, walked`, () => {
    layer(Layer.effect(Walked, start), { excludeTestServices: true, timeout: "60 seconds" })((it) => {
      it.effect("keeps tenants apart", () => Effect.map(Effect.flatMap(Walked, tenancy), clean), timeout)
      it.effect(
        "keeps tenants apart in statements without WHERE",
        () =>
          Effect.map(
            Effect.flatMap(Walked, (walk) => rowSecurity(walk)),
            clean
          ),
        rowsTimeout
      )
      it.effect("refuses wrong input", () => Effect.map(Effect.flatMap(Walked, badInput), clean), timeout)
    })
  })
