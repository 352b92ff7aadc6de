/**
 * Emits the event of a plan, and notifies the tenant's admins when someone must act. Runs in the surrounding
 * transaction.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { DnsPlanApplied, DnsPlanFailed, DnsPlanWaiting } from "#core/contracts/Domains.ts"
import { type NotificationContent, NotificationWanted } from "#core/contracts/Notifications.ts"
import { Events } from "#core/events/Events.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { inEveryLanguage } from "#core/words/ChooseLanguage.ts"
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import { source } from "../domain-store/Domains.ts"

/** Longest provider text that is stored. Unit: UTF-16 units. Reason: it is shown in a list. */
const maxProblem = 1_000

/** Cleans a provider's text for storing and showing. Pure. */
export const plainProblem = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, maxProblem)
    .toWellFormed() || "no reason given"

export interface PlanNotice {
  /** Null: the plan could not be made. */
  readonly planId: string | null
  readonly domainId: number
  readonly stepsTotal: number
  readonly stepsDone: number
  readonly problem: string | null
}

const kinds = {
  applied: { event: DnsPlanApplied },
  failed: { event: DnsPlanFailed, severity: "error", title: "failed" },
  waiting: { event: DnsPlanWaiting, severity: "warning", title: "waiting" }
} as const

const words = shippedTexts("dns-verifier.plans", {
  en: {
    failed: "The DNS of {domain} could not be changed",
    waiting: "Changes to the DNS of {domain} wait for your approval",
    written: "{done} of {total} record sets are written.",
    listed: "The plan lists the changes."
  },
  de: {
    failed: "Das DNS von {domain} konnte nicht geändert werden",
    waiting: "Änderungen am DNS von {domain} warten auf Ihre Zustimmung",
    written: "{done} von {total} Einträgen sind geschrieben.",
    listed: "Der Plan zeigt die Änderungen."
  }
})

export const publish = Effect.fnUntraced(function* (
  what: keyof typeof kinds,
  { domainId, planId, problem, stepsDone, stepsTotal }: PlanNotice
) {
  const sql = yield* SqlClient.SqlClient
  const [domain] = yield* sql<{
    name: string
    tenant_id: number
    customer_id: number
  }>`select name, tenant_id, customer_id from dns_verifier.domain where id = ${domainId}`
  if (domain === undefined) return
  const kind = kinds[what]
  const { customer_id, name, tenant_id } = domain
  const data = {
    plan_id: planId,
    domain_id: domainId,
    tenant_id,
    customer_id,
    domain: name,
    steps_total: stepsTotal,
    steps_done: stepsDone,
    problem
  }
  yield* Effect.flatMap(Events, (events) => events.emit(kind.event, source, data, { tenantId: tenant_id }))
  if (!("title" in kind)) return
  const { title } = kind
  const told = inEveryLanguage((language) => {
    const t = words(language)
    const parts = [problem, stepsTotal === 0 ? null : t.written({ done: stepsDone, total: stepsTotal })]
    return {
      title: t[title]({ domain: name }).slice(0, 255),
      body: parts.filter((part) => part !== null).join(" ") || t.listed
    }
  })
  const content: NotificationContent = {
    type: kind.event.type,
    category: "system",
    severity: kind.severity,
    ...told.en,
    data: { domain_id: domainId, plan_id: planId },
    entity_type: "domain",
    entity_id: String(domainId)
  }
  // Without a plan id, the key includes the hour, so that a lasting failure notifies once an hour.
  const key = `${kind.event.type}:${planId ?? `${domainId}:${Math.floor(Date.now() / 3_600_000)}`}`
  yield* Effect.flatMap(Jobs, (jobs) =>
    jobs.send(NotificationWanted, [{ key, data: { key, to: { tenant_admins: tenant_id }, content, words: told } }])
  )
})
