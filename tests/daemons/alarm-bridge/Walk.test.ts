/** Walks over every operation of alarm-bridge, as two tenants and with invalid input. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { providerTenant } from "#core/auth/Caller.ts"
import { fakeUser } from "#support/FakeUsers.ts"
import { badInput } from "#support/walk/BadInputWalk.ts"
import { type Cases, platformOnly } from "#support/walk/Case.ts"
import { rowSecurity } from "#support/walk/RowSecurity.ts"
import { tenancy } from "#support/walk/TenancyWalk.ts"
import type { Walk } from "#support/walk/Walk.ts"
import { fakeCallers } from "#support/walk/Walked.ts"
import { startBridge } from "./Bridge.ts"

const statusPath = "/api/v1/alarm-bridge/status"

const cases: Cases = {
  [`GET ${statusPath}`]: platformOnly("the alarm mailboxes are the installation's", { success: 200 })
}

const walk = Effect.gen(function* () {
  const suite = yield* startBridge({})
  return { suite, schema: "alarm_bridge", cases, ...(yield* fakeCallers(suite)) } satisfies Walk as Walk
})

describe("alarm-bridge, walked", () => {
  it.live("keeps tenants apart and refuses wrong input", () =>
    Effect.gen(function* () {
      const walked = yield* walk
      expect((yield* tenancy(walked)).join("\n")).toBe("")
      expect((yield* rowSecurity(walked)).join("\n")).toBe("")
      expect((yield* badInput(walked)).join("\n")).toBe("")
    })
  )

  it.live("shows its status to the provider's own people", () =>
    Effect.gen(function* () {
      const { suite } = yield* walk
      const status = (tenant: number) =>
        Effect.map(
          suite.call("GET", statusPath, { headers: fakeUser("one", tenant).headers }),
          (answer) => answer.status
        )
      expect([yield* status(providerTenant), yield* status(7)]).toEqual([200, 403])
    })
  )
})
