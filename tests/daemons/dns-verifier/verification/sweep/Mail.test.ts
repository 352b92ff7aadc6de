import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "#support/Frame.ts"
import { asked, seen } from "../decide/Seen.ts"
import { type Answer, withSweep } from "./SweepRig.ts"

const key = "A".repeat(392)
const records = [
  { type: "MX", name: "@", content: "mx.provider.example", priority: 10 },
  { type: "TXT", name: "@", content: "v=spf1 ip4:192.0.2.10 -all", priority: null },
  {
    type: "TXT",
    name: "_dmarc",
    content: "v=DMARC1; p=quarantine; rua=mailto:postmaster@firma.example",
    priority: null
  },
  { type: "TXT", name: "mail._domainkey", content: `v=DKIM1; k=rsa; p=${key}`, priority: null },
  { type: "CNAME", name: "autoconfig", content: "mx.provider.example", priority: null }
]

/** What stands in the zone, by type and name. */
const zone =
  (sets: Readonly<Record<string, ReadonlyArray<string>>>): Answer =>
  (questions) =>
    Effect.succeed(seen(questions.map(({ name, type }) => asked(type, name, [sets[`${type} ${name}`] ?? "nxdomain"]))))

const whole = {
  "MX @": ["10 mx.provider.example"],
  "TXT @": ["google-site-verification=x", "v=spf1 include:other.example ip4:192.0.2.0/24 ~all"],
  "TXT _dmarc": ["v=DMARC1;p=quarantine;rua=mailto:postmaster@firma.example"],
  "TXT mail._domainkey": [`k=rsa; v=DKIM1; p=${key.slice(0, 200)} ${key.slice(200)}`],
  "CNAME autoconfig": ["mx.provider.example"]
}

describe("the sweep of mail domains", () => {
  it.live(
    "reports first results, changes and new records to mail-admin, and nothing else",
    () =>
      withSweep(({ dns, events, sql, start }) =>
        Effect.gen(function* () {
          const row = {
            mail_domain_id: 1,
            tenant_id: 7,
            customer_id: 5,
            name: "firma.example",
            state: "active",
            records: JSON.stringify(records),
            version: 1
          }
          yield* sql`insert into dns_verifier.mail_domain ${sql.insert(row)}`
          yield* sql`insert into dns_verifier.mail_domain ${sql.insert({ ...row, mail_domain_id: 2, name: "gone.example", state: "deleted" })}`
          dns.set("firma.example", zone({}))
          yield* start
          const told = (count: number) =>
            Effect.andThen(
              until(
                `${count} are told`,
                Effect.map(events, ({ length }) => length === count)
              ),
              Effect.map(events, (found) => found.at(-1))
            )
          const looks = (more: number) =>
            Effect.suspend(() => {
              const before = dns.count("firma.example")
              return until(
                `${more} more looks`,
                Effect.sync(() => dns.count("firma.example") >= before + more)
              )
            })
          const first = yield* told(1)
          expect(first).toMatchObject({ type: "dns.mail_records.checked", domain: "firma.example" })
          expect(first.records).toEqual(records.map((record) => ({ ...record, status: "missing" })))
          yield* looks(4)
          dns.set("firma.example", zone(whole))
          expect((yield* told(2)).records.map(({ status }: any) => status)).toEqual(["ok", "ok", "ok", "ok", "ok"])
          const [kept] =
            yield* sql<any>`select check_every, checked_version, checks, checked_at from dns_verifier.mail_domain where mail_domain_id = 1`
          expect(kept).toMatchObject({ check_every: 40, checked_version: 1 })
          expect(kept.checks).toEqual(records.map((record) => ({ ...record, status: "ok" })))
          // Often again, so that the test need not wait; the same is told to nobody.
          yield* sql`update dns_verifier.mail_domain set check_every = 5 where mail_domain_id = 1`
          yield* looks(2)
          // Whatever was wanted meanwhile: mail-admin has forgotten what it knew of it.
          yield* sql`update dns_verifier.mail_domain set version = 2, check_every = 5 where mail_domain_id = 1`
          expect((yield* told(3)).records.map(({ status }: any) => status)).toEqual(["ok", "ok", "ok", "ok", "ok"])
          // A second provider's MX takes part of the mail; unless a user wants it so.
          dns.set("firma.example", zone({ ...whole, "MX @": ["10 mx.provider.example", "20 spare.example"] }))
          yield* sql`update dns_verifier.mail_domain set check_every = 5 where mail_domain_id = 1`
          expect((yield* told(4)).records.map(({ status }: any) => status)).toEqual(["wrong", "ok", "ok", "ok", "ok"])
          const [domain] = yield* sql<{
            id: number
          }>`insert into dns_verifier.domain (tenant_id, customer_id, name, proven, dns_status, check_every) values (7, 5, 'firma.example', true, 'manual', 1440) returning id`
          yield* sql`insert into dns_verifier.record (tenant_id, domain_id, source, type, name, content, ttl) values (7, ${domain!.id}, 'user', 'MX', '@', '20 spare.example', 3600)`
          expect((yield* told(5)).records.map(({ status }: any) => status)).toEqual(["ok", "ok", "ok", "ok", "ok"])
          expect(dns.count("gone.example")).toBe(0)
        })
      ),
    120_000
  )

  it.live(
    "emits no event for a changed check interval",
    () =>
      withSweep(({ dns, events, sql, start }) =>
        Effect.gen(function* () {
          yield* sql`insert into dns_verifier.mail_domain ${sql.insert({ mail_domain_id: 1, tenant_id: 7, customer_id: 5, name: "firma.example", state: "active", records: JSON.stringify(records), version: 1 })}`
          dns.set("firma.example", zone(whole))
          yield* start
          const kept = Effect.map(
            sql<{
              check_every: number
              checked_at: Date | null
            }>`select check_every, checked_at from dns_verifier.mail_domain`,
            ([row]) => row!
          )
          yield* until(
            "it is looked at by its TTL",
            Effect.map(kept, ({ check_every }) => check_every === 40)
          )
          const { checked_at } = yield* kept
          yield* sql`update dns_verifier.mail_domain set check_every = 5`
          yield* until(
            "it is so again",
            Effect.map(kept, ({ check_every }) => check_every === 40)
          )
          expect(yield* kept).toEqual({ check_every: 40, checked_at })
          expect(yield* events).toHaveLength(1)
        })
      ),
    120_000
  )

  it.live(
    "reports nothing about records that became obsolete during the check",
    () =>
      withSweep(({ dns, events, sql, start }) =>
        Effect.gen(function* () {
          const [mx] = records
          yield* sql`insert into dns_verifier.mail_domain ${sql.insert({ mail_domain_id: 1, tenant_id: 7, customer_id: 5, name: "firma.example", state: "active", records: JSON.stringify(records), version: 1 })}`
          dns.set("firma.example", (questions, depth) =>
            Effect.andThen(
              depth === "deep"
                ? Effect.orDie(
                    sql`update dns_verifier.mail_domain set version = 2, records = ${JSON.stringify([mx])}::jsonb where version = 1`
                  )
                : Effect.void,
              zone(whole)(questions, depth)
            )
          )
          yield* start
          yield* until(
            "the newer ones are told of",
            Effect.map(
              sql`select 1 from dns_verifier.mail_domain where checked_version = 2`,
              ({ length }) => length === 1
            )
          )
          expect((yield* events).map((event) => event.records)).toEqual([[{ ...mx, status: "ok" }]])
        })
      ),
    120_000
  )
})
