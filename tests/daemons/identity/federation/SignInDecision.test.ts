import { expect, it } from "@effect/vitest"
import { decide, type Candidates } from "#daemons/identity/federation/SignInDecision.ts"

const day = (n: number) => new Date(Date.UTC(2026, 0, n))
const linked = (more: Partial<NonNullable<Candidates["linked"]>> = {}): Candidates => ({
  linked: { active: true, role: "user", factorSince: undefined, linkedBy: "email", linkedAt: day(2), ...more },
  byEmail: undefined
})
const byEmail = (more: Partial<NonNullable<Candidates["byEmail"]>> = {}): Candidates => ({
  linked: undefined,
  byEmail: { active: true, role: "user", factorSince: undefined, linkedToAnother: false, ...more }
})
const short = (found: Candidates) => {
  const decision = decide(found)
  return decision._tag === "Refuse" ? decision.reason : decision._tag
}

it("a connection opens the account; a verified address does so only for unguarded accounts", () => {
  const table: ReadonlyArray<readonly [Candidates, string]> = [
    [{ linked: undefined, byEmail: undefined }, "unknown_account"],
    [linked(), "Enter"],
    [linked({ active: false }), "unknown_account"],
    [linked({ role: "admin" }), "connect_first"],
    [linked({ role: "admin", linkedBy: "owner" }), "Enter"],
    [linked({ role: "admin", linkedBy: "owner", active: false }), "unknown_account"],
    [linked({ role: "reseller" }), "Enter"],
    [linked({ factorSince: day(1) }), "connect_first"],
    [linked({ factorSince: day(3) }), "connect_first"],
    [linked({ factorSince: day(1), linkedBy: "owner" }), "Enter"],
    [linked({ factorSince: day(3), linkedBy: "owner" }), "connect_first"],
    [byEmail(), "LinkAndEnter"],
    [byEmail({ active: false }), "unknown_account"],
    [byEmail({ role: "admin" }), "connect_first"],
    [byEmail({ role: "admin", active: false }), "unknown_account"],
    [byEmail({ factorSince: day(1) }), "connect_first"],
    [byEmail({ linkedToAnother: true }), "connect_first"],
    // A linked account takes precedence over an account with the same address.
    [{ linked: linked().linked, byEmail: byEmail({ role: "admin" }).byEmail }, "Enter"]
  ]
  for (const [found, expected] of table) expect([found, short(found)]).toEqual([found, expected])
})
