/** The work on zones in a frame of its own, over a provider in memory: what a test of it begins with. */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { MailDomainChanged, type MailDomain } from "#core/contracts/MailDomains.ts"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import { Events } from "#core/events/Events.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { run as migrate } from "#core/sql/Migrations.ts"
import { SqlClient, tenantTransaction, transaction } from "#core/sql/Sql.ts"
import { domains } from "#daemons/dns-verifier/domains/migrations/0001_domains.ts"
import { ownership } from "#daemons/dns-verifier/domains/migrations/0003_ownership.ts"
import { zoneChanges } from "#daemons/dns-verifier/domains/migrations/0004_zone_changes.ts"
import * as Credentials from "#daemons/dns-verifier/providers/Credentials.ts"
import { requestPlan, PlanWanted } from "#daemons/dns-verifier/domain-store/PlanRequests.ts"
import { applyWorker } from "#daemons/dns-verifier/zones/ApplyWorker.ts"
import { mailDomainFeed } from "#daemons/dns-verifier/zones/MailDomainFeed.ts"
import { planWorker } from "#daemons/dns-verifier/zones/PlanWorker.ts"
import * as PlanState from "#daemons/dns-verifier/zones/PlanState.ts"
import * as PlanStore from "#daemons/dns-verifier/zones/PlanStore.ts"
import * as ZoneAccess from "#daemons/dns-verifier/zones/ZoneAccess.ts"
import { ApplyWanted } from "#daemons/dns-verifier/zones/ZoneJobs.ts"
import * as Zones from "#daemons/dns-verifier/zones/Zones.ts"
import * as MemoryAdapter from "#support/dns/MemoryAdapter.ts"
import { frame, run, until } from "#support/Frame.ts"
import { mailWish } from "./Zones.ts"

export const queues = [PlanWanted.queue, ApplyWanted.queue, NotificationWanted.queue]

export const ipv4 = "192.0.2.10"

export interface Options {
  readonly autoApply?: boolean
  /** Milliseconds of a minute. */
  readonly minute?: number
  /** Milliseconds that an automatic plan waits for further changes. */
  readonly settle?: number
  /** Of every domain. Default: one that the provider in memory takes for good. */
  readonly account?: { readonly type: string; readonly credentials: Readonly<Record<string, string>> }
}

/** A fresh database and the loops at work over it, for as long as the scope lives. */
export const zonesAtWork = Effect.fnUntraced(function* (options: Options = {}) {
  const platform = yield* frame({ queues })
  return yield* Effect.provideContext(
    atWork(
      MemoryAdapter.make(
        "example.org",
        "one.example",
        "two.example",
        "three.example",
        "four.example",
        "five.example",
        "six.example"
      ),
      options
    ),
    platform
  )
})

/** The same in a frame that is there. */
export const atWork = Effect.fnUntraced(function* (
  provider: MemoryAdapter.MemoryProvider,
  {
    account = { type: "provider_a", credentials: { api_token: "a".repeat(64) } },
    autoApply = true,
    minute = 240,
    settle = 10
  }: Options
) {
  yield* migrate({ schema: "dns_verifier", steps: [domains, ownership, zoneChanges] })
  const config = {
    dnsAutoApply: autoApply,
    dnsMinute: minute,
    dnsSettle: settle,
    platformIpv4: ipv4,
    platformIpv6: undefined
  }
  const built = yield* Layer.build(
    Zones.layer(config).pipe(
      Layer.provideMerge(ZoneAccess.layer),
      Layer.provideMerge(Layer.merge(Credentials.layer, provider.layer))
    )
  )
  const zones = Context.get(built, Zones.Zones)
  const credentials = Context.get(built, Credentials.Credentials)
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const events = yield* Events
  const jobs = yield* Jobs
  yield* Effect.provideContext(
    Effect.gen(function* () {
      yield* run(jobs.worker(planWorker(config)))
      yield* run(jobs.worker(applyWorker(config.dnsMinute)))
      yield* run(yield* mailDomainFeed)
    }),
    built
  )
  const ground = yield* Effect.context<never>()
  const within = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideContext(effect, ground as Context.Context<any>) as Effect.Effect<A, E>

  /** A domain with an account, unless it is to have none. */
  const domain = (name: string, tenant = 7, managed = true) =>
    within(
      Effect.gen(function* () {
        const { envelope, id } = yield* credentials.forNew(account.credentials)
        if (managed)
          yield* sql`insert into dns_verifier.dns_provider (id, tenant_id, customer_id, name, type, credentials) values (${id}, ${tenant}, 5, 'Main', ${account.type}, ${envelope})`
        const [row] = yield* sql<{
          id: number
        }>`insert into dns_verifier.domain (tenant_id, customer_id, name, proven, dns_provider_id, dns_status)
        values (${tenant}, 5, ${name}, true, ${managed ? id : null}, ${managed ? "managed" : "manual"}) returning id`
        return row!.id
      })
    )
  const record = (domainId: number, type: string, name: string, content: string, tenant = 7) =>
    within(
      Effect.map(
        sql<{ id: number }>`insert into dns_verifier.record (tenant_id, domain_id, source, type, name, content, ttl)
      values (${tenant}, ${domainId}, 'user', ${type}, ${name}, ${content}, 300) returning id`,
        ([row]) => row!.id
      )
    )
  const plan = (domainId: number, remove: ReadonlyArray<number> = [], tenantId = 7) =>
    zones.plan({ tenantId, domainId, reason: "On request", remove, actor: "user:1" })
  const apply = (domainId: number, planId: string, force = false, tenant = 7) =>
    within(tenantTransaction(tenant, PlanState.apply(domainId, planId, force, { actor: "user:2" })))
  const discard = (domainId: number, planId: string) =>
    within(tenantTransaction(7, PlanState.discard(domainId, planId, { actor: "user:2" })))
  const get = (domainId: number, planId: string) => within(tenantTransaction(7, PlanStore.get(domainId, planId)))
  const list = (domainId: number, tenant = 7) => within(tenantTransaction(tenant, PlanStore.list(domainId, 0, 50)))
  /** The plan once it has come to an end. */
  const ended = Effect.fnUntraced(function* (domainId: number, planId: string) {
    yield* until(
      `plan ${planId} to end`,
      Effect.map(get(domainId, planId), ({ state }) => state !== "applying"),
      30
    )
    return yield* get(domainId, planId)
  })
  /** The newest plan of the domain, once there is one in such a state. */
  const newest = Effect.fnUntraced(function* (domainId: number, ...states: ReadonlyArray<PlanStore.PlanState>) {
    yield* until(
      `a plan in ${states.join()}`,
      Effect.map(list(domainId), ([first]) => first !== undefined && states.includes(first.state)),
      30
    )
    return yield* get(domainId, (yield* list(domainId))[0]!.id)
  })
  const owned = (domainId: number) =>
    within(
      sql<{
        type: string
        name: string
        contents: ReadonlyArray<string>
      }>`select type, name, contents from dns_verifier.owned_set where domain_id = ${domainId} order by name, type`
    )
  const told = (tenant = 7) =>
    within(
      sql<{
        type: string
        data: any
      }>`select type, data from core.event where tenant_id = ${tenant} and type like 'dns.plan.%' order by id`
    )
  const notices = () =>
    within(sql<{ data: any }>`select data from pgboss.job where name = ${NotificationWanted.queue} order by created_on`)
  const jobsLeft = () =>
    within(
      Effect.map(
        sql<{
          count: number
        }>`select count(*)::int as count from pgboss.job where name = any(${queues.slice(0, 2)}) and state in ('created', 'retry', 'active')`,
        ([row]) => row!.count
      )
    )
  /** As mail-admin tells. */
  const mail = (change: Partial<MailDomain> = {}) => {
    const name = change.domain ?? "example.org"
    return within(
      transaction(
        events.emit(
          MailDomainChanged,
          "mail-admin",
          {
            domain_id: 1,
            tenant_id: 7,
            customer_id: 5,
            domain: name,
            state: "active",
            records: mailWish(name).records,
            version: 1,
            ...change
          },
          { tenantId: 7 }
        )
      )
    )
  }
  const ask = (domainId: number) => within(transaction(requestPlan(domainId, "It came under management")))
  /** The same work a second time, as after a pause that was taken for an end. */
  const applyAgain = (planId: string) =>
    within(
      Effect.flatMap(Jobs, (jobs) => jobs.send(ApplyWanted, [{ data: { tenant_id: 7, plan_id: planId, tries: 0 } }]))
    )
  /** The job of a plan that applies itself, before its time. */
  const fallDue = (plan: PlanStore.PlanRow) =>
    within(
      Effect.flatMap(Jobs, (jobs) =>
        jobs.send(ApplyWanted, [
          { data: { tenant_id: plan.tenant_id, plan_id: plan.id, tries: 0, due: plan.apply_after!.getTime() } }
        ])
      )
    )
  return {
    applyAgain,
    fallDue,
    provider,
    sql,
    pg,
    domain,
    record,
    plan,
    apply,
    discard,
    get,
    list,
    ended,
    newest,
    owned,
    told,
    notices,
    jobsLeft,
    mail,
    ask,
    within
  }
})
