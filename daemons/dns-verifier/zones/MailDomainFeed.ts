/**
 * Stores the DNS records of mail-admin's mail domains, newest version only, and requests a plan for the domain that
 * contains each. Events may arrive twice and in any order. A deleted mail domain stays as a row with its version, so
 * that an older event cannot restore it.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  type MailDomain,
  MailDomainChanged,
  MailDomainCreated,
  MailDomainDeleted
} from "#core/contracts/MailDomains.ts"
import { type Event, Events } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import { requestPlan } from "../domain-store/PlanRequests.ts"

const decode = Schema.decodeUnknownEffect(MailDomainChanged.data)

const reasons: Readonly<Record<string, string>> = {
  [MailDomainCreated.type]: "Mail for {} was set up",
  [MailDomainChanged.type]: "The required mail records of {} changed",
  [MailDomainDeleted.type]: "Mail for {} was removed"
}

/** Consumer of `mail.domain.*`. */
export const mailDomainFeed = Effect.map(Events, (events) =>
  events.consumer({ name: "dns-verifier.mail-domains", pattern: Object.keys(reasons), from: "beginning", handle })
)

const handle = (event: Event) =>
  Effect.matchEffect(decode(event.data), {
    onFailure: () =>
      Effect.logError(`event ${event.id} (${event.type}) does not decode as a mail domain and is skipped`),
    onSuccess: (domain) => transaction(keep(domain, reasons[event.type]!.replace("{}", domain.domain)))
  })

/** Stores the mail domain. New records reset the check interval, so that they are checked soon. */
const keep = Effect.fnUntraced(function* (
  { customer_id, domain, domain_id, records, state, tenant_id, version }: MailDomain,
  reason: string
) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const [before] = yield* sql<{
    records: MailDomain["records"]
    state: string
    name: string
  }>`select records, state, name from dns_verifier.mail_domain where mail_domain_id = ${domain_id} for update`
  const kept =
    yield* sql`insert into dns_verifier.mail_domain (mail_domain_id, tenant_id, customer_id, name, state, records,
      version)
    values (${domain_id}, ${tenant_id}, ${customer_id}, ${domain}, ${state}, ${pg.json(records)}, ${version})
    on conflict (mail_domain_id) do update set tenant_id = excluded.tenant_id, customer_id = excluded.customer_id,
    name = excluded.name,
      state = excluded.state, records = excluded.records, version = excluded.version, check_every = default
    where mail_domain.version < excluded.version returning 1`
  if (kept.length === 0) return
  const isSame =
    before !== undefined && before.state === state && before.name === domain && told(before.records) === told(records)
  if (isSame) return
  const suffixes = domain.split(".").map((_, at, labels) => labels.slice(at).join("."))
  const [nearest] = yield* sql<{ id: number }>`select id from dns_verifier.domain
    where tenant_id = ${tenant_id} and ${sql.in("name", suffixes)} order by length(name) desc limit 1`
  if (nearest !== undefined) yield* requestPlan(nearest.id, reason)
})

/** Comparable text of the records; jsonb does not keep the order of fields. */
const told = (records: MailDomain["records"]): string =>
  JSON.stringify(records.map(({ content, name, priority, type }) => [type, name, content, priority]).toSorted())
