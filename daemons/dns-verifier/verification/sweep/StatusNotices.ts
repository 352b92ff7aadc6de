/** Emits events, audit lines and notifications of a domain's new status. Runs in the surrounding transaction. */
import { Effect } from "effect"
import * as Audit from "#core/log/Audit.ts"
import { type Domain, DomainChanged, DomainFailed, DomainVerified } from "#core/contracts/Domains.ts"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import { Events } from "#core/events/Events.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { inEveryLanguage } from "#core/words/ChooseLanguage.ts"
import { languageOf } from "#core/words/Language.ts"
import { source } from "../../domain-store/Domains.ts"
import type { Finding } from "../decide/Finding.ts"
import { sentencesOf } from "../words/Words.ts"

/** Actions in the audit log by status; `checked` for all others. */
const actions: Partial<Record<Domain["dns_status"], string>> = { verified: "verified", error: "failed" }

/**
 * `proven`: whether the tenant holds the name; otherwise the audit log alone has the change. `actor`: as in the audit
 * log.
 */
export const publishStatus = Effect.fnUntraced(function* (
  domain: Domain,
  proven: boolean,
  before: Domain["dns_status"],
  findings: ReadonlyArray<Finding>,
  actor: string
) {
  const events = yield* Events
  const audience = { tenantId: domain.tenant_id }
  const codes = findings.map(({ code }) => code)
  const hasChanged = domain.dns_status !== before
  if (!proven) yield* Effect.void
  else if (hasChanged && domain.dns_status === "verified") yield* events.emit(DomainVerified, source, domain, audience)
  else if (hasChanged && domain.dns_status === "error" && before === "verified") {
    yield* events.emit(DomainFailed, source, { ...domain, findings: codes }, audience)
    yield* notify(domain, findings)
  } else yield* events.emit(DomainChanged, source, domain, audience)
  yield* Audit.write({
    tenantId: domain.tenant_id,
    actor,
    action: `domain.${actions[domain.dns_status] ?? "checked"}`,
    entity: "domain",
    id: String(domain.domain_id),
    detail: { name: domain.name, dns_status: { from: before, to: domain.dns_status }, findings: codes }
  })
})

/** Longest title. Source: core/contracts/Notifications. Unit: UTF-16 units. */
const maxTitle = 255

const nothing = { says: "", todo: "" }

/** Notifies the tenant's admins. The findings are in German and English only. */
const notify = Effect.fnUntraced(function* (domain: Domain, findings: ReadonlyArray<Finding>) {
  const jobs = yield* Jobs
  const key = `domain.failed:${domain.domain_id}:${domain.version}`
  const [first] = findings
  const told = inEveryLanguage((language) => {
    const { says, todo } = first === undefined ? nothing : sentencesOf(first, domain.name, languageOf(language))
    return { title: `DNS: ${domain.name}`.slice(0, maxTitle), body: `${says} ${todo}`.trim() || `DNS: ${domain.name}` }
  })
  yield* jobs.send(NotificationWanted, [
    {
      key,
      data: {
        key,
        to: { tenant_admins: domain.tenant_id },
        content: {
          type: "domain.failed",
          category: "system",
          severity: "error",
          ...told.en,
          icon: "globe",
          data: { domain_id: domain.domain_id, findings: findings.map(({ code }) => code) },
          entity_type: "domain",
          entity_id: String(domain.domain_id),
          action_url: `/console/domains/${domain.domain_id}`
        },
        words: told
      }
    }
  ])
})
