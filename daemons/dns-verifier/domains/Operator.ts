/** Implementation of `signalbox domain`. The commands use the database, so no daemon needs to run. */
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as Audit from "#core/log/Audit.ts"
import { Ended, fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { columns, print, table } from "#core/cli/Output.ts"
import { operatorSettings } from "#core/cli/OperatorSettings.ts"
import { withStorage } from "#core/cli/Storage.ts"
import { mailServerSettings } from "#core/config/MailServerSettings.ts"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import * as Events from "#core/events/Events.ts"
import type { Language } from "#core/words/Language.ts"
import * as Incarnation from "#core/cluster/Incarnation.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import * as Wake from "#core/events/Wake.ts"
import { dnsVerifier } from "../Daemon.ts"
import { ownershipOf } from "#core/ownership/Challenge.ts"
import { transaction } from "#core/sql/Sql.ts"
import { PlanWanted } from "../domain-store/PlanRequests.ts"
import * as DomainChanges from "./DomainChanges.ts"
import * as Domains from "../domain-store/Domains.ts"
import * as RecordList from "../domain-store/RecordList.ts"
import { domainProblem, domainName, shownName } from "../domain-store/Names.ts"
import { outcomeFor, type OutcomeView, outcomeView } from "../zones/Exports.ts"
import { lastCheckOf, type Observation, viewOf, Verification, verification } from "../verification/Exports.ts"

interface ListFlags {
  readonly tenant: Option.Option<number>
  readonly customer: Option.Option<number>
  readonly status: Option.Option<string>
  readonly skip: number
  readonly limit: number
  readonly json: boolean
}

const withDomains = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(Effect.andThen(Migrations.run(dnsVerifier.migrations), use))

export const list = Effect.fnUntraced(function* ({ customer, json, limit, skip, status, tenant }: ListFlags) {
  const filter = {
    ...(Option.isSome(tenant) ? { tenant_id: tenant.value } : {}),
    ...(Option.isSome(customer) ? { customer_id: customer.value } : {}),
    ...(Option.isSome(status) ? { dns_status: status.value } : {})
  }
  const found = yield* withDomains(Domains.list(filter, skip, limit))
  yield* print(json, found, () =>
    table("No matching domains.", [
      ["id", "domain", "ownership", "dns", "status", "provider", "tenant", "customer"],
      ...found.map((row) => [
        String(row.id),
        shownName(row.name).display_name,
        row.proven ? "proven" : "pending",
        row.dns_status,
        row.status,
        row.detected_provider ?? "",
        String(row.tenant_id),
        String(row.customer_id)
      ])
    ])
  )
})

/** The domain with this id, or the proven one of this name, or the only one. */
const meant = Effect.fnUntraced(function* (which: string) {
  const sql = yield* SqlClient.SqlClient
  const name = domainProblem(which) === undefined ? domainName(which) : undefined
  const claims = /^\d{1,9}$/.test(which)
    ? [{ id: Number(which), tenant_id: 0, proven: true }]
    : yield* sql<{ id: number; tenant_id: number; proven: boolean }>`select id, tenant_id, proven
        from dns_verifier.domain where name = ${name ?? ""} order by id`
  const id = (claims.find(({ proven }) => proven) ?? (claims.length === 1 ? claims[0] : undefined))?.id
  if (id === undefined && claims.length > 1) {
    const ids = claims.map(({ id, tenant_id: tenant }) => `${id} (tenant ${tenant})`).join(", ")
    return yield* fail(`Several tenants claim ${which}. Name one of these ids: ${ids}`)
  }
  if (id === undefined) return yield* fail(`The domain ${which} does not exist.`)
  return yield* Effect.catchTag(Domains.get(id), "NotFound", () => fail(`The domain ${which} does not exist.`))
})

const ownership = ({ name, proven, token }: Domains.Domain) => ownershipOf(name, proven ? "proven" : "pending", token)

const challengeLines = (domain: Domains.Domain) => {
  const { challenge } = ownership(domain)
  return challenge === null ? [] : [["challenge", `${challenge.name} ${challenge.type} ${challenge.content}`]]
}

export const assert = Effect.fnUntraced(function* ({
  json,
  which
}: {
  readonly which: string
  readonly json: boolean
}) {
  const announcing = Layer.mergeAll(Events.layer, Jobs.layer([PlanWanted.queue])).pipe(
    Layer.provideMerge(Incarnation.layer(["operator"])),
    Layer.provideMerge(Wake.layer)
  )
  const domain = yield* withDomains(
    transaction(
      Effect.gen(function* () {
        const { id } = yield* meant(which)
        return yield* DomainChanges.assert(id, ({ name, tenant_id: tenantId }) =>
          Audit.write({
            tenantId,
            actor: Audit.operator,
            action: "domain.proven",
            entity: "domain",
            id: String(id),
            detail: { name, by: "assertion" }
          })
        )
      })
    ).pipe(Effect.provide(announcing))
  ).pipe(
    Effect.catchTag("NotFound", () => fail(`The domain ${which} does not exist.`)),
    Effect.catchTag("DomainTaken", ({ detail }) => fail(`${which}: ${detail}`))
  )
  yield* print(json, domain, () => [`${domain.name} belongs to tenant ${domain.tenant_id}.`])
})

export const show = Effect.fnUntraced(function* ({ json, which }: { readonly which: string; readonly json: boolean }) {
  const { domain, outcome, records } = yield* withDomains(
    Effect.gen(function* () {
      const domain = yield* meant(which)
      const outcome = outcomeView(yield* outcomeFor(domain.id))
      return { domain, outcome, records: yield* RecordList.all(domain) }
    })
  )
  yield* print(json, { ...domain, provider: outcome, records }, () => [
    ...columns([
      ["domain", `${shownName(domain.name).display_name} (${domain.id})`],
      ["ownership", ownership(domain).state],
      ...challengeLines(domain),
      ["dns", domain.dns_status],
      ["status", domain.status],
      ["provider", domain.detected_provider ?? "unknown"],
      ["account", domain.dns_provider_id === null ? "none" : String(domain.dns_provider_id)],
      ["zone", domain.zone ?? "unknown"],
      ["tenant", String(domain.tenant_id)],
      ["customer", String(domain.customer_id)],
      ["last change", changeTold(outcome)]
    ]),
    ...outcome.foreign.map(({ detail }) => `  ${detail}`),
    "",
    ...table("No records.", [
      ["type", "name", "status", "source", "managed", "content"],
      ...records.map(({ content, managed, name, source, status, type }) => [
        type,
        name,
        status,
        source,
        managed ? "yes" : "no",
        content
      ])
    ])
  ])
})

/** One line about the last change at the provider. */
const changeTold = ({ at, detail, plan_id, reason, state, steps }: typeof OutcomeView.Type): string =>
  [
    reason === null ? state : `${state}: ${reason}`,
    ...(at === null ? [] : [`at ${at}`]),
    ...(plan_id === null
      ? []
      : [`plan ${plan_id}, ${steps.filter((step) => step.state === "done").length} of ${steps.length} steps`]),
    ...(detail === null ? [] : [detail])
  ].join("; ")

interface CheckFlags {
  readonly which: string
  readonly lang: Language
  readonly json: boolean
}

/** The last check of a domain, for printing. */
const found = Effect.fnUntraced(function* (domain: Domains.Domain, language: Language) {
  const { check_every, findings, mismatches, observation } = yield* lastCheckOf(domain.id)
  return {
    domain: domain.name,
    dns_status: domain.dns_status,
    status: domain.status,
    mismatches,
    check_every,
    findings: findings.map((finding) => viewOf(finding, shownName(domain.name).display_name, language)),
    observed_at: domain.observed_at,
    observation
  }
})

const lines = ({
  dns_status,
  domain,
  findings,
  observation,
  observed_at
}: Effect.Success<ReturnType<typeof found>>): ReadonlyArray<string> => [
  `${domain}: ${dns_status}`,
  ...findings.map(({ severity, text }) => `${severity.padEnd(7)}  ${text}`),
  ...(observation === null
    ? ["The domain has not been checked yet."]
    : ["", ...columns(evidence(observation)), "", `Checked ${minute(observed_at ?? observation.at)}.`])
]

/** One row for each server's answer. */
const evidence = ({
  asked,
  delegation: { outcome, servers, zone }
}: Observation): ReadonlyArray<ReadonlyArray<string>> => [
  ["delegation", zone ?? "", outcome, servers.map(({ name }) => name).join(" ")],
  ...asked.flatMap(({ authorities, name, resolvers, type }) => [
    ...authorities.map(({ said, server }) => [`${type} ${name}`, server.name, said.outcome, said.values.join(" ")]),
    ...resolvers.map(({ said, server }) => [
      `${type} ${name}`,
      `resolver ${server}`,
      said.outcome,
      said.values.join(" ")
    ])
  ])
]

export const check = Effect.fnUntraced(function* ({ json, lang, which }: CheckFlags) {
  const seen = yield* withDomains(Effect.flatMap(meant(which), (domain) => found(domain, lang)))
  yield* print(json, seen, lines)
})

export const verify = Effect.fnUntraced(function* ({ json, lang, which }: CheckFlags) {
  const asking = verification.pipe(
    Layer.provide([Events.layer, Jobs.layer([NotificationWanted.queue]), operatorSettings(mailServerSettings)]),
    Layer.provideMerge(Incarnation.layer(["operator"])),
    Layer.provideMerge(Wake.layer)
  )
  const seen = yield* withDomains(
    Effect.scoped(
      Effect.gen(function* () {
        // This process claims no jobs, so its row can be deleted at once instead of expiring.
        yield* Effect.flatMap(Incarnation.Incarnation, (own) =>
          Effect.addFinalizer(() => Effect.ignore(own.forget(own.id)))
        )
        const { id } = yield* meant(which)
        const { verify } = yield* Verification
        yield* verify(id, Audit.operator)
        return yield* found(yield* meant(String(id)), lang)
      }).pipe(Effect.provide(asking))
    )
  )
  yield* print(json, seen, lines)
  if (seen.dns_status !== "verified") return yield* new Ended({ code: 1 })
})
