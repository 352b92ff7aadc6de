/**
 * The common case in a few comparisons: a verified domain of which everybody says exactly what is wanted. Pure.
 * Whatever is otherwise, also where it comes to the same, is decide's to say.
 */
import type { Asked, Observation, Said } from "../observe/Observation.ts"
import { byTtl } from "./Cadence.ts"
import type { Known } from "./Questions.ts"
import type { ExpectedRecord } from "./RecordStatuses.ts"

/** `ipv4`: the platform's. True: decide would find no news, and nothing to look at in depth. */
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
    // Several at one place are a set, and not plain.
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
