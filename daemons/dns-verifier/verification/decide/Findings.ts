/** Derives findings from an observation, most important first. Pure. */
import type { RecordStatus } from "#core/contracts/MailDomains.ts"
import type { Observation } from "../observe/Observation.ts"
import type { DetectedProvider } from "../observe/ProviderDetection.ts"
import { askedOf, summarizeAnswers, foundAt, isDefinite } from "./AnswerSummary.ts"
import type { Finding, FindingCode } from "./Finding.ts"
import type { ExpectedRecord } from "./RecordStatuses.ts"
import { serverTroubles } from "./ServerTroubles.ts"
import { type AddressCheck, type AddressRules, isOurs } from "./AddressCheck.ts"

/** What is known besides the observation. */
export interface Hints {
  /** Detected provider, if the delegation was seen. */
  readonly detected: DetectedProvider | undefined
  /** Labels of the name that mix scripts. */
  readonly mixedLabels: ReadonlyArray<string>
  /** Our other desired records at the same names. */
  readonly beside: ReadonlyArray<ExpectedRecord>
}

interface Addresses extends AddressRules {
  readonly ipv6: string | undefined
}

/** `statuses`: of `wanted`, in the same order. */
export const findingsOf = (
  observation: Observation,
  addressCheck: AddressCheck,
  wanted: ReadonlyArray<ExpectedRecord>,
  statuses: ReadonlyArray<RecordStatus>,
  { ipv4, ipv6, isStrict }: Addresses,
  { detected, mixedLabels }: Hints
): ReadonlyArray<Finding> => {
  // For a name that does not exist, other findings are useless.
  const isGone =
    addressCheck.kind === "elsewhere" && (addressCheck.why === "no_delegation" || addressCheck.why === "nxdomain")
  return [
    ...(ipv4 === undefined ? [finding("platform_unset", {})] : []),
    ...aboutAddress(observation, addressCheck, { ipv4, isStrict }),
    ...(isGone ? [] : [...serverTroubles(observation), ...aboutRecords(observation, wanted, statuses, ipv4, ipv6)]),
    ...(detected?.mixed === true
      ? [finding("mixed_providers", { servers: detected.evidence.map(({ nameServer }) => nameServer) })]
      : []),
    ...(mixedLabels.length > 0 ? [finding("mixed_scripts", { labels: mixedLabels })] : [])
  ]
}

const apex = { type: "A", name: "@" }

const aboutAddress = (
  observation: Observation,
  addressCheck: AddressCheck,
  { ipv4, isStrict }: AddressRules
): ReadonlyArray<Finding> => {
  const found = () => foundAt(observation, "A", "@")
  const others = () => found().filter((address) => address !== ipv4)
  switch (addressCheck.kind) {
    case "here":
      return [
        finding("points_here", { addresses: found() }, apex),
        ...(addressCheck.extra ? [finding("extra_addresses", { found: others() }, apex)] : [])
      ]
    case "coming":
      return addressCheck.why === "not_visible_yet"
        ? [finding("not_visible_yet", { addresses: found() }, apex)]
        : [disagreement(observation, ipv4!, isStrict)]
    case "elsewhere":
      return [
        addressCheck.why === "no_delegation"
          ? finding("no_delegation", {})
          : finding(
              addressCheck.why,
              addressCheck.why === "points_elsewhere" || addressCheck.why === "extra_addresses"
                ? { found: others() }
                : {},
              apex
            )
      ]
    case "unclear":
      return unclear(observation)
  }
}

const disagreement = (observation: Observation, ipv4: string, isStrict: boolean): Finding => {
  const conclusion = summarizeAnswers(askedOf(observation, "A", "@"))
  const answers = conclusion.kind === "disagree" ? conclusion.answers : []
  const by = (ours: boolean) =>
    answers
      .filter(({ said }) => isOurs(said, ipv4, isStrict) === ours)
      .flatMap((answer) => answer.by)
      .toSorted()
  return finding("authorities_disagree", { here: by(true), elsewhere: by(false) }, apex)
}

/** Why no answer was definite, beyond the failures of servers. */
const unclear = (observation: Observation): ReadonlyArray<Finding> => {
  if (observation.dnssec === "bogus") return [finding("dnssec_bogus", {})]
  const asked = askedOf(observation, "A", "@")
  const heard = [...(asked?.authorities ?? []), ...(asked?.resolvers ?? [])]
  const loop = heard.find(({ said }) => said.outcome === "cname_loop")
  if (loop !== undefined) return [finding("cname_loop", { chain: loop.said.chain.slice(0, shownOfChain) }, apex)]
  if (isBlind(observation)) return [finding("resolvers_silent", {})]
  // The servers answer other questions, but not this one.
  if (asked === undefined || serverTroubles(observation).some(({ args }) => args["working"] === undefined)) return []
  return [
    finding(
      "server_failure",
      {
        servers: asked.authorities
          .filter(({ said }) => !isDefinite(said))
          .map(({ server }) => server.name)
          .toSorted()
      },
      apex
    )
  ]
}

/** Names of a loop that are shown. Unit: names. Reason: one line. */
const shownOfChain = 6

/** Whether no server and no resolver answered. Then our own network fails, and the domain is not to blame. */
export const isBlind = (observation: Observation): boolean => {
  const silent = (outcome: string) => outcome === "timeout" || outcome === "unreachable"
  const resolvers = observation.asked.flatMap((asked) => asked.resolvers)
  return (
    resolvers.length > 0 &&
    resolvers.every(({ said }) => silent(said.outcome)) &&
    observation.asked.every(({ authorities }) => authorities.every(({ said }) => silent(said.outcome)))
  )
}

const codes: Readonly<Record<string, { readonly missing: FindingCode; readonly wrong: FindingCode }>> = {
  "AAAA @": { missing: "ipv6_missing", wrong: "ipv6_elsewhere" },
  "A www": { missing: "www_missing", wrong: "www_elsewhere" }
}

const aboutRecords = (
  observation: Observation,
  wanted: ReadonlyArray<ExpectedRecord>,
  statuses: ReadonlyArray<RecordStatus>,
  ipv4: string | undefined,
  ipv6: string | undefined
) => {
  const told = new Set<string>()
  const strange = ipv6 === undefined ? foundAt(observation, "AAAA", "@") : []
  const unwanted = strange.length > 0 && !wanted.some(({ name, type }) => type === "AAAA" && name === "@")
  return [
    ...(unwanted ? [finding("ipv6_elsewhere", { wanted: [], found: strange }, { type: "AAAA", name: "@" })] : []),
    ...wanted.flatMap(({ content, name, type }, at): ReadonlyArray<Finding> => {
      const status = statuses[at]!
      const key = `${type} ${name}`
      if (status === "ok" || status === "unknown" || key === "A @" || told.has(key)) return []
      const ours = content === ipv4 || content === ipv6 ? codes[key] : undefined
      if (ours !== undefined) told.add(key)
      const found = foundAt(observation, type, name)
      const code = ours === undefined ? (`record_${status}` as const) : ours[status]
      return [finding(code, { wanted: [content], ...(status === "wrong" ? { found } : {}) }, { type, name })]
    })
  ]
}

const finding = (code: FindingCode, args: Finding["args"], record: Finding["record"] = null): Finding => ({
  code,
  record,
  args
})
