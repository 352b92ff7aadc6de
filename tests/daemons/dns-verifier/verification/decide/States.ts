/** States to decide from, and looks as the tests of Decide make them. */
import { decide, type Decision, type State } from "#daemons/dns-verifier/verification/decide/Decide.ts"
import type { Observation } from "#daemons/dns-verifier/verification/observe/Observation.ts"
import { hints, rules, wanted } from "./Seen.ts"

export const manual: State = { dns_status: "manual", status: "pending", mismatches: 0, check_every: 5 }
export const verified: State = { dns_status: "verified", status: "active", mismatches: 0, check_every: 40 }
export const failed: State = { dns_status: "error", status: "active", mismatches: 3, check_every: 5 }

export const look = (state: State, observation: Observation, fromAccount: "manual" | "managed" = "manual") =>
  decide(state, fromAccount, observation, wanted, rules, hints)
export const rounds = (state: State, observation: Observation, count: number): ReadonlyArray<Decision> => {
  const found: Array<Decision> = []
  for (let round = 0; round < count; round++) found.push(look(found.at(-1)?.state ?? state, observation))
  return found
}
export const absent = { delegation: { outcome: "absent", zone: null, servers: [] } } as const
