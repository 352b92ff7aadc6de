import { expect, it } from "vitest"
import { nothing } from "#daemons/dns-verifier/verification/sweep/DomainLook.ts"
import { SweepState } from "#daemons/dns-verifier/verification/sweep/SweepState.ts"

it("is degraded when every check fails, and well again after one that does not", () => {
  const state = new SweepState(60_000)
  for (let failed = 1; failed <= 9; failed++) state.countFailed()
  expect(state.component().status).toBe("ok")
  state.countFailed()
  expect(state.component()).toMatchObject({
    status: "degraded",
    detail: "the last 10 checks failed; the log has the errors",
    failed: 10
  })
  state.count(nothing)
  expect(state.component()).toMatchObject({ status: "ok", failed: 10 })
})
