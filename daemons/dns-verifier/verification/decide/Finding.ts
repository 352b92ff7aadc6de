/** Findings of a check, as codes with arguments. Stored with the domain; words/ turns them into sentences. */
import { Schema } from "effect"

export const FindingCode = Schema.Literals([
  /** The platform's own address is not configured yet, so nothing can point to it. */
  "platform_unset",
  /** A at @ is the platform's address on every answering server. */
  "points_here",
  /** `found`: the other addresses. */
  "points_elsewhere",
  /** The platform's address and also the addresses in `found`. */
  "extra_addresses",
  /** The name exists without an address. */
  "no_address",
  "nxdomain",
  /** The parent zone does not know the name: expired, or never registered. */
  "no_delegation",
  /** `here`, `elsewhere`: servers with and without the platform's address. */
  "authorities_disagree",
  /** The name servers give the wanted answer, resolvers not yet. */
  "not_visible_yet",
  /** The delegation names `servers`, but they do not serve the domain. */
  "lame_delegation",
  /** `servers` did not answer in time. */
  "name_servers_silent",
  /** `servers` answered with an error. */
  "server_failure",
  /** `servers` have private or reserved addresses. */
  "private_name_servers",
  /** The names of `servers` have no address. */
  "name_servers_unknown",
  /** Neither resolvers nor name servers answered, which says nothing about the domain. */
  "resolvers_silent",
  "dnssec_bogus",
  "cname_loop",
  /** Several `providers` serve the domain. */
  "mixed_providers",
  "ipv6_missing",
  "ipv6_elsewhere",
  "www_missing",
  "www_elsewhere",
  /** A record that a user requested. */
  "record_missing",
  "record_wrong",
  /** `labels` mix scripts. */
  "mixed_scripts"
])
export type FindingCode = typeof FindingCode.Type

export const Finding = Schema.Struct({
  code: FindingCode,
  /** The record set concerned, if it is one; `@`: the domain itself. */
  record: Schema.NullOr(Schema.Struct({ type: Schema.String, name: Schema.String })),
  args: Schema.Record(Schema.String, Schema.Array(Schema.String))
})
export type Finding = typeof Finding.Type

/** Severities as the API names them. */
export type Severity = "info" | "warning" | "error"

/** Argument of a finding about some servers while others answer; the sentences differ then. */
export const partly = { working: ["some"] } as const

const isPartial = (finding: Finding) => finding.args["working"]?.[0] === "some"

const severities: Readonly<Record<FindingCode, Severity>> = {
  platform_unset: "warning",
  points_here: "info",
  points_elsewhere: "error",
  extra_addresses: "warning",
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
 * Compares two lists of findings. `meaning`: different findings. `detail`: the same findings with other foreign values,
 * or with other failing servers among several. Details change by themselves with round-robin answers, so they are not
 * reported.
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

/** Comparable form, because the database does not keep the order of keys. */
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
