/**
 * Fast path for the common case: a verified domain for which all answers are exactly as wanted. Pure. Every other case,
 * even an equivalent one, goes to `decide`.
 */
import type { Asked, Observation, Said } from "../observe/Observation.ts"
import { byTtl } from "./Cadence.ts"
import type { Known } from "./Questions.ts"
import type { ExpectedRecord } from "./RecordStatuses.ts"

/** `ipv4`: the platform's address. True: `decide` would find no change, and no deep check is needed. */
export const isFullyVerified = (
  known: Known,
  wanted: ReadonlyArray<ExpectedRecord>,
  observation: Observation,
  ipv4: string | undefined
): boolean => {
  const { check_every, dns_status, mismatches } = known.state
  const [finding] = known.findings
  return (
    known.isSeen &&
    dns_status === "verified" &&
    mismatches === 0 &&
    known.findings.length === 1 &&
    finding!.code === "points_here" &&
    known.records.every((status) => status === "ok") &&
    observation.delegation.outcome === "delegated" &&
    observation.delegation.servers.every(({ address }) => address !== null) &&
    observation.dnssec !== "bogus" &&
    wanted.every(({ name, type }) => observation.asked.some((asked) => asked.type === type && asked.name === name)) &&
    observation.asked.every((asked) => isAsWanted(asked, wanted, ipv4)) &&
    byTtl(observation, check_every) === check_every
  )
}

const isAsWanted = (
  { authorities, name, resolvers, type }: Asked,
  wanted: ReadonlyArray<ExpectedRecord>,
  ipv4: string | undefined
): boolean => {
  let content: string | undefined
  for (const record of wanted) {
    if (record.type !== type || record.name !== name) continue
    // Several records of one name and type need the comparison of sets in `decide`.
    if (content !== undefined) return false
    content = record.content
  }
  if (type === "A" && name === "@" && content !== ipv4) return false
  const says =
    content === undefined
      ? isNothing
      : (said: Said) => said.outcome === "answer" && said.values.length === 1 && said.values[0] === content
  return (
    authorities.length > 0 && authorities.every(({ said }) => says(said)) && resolvers.every(({ said }) => says(said))
  )
}

const isNothing = ({ outcome, values }: Said) => outcome === "nodata" && values.length === 0
