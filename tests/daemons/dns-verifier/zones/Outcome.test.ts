/** What became of a change at the provider, from the stored state. */
import { describe, expect, it } from "vitest"
import { warning } from "#daemons/dns-verifier/record-sets/PlanWarning.ts"
import { isOpen, outcomeOf } from "#daemons/dns-verifier/zones/Outcome.ts"
import type { StoredPlan } from "#daemons/dns-verifier/zones/PlanStore.ts"
import type { ZoneChange } from "#daemons/dns-verifier/zones/ZoneChange.ts"

const at = new Date("2026-11-26T12:00:00Z")
const account = { type: "provider_a", has_credentials: true }
const done: ZoneChange = {
  requested: 3,
  attempted: 3,
  planned: 3,
  plan_id: "p",
  reason: null,
  problem: null,
  retry_at: null
}
const plan = (change: Partial<StoredPlan>): StoredPlan => ({
  id: "p",
  tenant_id: 7,
  domain_id: 1,
  reason: "r",
  actor: "system",
  state: "planned",
  fingerprint: "f",
  zone_sets: 1,
  share: 0.1,
  warnings: [],
  removes: [],
  applied_by: null,
  problem: null,
  created_at: at,
  apply_after: null,
  begun_at: null,
  ended_at: null,
  steps: [],
  ...change
})
const foreign = [warning("foreign_mx", { type: "MX", name: "@" }, "All mail will go elsewhere.")]
const told = (input: Partial<Parameters<typeof outcomeOf>[0]>) => {
  const { reason, state } = outcomeOf({ account, change: done, plan: undefined, isApplying: false, ...input })
  return [state, reason]
}

describe("the outcome of a change", () => {
  it("depends on the account first", () => {
    expect(told({ account: undefined })).toEqual(["none", "no_account"])
    expect(told({ account: { type: "provider_c", has_credentials: false } })).toEqual(["none", "no_adapter"])
    expect(told({ account: { type: "provider_b", has_credentials: false } })).toEqual(["not_applied", "no_credentials"])
  })

  it("is queued until a plan covers it", () => {
    const behind = { ...done, requested: 4 }
    expect(told({ change: undefined })).toEqual(["queued", "planning"])
    expect(told({ change: behind, plan: plan({ state: "applied" }) })).toEqual(["queued", "planning"])
    expect(told({ change: behind, isApplying: true })).toEqual(["queued", "plan_under_way"])
    // The error of an earlier change does not count for this one.
    const failed = { ...behind, reason: "rate_limited", problem: "too many", retry_at: at } as const
    expect(told({ change: failed })).toEqual(["queued", "planning"])
    expect(told({ change: { ...failed, attempted: 4 } })).toEqual(["queued", "rate_limited"])
    expect(told({ change: { ...failed, attempted: 4, reason: "provider_refused", retry_at: null } })).toEqual([
      "not_applied",
      "provider_refused"
    ])
  })

  it("follows the plan", () => {
    expect(told({})).toEqual(["unchanged", null])
    for (const [change, outcome] of [
      [{ apply_after: at }, ["planned", null]],
      [{ state: "applying" }, ["applying", null]],
      [{ state: "applied" }, ["applied", null]],
      [{ state: "failed" }, ["failed", null]],
      [{ state: "stale" }, ["failed", null]],
      [{ state: "discarded" }, ["not_applied", "discarded"]],
      [{ warnings: foreign }, ["not_applied", "foreign_records"]],
      [{ state: "stopped" }, ["not_applied", "large_change"]],
      [{}, ["not_applied", "approval_required"]]
    ] as const)
      expect([change, told({ plan: plan(change) })]).toEqual([change, outcome])
  })

  it("is waited for until planned, or until written", () => {
    const open = (input: Partial<Parameters<typeof outcomeOf>[0]>) => {
      const outcome = outcomeOf({ account, change: done, plan: undefined, isApplying: false, ...input })
      return [isOpen(outcome, false), isOpen(outcome, true)]
    }
    expect(open({ change: undefined })).toEqual([true, true])
    expect(open({ change: { ...done, requested: 4 }, isApplying: true })).toEqual([false, true])
    expect(open({ plan: plan({ apply_after: at }) })).toEqual([false, true])
    expect(open({ plan: plan({ state: "applying" }) })).toEqual([false, true])
    expect(open({ plan: plan({ warnings: foreign }) })).toEqual([false, false])
    expect(open({ plan: plan({ state: "applied" }) })).toEqual([false, false])
  })
})
