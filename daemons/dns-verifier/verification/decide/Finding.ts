/**
 * What was made of an observation, as codes with arguments: kept with the domain, and put into words where somebody
 * reads it (words/).
 */
import { Schema } from "effect"

export const FindingCode = Schema.Literals([
  /** A at @ is the platform's, on every server that answered. */
  "points_here",
  /** `found`: what it is instead. */
  "points_elsewhere",
  /** The platform's address, and `found` beside it. */
  "extra_addresses",
  /** The name is there and has no address. */
  "no_address",
  "nxdomain",
  /** The parent zone does not know the name: expired, or never registered. */
  "no_delegation",
  /** `here`, `elsewhere`: servers that know the new answer, and those that do not. */
  "authorities_disagree",
  /** The domain's own servers say what is wanted, resolvers still something else. */
  "not_visible_yet",
  /** `servers` are named by the delegation and know nothing of the domain. */
  "lame_delegation",
  /** `servers` did not answer in time. */
  "name_servers_silent",
  /** `servers` answered with an error. */
  "server_failure",
  /** `servers` have addresses that nobody outside can reach. */
  "private_name_servers",
  /** The names of `servers` lead to no address. */
  "name_servers_unknown",
  /** No resolver of ours answered, nor any server of the domain: that says nothing about it. */
  "resolvers_silent",
  "dnssec_bogus",
  "cname_loop",
  /** `providers` share the domain's name servers. */
  "mixed_providers",
  "ipv6_missing",
  "ipv6_elsewhere",
  "www_missing",
  "www_elsewhere",
  /** A record that a user asked for. */
  "record_missing",
  "record_wrong",
  /** `labels` mix scripts. */
  "mixed_scripts"
])
export type FindingCode = typeof FindingCode.Type

export const Finding = Schema.Struct({
  code: FindingCode,
  /** What it is about, where it is one record set; `@`: the domain itself. */
  record: Schema.NullOr(Schema.Struct({ type: Schema.String, name: Schema.String })),
  args: Schema.Record(Schema.String, Schema.Array(Schema.String))
})
export type Finding = typeof Finding.Type

/** As the interface names them. */
export type Severity = "info" | "warning" | "error"

/** Trouble of some servers while others answer; the argument says so, for the words differ. */
export const partly = { working: ["some"] } as const

const isPartial = (finding: Finding) => finding.args["working"]?.[0] === "some"

const severities: Readonly<Record<FindingCode, Severity>> = {
  points_here: "info",
  points_elsewhere: "error",
  extra_addresses: "error",
  no_address: "error",
  nxdomain: "error",
  no_delegation: "error",
  authorities_disagree: "warning",
  not_visible_yet: "info",
  lame_delegation: "error",
  name_servers_silent: "error",
  server_failure: "error",
  private_name_servers: "error",
  name_servers_unknown: "error",
  resolvers_silent: "warning",
  dnssec_bogus: "error",
  cname_loop: "error",
  mixed_providers: "warning",
  ipv6_missing: "warning",
  ipv6_elsewhere: "warning",
  www_missing: "warning",
  www_elsewhere: "warning",
  record_missing: "warning",
  record_wrong: "warning",
  mixed_scripts: "warning"
}

export const severityOf = (finding: Finding): Severity => (isPartial(finding) ? "warning" : severities[finding.code])

/**
 * How two lists of findings differ. `meaning`: other findings. `detail`: the same ones, with other foreign values or
 * other servers in trouble among several; that changes by itself with servers that answer in turn, and is no news.
 */
export const difference = (
  before: ReadonlyArray<Finding>,
  after: ReadonlyArray<Finding>
): "same" | "detail" | "meaning" =>
  JSON.stringify(before.map(whole)) === JSON.stringify(after.map(whole))
    ? "same"
    : meaning(before) === meaning(after)
      ? "detail"
      : "meaning"

/** What comes back from the database has its keys in another order. */
const whole = ({ args, code, record }: Finding) => [
  code,
  record?.type,
  record?.name,
  Object.keys(args)
    .sort()
    .map((key) => [key, args[key]])
]

const meaning = (findings: ReadonlyArray<Finding>) =>
  findings
    .filter((finding) => !isPartial(finding))
    .map(({ code, record }) => `${code} ${record?.type} ${record?.name}`)
    .join("\n")
