/** Chooses the DNS questions for a domain, and decides whether a quick check is enough. Pure. */
import type { RecordStatus } from "#core/contracts/MailDomains.ts"
import type { Question } from "../observe/Observation.ts"
import type { Decision, State } from "./Decide.ts"
import { difference, type Finding } from "./Finding.ts"
import type { ExpectedRecord } from "./RecordStatuses.ts"

/** Always asked. AAAA too, because a foreign IPv6 address misleads visitors even if the platform has no IPv6. */
const always: ReadonlyArray<Question> = [
  { type: "A", name: "@" },
  { type: "AAAA", name: "@" }
]

/** Each name and type once. */
export const questionsOf = (
  wanted: ReadonlyArray<ExpectedRecord>,
  base: ReadonlyArray<Question> = always
): ReadonlyArray<Question> => {
  const found = [...base]
  for (const { name, type } of wanted)
    if (!found.some((one) => one.type === type && one.name === name)) found.push({ type, name })
  return found
}

/** Stored state of a domain, for comparison with a check. */
export interface Known {
  readonly state: State
  readonly records: ReadonlyArray<RecordStatus>
  readonly findings: ReadonlyArray<Finding>
  /** Whether any check has been stored. */
  readonly isSeen: boolean
}

/** Whether the check changes the stored state. */
export const isNews = (known: Known, decision: Decision): boolean =>
  !known.isSeen ||
  !isSameState(known.state, decision.state) ||
  known.records.some((status, at) => status !== decision.records[at]) ||
  difference(known.findings, decision.findings) === "meaning"

const isSameState = (a: State, b: State) =>
  a.dns_status === b.dns_status &&
  a.status === b.status &&
  a.mismatches === b.mismatches &&
  a.check_every === b.check_every

/**
 * A domain with a problem gets one deep check in this many checks, even without a change, because a quick check leaves
 * out servers. Reason: once an hour at an interval of five minutes.
 */
export const depthEvery = 12

/** `glance`: decision from a quick check. `turn`: grows by one with each check and differs between domains. */
export const needsDepth = (known: Known, glance: Decision, turn: number): boolean => {
  if (
    isNews(known, glance) ||
    known.state.dns_status === "pending_verification" ||
    (known.state.mismatches > 0 && known.state.dns_status === "verified")
  )
    return true
  const isGood = glance.state.dns_status === "verified" && glance.records.every((status) => status === "ok")
  return !isGood && turn % depthEvery === 0
}
