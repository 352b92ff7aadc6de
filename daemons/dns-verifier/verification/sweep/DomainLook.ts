/** One check of a domain: asks DNS, decides, and writes only a change. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { remembering } from "#core/lane/Remembering.ts"
import { transaction } from "#core/sql/Sql.ts"
import { parseDomain } from "#protocols/dns/Name.ts"
import type { VerificationConfig } from "../Settings.ts"
import { accountStatusOf } from "../../domain-store/AccountStatus.ts"
import { decide, type Decision, settledOf } from "../decide/Decide.ts"
import { difference } from "../decide/Finding.ts"
import { isBlind } from "../decide/Findings.ts"
import { isFullyVerified } from "../decide/FullyVerified.ts"
import { isNews, type Known, needsDepth, questionsOf } from "../decide/Questions.ts"
import { contentOf } from "../decide/RecordStatuses.ts"
import type { Observation } from "../observe/Observation.ts"
import { Observer } from "../observe/Observer.ts"
import { detect } from "../observe/ProviderDetection.ts"
import { hasAdapter } from "../../domain-store/ProviderTypes.ts"
import { requestPlan } from "../../domain-store/PlanRequests.ts"
import * as DueRows from "./DueRows.ts"
import { boundedEvidence } from "./StoredEvidence.ts"
import { publishStatus } from "./StatusNotices.ts"

export type Settings = Pick<
  VerificationConfig,
  "platformIpv4" | "platformIpv6" | "dnsErrorAfter" | "dnsStrict" | "dnsMinute"
>

/** Outcome of a check, for the counters. */
export interface LookOutcome {
  readonly deep: boolean
  readonly written: boolean
  /** No server and no resolver answered. */
  readonly blind: boolean
}

/**
 * Interval at which changed details are stored without being reported. Unit: minutes. Reason: evidence stays recent
 * with few writes.
 */
const detailEvery = 60

/** Actor of background checks in the audit log. */
export const system = "system"

/** Questions of a quick check. */
export const asks = (row: DueRows.DomainRow) => questionsOf(row.records)

/** Whether the quick check shows no change, which is the usual case. Pure. */
export const isAsKnown = (row: DueRows.DomainRow, glance: Observation, { platformIpv4 }: Settings): boolean =>
  isPlain(row, glance) && isFullyVerified(knownOf(row), row.records, glance, platformIpv4)

/** Continues a sweep's check after a quick check with a difference. Call outside transactions. */
export const lookOn = Effect.fnUntraced(function* (row: DueRows.DomainRow, glance: Observation, settings: Settings) {
  const { observe } = yield* Observer
  const known = knownOf(row)
  const turn = Math.floor(Date.now() / (row.check_every * settings.dnsMinute)) + row.id
  const first = decisionOf(row, glance, settings)
  const deep = needsDepth(known, first, turn)
  if (!deep && !isStale(row, glance, first, settings)) return nothing
  const observation = deep ? yield* observe(row.name, asks(row), "deep") : glance
  if (isBlind(observation)) return { deep, written: false, blind: true } satisfies LookOutcome as LookOutcome
  const decision = deep ? decisionOf(row, observation, settings) : first
  if (!isNews(known, decision) && !isStale(row, observation, decision, settings))
    return { deep, written: false, blind: false } satisfies LookOutcome as LookOutcome
  return {
    deep,
    written: yield* record(row.id, observation, settings, system),
    blind: false
  } satisfies LookOutcome as LookOutcome
})

/**
 * Decides again from the current row and stores the result; returns whether it wrote. An observation without any answer
 * only ends a pending verification.
 */
export const record = (id: number, observation: Observation, settings: Settings, actor: string) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pg = yield* PgClient.PgClient
      const row = yield* DueRows.domain(id, true)
      if (row === undefined) return false
      const isEmpty = isBlind(observation)
      const found = detectedIn(row, observation)
      const account = yield* accountFor(row, found.provider)
      const fromAccount = statusFromAccount({ ...row, ...account }, found.provider)
      const decision = isEmpty
        ? {
            state: { ...stateOf(row), dns_status: settledOf(row, fromAccount) },
            records: row.records.map(({ status }) => status),
            findings: row.findings
          }
        : decide(stateOf(row), fromAccount, observation, row.records, rulesOf(settings), hintsOf(row, observation))
      if (!isNews(knownOf(row), decision) && !isStale(row, observation, decision, settings)) return false
      const { check_every, dns_status, mismatches, status } = decision.state
      const isChange = dns_status !== row.dns_status || status !== row.status
      // Replaces the phase of a new domain (NewDomains) by a random one.
      const place = row.observed_ms === null ? sql`phase = random(),` : sql``
      const evidence = isEmpty
        ? sql``
        : sql`${place} findings = ${pg.json(boundedEvidence(decision.findings))},
          observation = ${pg.json(boundedEvidence(observation))}, observed_at = now(),`
      const [written] = yield* sql<{
        version: number
      }>`update dns_verifier.domain set dns_status = ${dns_status}, status = ${status}, mismatches = ${mismatches},
        check_every = ${check_every},
        ${evidence} detected_provider = ${found.provider}, zone = ${found.zone},
        dns_provider_id = ${account?.dns_provider_id ?? row.dns_provider_id},
        verified_at = ${dns_status === "verified" && row.dns_status !== "verified" ? sql`now()` : sql`verified_at`},
        version = ${isChange ? sql`nextval('dns_verifier.domain_version')` : sql`version`},
        updated_at = ${isChange ? sql`now()` : sql`updated_at`}
      where id = ${id} returning version`
      for (const [at, { id, status }] of row.records.entries()) {
        const seen = decision.records[at]!
        if (seen !== status)
          yield* sql`update dns_verifier.record set status = ${seen}, checked_at = now() where id = ${id}`
      }
      if (isChange) {
        const { customer_id, name, proven, tenant_id } = row
        yield* publishStatus(
          {
            domain_id: id,
            tenant_id,
            customer_id,
            name,
            dns_status,
            status,
            state: "active",
            version: written!.version
          },
          proven,
          row.dns_status,
          decision.findings,
          actor
        )
      }
      if (account !== undefined && fromAccount === "managed") yield* requestPlan(id, "Its DNS provider was found")
      return true
    })
  )

/** Outcome of a look that needed no second look and wrote nothing. */
export const nothing: LookOutcome = { deep: false, written: false, blind: false }

/** Whether the name servers are unchanged and belong to one provider. */
const isPlain = (row: DueRows.DomainRow, { delegation }: Observation): boolean => {
  const { mixed, provider } = detectedBy(delegation)
  return !mixed && provider === row.detected_provider && (delegation.zone ?? row.zone) === row.zone
}

/**
 * Cached providers by set of name servers. Reason: a few sets serve most domains, and matching patterns is the slowest
 * part of a check.
 */
const rememberedSets = 1_000
const detectedOf = remembering(rememberedSets, (names: string) => detect(names === "" ? [] : names.split(" ")))
const detectedBy = ({ servers }: Observation["delegation"]) => {
  // A server with several addresses appears several times in a row.
  let [names, last] = ["", ""]
  for (const { name } of servers) {
    if (name === last) continue
    names = names === "" ? name : `${names} ${name}`
    last = name
  }
  return detectedOf(names)
}

const stateOf = ({ check_every, dns_status, mismatches, status }: DueRows.DomainRow) => ({
  check_every,
  dns_status,
  mismatches,
  status
})

const knownOf = (row: DueRows.DomainRow): Known => ({
  state: stateOf(row),
  records: row.records.map(({ status }) => status),
  findings: row.findings,
  isSeen: row.observed_ms !== null
})

const rulesOf = ({ dnsErrorAfter, dnsStrict, platformIpv4, platformIpv6 }: Settings) => ({
  isStrict: dnsStrict,
  ipv4: platformIpv4,
  ipv6: platformIpv6,
  errorAfter: dnsErrorAfter
})

const statusFromAccount = (
  { account_type, has_credentials }: Pick<DueRows.DomainRow, "account_type" | "has_credentials">,
  detected: string | null
) => accountStatusOf(account_type === null ? null : { type: account_type, has_credentials }, detected)

const hintsOf = (row: DueRows.DomainRow, { delegation }: Observation) => ({
  detected: delegation.outcome === "delegated" ? detectedBy(delegation) : undefined,
  mixedLabels: row.name.includes("xn--")
    ? Result.match(parseDomain(row.name), { onFailure: () => [], onSuccess: ({ mixed }) => mixed })
    : [],
  beside: (row.mail ?? []).map((record) => ({ type: record.type, name: record.name, content: contentOf(record) }))
})

const decisionOf = (row: DueRows.DomainRow, observation: Observation, settings: Settings): Decision =>
  decide(
    stateOf(row),
    statusFromAccount(row, detectedIn(row, observation).provider),
    observation,
    row.records,
    rulesOf(settings),
    hintsOf(row, observation)
  )

/** Provider and zone from the delegation; the stored ones when it was not seen. */
const detectedIn = (
  row: DueRows.DomainRow,
  { delegation }: Observation
): { readonly provider: string | null; readonly zone: string | null } =>
  delegation.outcome === "delegated" && delegation.servers.length > 0
    ? { provider: detectedBy(delegation).provider, zone: delegation.zone ?? row.zone }
    : { provider: row.detected_provider, zone: row.zone }

/** Whether to store without a reported change: another provider, another zone, or old evidence. */
const isStale = (
  row: DueRows.DomainRow,
  observation: Observation,
  decision: Decision,
  { dnsMinute }: Settings
): boolean => {
  const { provider, zone } = detectedIn(row, observation)
  if (provider !== row.detected_provider || zone !== row.zone) return true
  return (
    row.observed_ms !== null &&
    Date.now() - row.observed_ms > detailEvery * dnsMinute &&
    difference(row.findings, decision.findings) === "detail"
  )
}

/**
 * Account for a domain whose provider is detected by its first check: the customer's default account there, otherwise
 * the oldest. Undefined: no change; also at later checks, when a user may have removed the account on purpose.
 */
const accountFor = Effect.fnUntraced(function* (row: DueRows.DomainRow, provider: string | null) {
  if (
    row.observed_ms !== null ||
    row.dns_provider_id !== null ||
    row.detected_provider !== null ||
    provider === null ||
    !hasAdapter(provider)
  )
    return undefined
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{
    dns_provider_id: number
    account_type: string
    has_credentials: boolean
  }>`select id as dns_provider_id, type as account_type, true as has_credentials
    from dns_verifier.dns_provider where tenant_id = ${row.tenant_id} and customer_id = ${row.customer_id}
    and type = ${provider} and credentials is not null
    order by is_default desc, id limit 1 for share`
  return found
})
