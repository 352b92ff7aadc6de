/** Builds the answer with required records, findings and instructions. Pure. Source: interface document 2 §2.1. */
import { Result } from "effect"
import type { Language } from "#core/words/Language.ts"
import { parseDomain } from "#protocols/dns/Name.ts"
import type { DnsInstructions } from "../Api.ts"
import type { Domain } from "../../domain-store/Domains.ts"
import type { LastCheck } from "../LastCheck.ts"
import { accountStatusOf, canWrite } from "../../domain-store/AccountStatus.ts"
import type { DesiredRecords } from "../../domain-store/DesiredRecords.ts"
import { foundAt } from "../decide/AnswerSummary.ts"
import { decide } from "../decide/Decide.ts"
import { statusesOf } from "../decide/RecordStatuses.ts"
import { shownName } from "../../domain-store/Names.ts"
import type { Observation } from "../observe/Observation.ts"
import { detect, type DetectedProvider } from "../observe/ProviderDetection.ts"
import { hasAdapter } from "../../domain-store/ProviderTypes.ts"
import { viewOf } from "../words/Words.ts"
import type { PlatformAddresses, DesiredSet } from "../../record-sets/DesiredSets.ts"
import { steps, summary } from "./Steps.ts"
import { zoneSnippet } from "./ZoneSnippet.ts"

export interface Seen {
  readonly domain: Domain
  readonly looked: LastCheck
  readonly wanted: DesiredRecords
  /** All desired record sets without conflicts. */
  readonly sets: ReadonlyArray<DesiredSet>
  readonly observation: Observation
}

export interface Rules extends PlatformAddresses {
  readonly errorAfter: number
  readonly isStrict: boolean
}

/** Evaluates an observation without storing it. */
export const judged = (
  { domain, looked, observation, wanted }: Omit<Seen, "sets">,
  rules: Rules,
  language: Language
) => {
  const { mail, platform, user } = wanted
  const detected = detectedIn(observation)
  const decision = decide(
    { ...domain, ...looked },
    accountStatusOf(looked.account, domain.detected_provider),
    observation,
    [...platform, ...user],
    rules,
    {
      detected,
      mixedLabels: Result.match(parseDomain(domain.name), { onFailure: () => [], onSuccess: ({ mixed }) => mixed }),
      beside: mail
    }
  )
  const required = (
    records: ReadonlyArray<{ readonly type: string; readonly name: string; readonly content: string }>,
    statuses: typeof decision.records
  ) =>
    records.map(({ content, name, type }, at) => ({
      type,
      name,
      content,
      status: statuses[at] ?? ("unknown" as const),
      found: foundAt(observation, type, name)
    }))
  const records = required(platform, decision.records.slice(0, platform.length))
  return {
    decision,
    detected,
    required_records: records,
    mail_records: required(mail, statusesOf(mail, observation, [...platform, ...user])),
    verification_status: summary(records, language),
    findings: decision.findings.map((finding) => viewOf(finding, shownName(domain.name).display_name, language))
  }
}

export const instructions = (seen: Seen, rules: Rules, language: Language): typeof DnsInstructions.Type => {
  const { domain, looked, observation, sets } = seen
  const { detected, findings, mail_records, required_records, verification_status } = judged(seen, rules, language)
  const provider = detected?.provider ?? domain.detected_provider
  return {
    domain: domain.name,
    dns_status: domain.dns_status,
    detected_provider: provider,
    required_records,
    verification_status,
    mail_records,
    zone_snippet: zoneSnippet(
      domain.name,
      sets.flatMap(({ contents, name, ttl, type }) => contents.map((content) => ({ type, name, content, ttl })))
    ),
    steps: steps(
      {
        domain: shownName(domain.name).display_name,
        managed: canWrite(looked.account),
        provider,
        title: detected?.title ?? null,
        could: provider !== null && hasAdapter(provider),
        records: [...required_records, ...mail_records]
      },
      language
    ),
    findings,
    observed_at: observation.asked.length === 0 ? null : observation.at
  }
}

/** Provider of the name servers; undefined when none was found. */
const detectedIn = ({ delegation: { servers } }: Observation): DetectedProvider | undefined =>
  servers.length === 0 ? undefined : detect(servers.map(({ name }) => name))
