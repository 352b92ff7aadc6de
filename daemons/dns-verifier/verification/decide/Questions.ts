/** What to ask about a domain, and whether a glance is enough of an answer. Pure. */
import type { RecordStatus } from "#core/contracts/MailDomains.ts"
import type { Question } from "../observe/Observation.ts"
import type { Decision, State } from "./Decide.ts"
import { difference, type Finding } from "./Finding.ts"
import type { ExpectedRecord } from "./RecordStatuses.ts"

/** What decides, and what leads people of IPv6 elsewhere even where the platform has none. */
const always: ReadonlyArray<Question> = [
  { type: "A", name: "@" },
  { type: "AAAA", name: "@" }
]

/** Each place once. */
export const questionsOf = (
  wanted: ReadonlyArray<ExpectedRecord>,
  base: ReadonlyArray<Question> = always
): ReadonlyArray<Question> => {
  const found = [...base]
  for (const { name, type } of wanted)
    if (!found.some((one) => one.type === type && one.name === name)) found.push({ type, name })
  return found
}

/** What a domain is known as, to compare a look with. */
export interface Known {
  readonly state: State
  readonly records: ReadonlyArray<RecordStatus>
  readonly findings: ReadonlyArray<Finding>
  /** Whether anybody has looked at all. */
  readonly isSeen: boolean
}

/** Whether the look would change what is known. */
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
 * Rounds in which a domain that is not as it should be is looked at in depth once, though a glance tells what is known
 * already: servers that a glance leaves out may have changed. Source of the figure: once an hour for one of five
 * minutes.
 */
export const depthEvery = 12

/**
 * `glance`: what a quick look made of it. `turn`: any number that grows by one from look to look and differs between
 * domains.
 */
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
