import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "#support/Frame.ts"
import { ours } from "../decide/Seen.ts"
import { says, withSweep } from "./SweepRig.ts"

/** Five minutes of the rig. Unit: milliseconds. */
const interval = 300

describe("the sweep", () => {
  it.live(
    "checks every domain repeatedly, and writes nothing without news",
    () =>
      withSweep(({ add, dns, row, sql, start, sweep }) =>
        Effect.gen(function* () {
          const ids = yield* Effect.forEach(
            Array.from({ length: 20 }, (_, at) => at),
            (at) => add(`d${at}.example`)
          )
          // Half of them are not as they should be: what is known of those is no news either.
          ids.forEach((_, at) =>
            dns.set(`d${at}.example`, at % 2 === 0 ? [ours] : at % 4 === 1 ? ["203.0.113.9"] : "timeout")
          )
          yield* start
          yield* until(
            "all are known",
            Effect.map(sql`select 1 from dns_verifier.domain where observed_at is null`, (rows) => rows.length === 0)
          )
          const lines = () =>
            sql<{
              x: string
            }>`select id, xmin::text as x from dns_verifier.domain union all select id, xmin::text from dns_verifier.record order by 1, 2`
          const [before, looks] = [yield* lines(), ids.map((_, at) => dns.count(`d${at}.example`))]
          // Verified ones have a TTL of an hour, and are looked at every forty minutes.
          yield* until(
            "several more looks at each",
            Effect.sync(() => ids.every((_, at) => dns.count(`d${at}.example`) >= looks[at]! + (at % 2 === 0 ? 1 : 4))),
            20
          )
          expect(yield* lines()).toEqual(before)
          expect((yield* row(ids[0]!)).check_every).toBe(40)
          expect([
            (yield* row(ids[1]!)).dns_status,
            (yield* row(ids[1]!)).findings[0].code,
            (yield* row(ids[3]!)).findings[0].code
          ]).toEqual(["manual", "points_elsewhere", "name_servers_silent"])
          const component = sweep.state.component()
          // Whether an interval of a third of a second is kept is the machine's affair, and which of the domains told
          // of the servers last is chance: the looks waited for are 70.
          expect(component).toMatchObject({ shards: 8, failed: 0 })
          expect(component["written"]).toBeLessThan(30)
          expect(component["looks"]).toBeGreaterThan(60)
          // What is good is not asked about in depth again; what is not, now and then. A new domain gets another phase
          // at its first look, so it can be due again before the result of that look is read.
          const deep = ids.map((_, at) => dns.count(`d${at}.example`, "deep"))
          for (const count of deep.filter((_, at) => at % 2 === 0)) expect(count).toBeLessThanOrEqual(2)
          // Two for the first look, and one in twelve intervals; on a busy machine intervals pass without a look.
          for (const at of [1, 3]) expect(deep[at]!).toBeLessThan(2 + dns.count(`d${at}.example`) / 4)
        })
      ),
    120_000
  )

  it.live(
    "starts no check without capacity, and all checks afterwards",
    () =>
      withSweep(({ add, dns, row, start }) =>
        Effect.gen(function* () {
          const ids = yield* Effect.forEach(
            Array.from({ length: 10 }, (_, at) => at),
            (at) => add(`d${at}.example`)
          )
          const held: Array<() => void> = (dns.held = [])
          yield* start
          yield* until(
            "that all wait",
            Effect.sync(() => held.length >= 10)
          )
          expect(dns.asked).toEqual([])
          dns.held = undefined
          for (const begin of held) begin()
          yield* until(
            "all are known",
            Effect.map(Effect.forEach(ids, row), (rows) => rows.every(({ dns_status }) => dns_status === "verified"))
          )
        })
      ),
    120_000
  )

  it.live(
    "announces when a domain becomes verified, fails after several checks, and recovers",
    () =>
      withSweep(({ add, dns, events, row, sql, start }) =>
        Effect.gen(function* () {
          const id = yield* add("shop.example")
          yield* start
          const comes = (status: string) =>
            until(
              status,
              Effect.map(row(id), ({ dns_status }) => dns_status === status)
            )
          yield* comes("verified")
          expect(yield* row(id)).toMatchObject({ status: "active", mismatches: 0, check_every: 40 })
          // Not every forty minutes of the rig.
          yield* sql`update dns_verifier.domain set check_every = 5 where id = ${id}`
          dns.set("shop.example", "timeout")
          yield* until(
            "that it is not heard",
            Effect.map(row(id), ({ findings }) => findings[0].code === "name_servers_silent")
          )
          expect(yield* row(id)).toMatchObject({ dns_status: "verified", mismatches: 0 })
          dns.set("shop.example", ["203.0.113.9"])
          yield* comes("error")
          const failed = yield* row(id)
          expect(failed).toMatchObject({ status: "active", mismatches: 3, check_every: 5 })
          expect(failed.observation.asked[0].authorities[0].said.values).toEqual(["203.0.113.9"])
          expect(
            yield* sql`select type, name, status from dns_verifier.record where domain_id = ${id} order by id`
          ).toEqual([
            { type: "A", name: "@", status: "wrong" },
            { type: "A", name: "www", status: "wrong" }
          ])
          dns.set("shop.example", [ours])
          yield* comes("verified")
          expect(
            (yield* events).map(({ dns_status, findings, state, status, type }) => [
              type,
              dns_status,
              status,
              state,
              findings
            ])
          ).toEqual([
            ["domain.verified", "verified", "active", "active", undefined],
            ["domain.failed", "error", "active", "active", ["points_elsewhere", "www_elsewhere"]],
            ["domain.verified", "verified", "active", "active", undefined]
          ])
          const versions = (yield* events).map(({ version }) => version)
          expect(versions).toEqual([...versions].sort((a, b) => a - b))
          expect(yield* sql`select actor, action, entity_id from core.audit order by id`).toEqual(
            ["domain.verified", "domain.failed", "domain.verified"].map((action) => ({
              actor: "system",
              action,
              entity_id: String(id)
            }))
          )
          const [job, ...others] = yield* sql<{
            data: any
          }>`select data from pgboss.job where name = 'notification.wanted'`
          expect(others).toEqual([])
          expect(job!.data).toMatchObject({
            to: { tenant_admins: 7 },
            content: { type: "domain.failed", severity: "error", entity_id: String(id) }
          })
          expect(job!.data.words.de.body).toMatch(/203\.0\.113\.9/)
          expect(job!.data.words.en.body).toMatch(/leads to another server: 203\.0\.113\.9/)
        })
      ),
    120_000
  )

  it.live(
    "records a changed DNS provider, and assigns the customer's account there at the first check only",
    () =>
      withSweep(({ add, dns, events, row, sql, start }) =>
        Effect.gen(function* () {
          const delegated = (...servers: ReadonlyArray<string>) => ({
            delegation: {
              outcome: "delegated" as const,
              zone: "kunde.example",
              servers: servers.map((name) => ({ name, address: "198.51.100.1" }))
            }
          })
          const hetzner = delegated("hydrogen.ns.hetzner.com", "oxygen.ns.hetzner.com")
          yield* sql`insert into dns_verifier.dns_provider (tenant_id, customer_id, name, type, credentials) values (7, 5, 'h', 'provider_a', 'sealed')`
          for (const name of ["kunde.example", "fremd.example", "later.example"])
            dns.set(name, ["203.0.113.9"], hetzner)
          dns.set("later.example", ["203.0.113.9"])
          const [kunde, fremd, later] = [
            yield* add("kunde.example"),
            yield* add("fremd.example", { customer_id: 6 }),
            yield* add("later.example")
          ]
          yield* start
          const known = (id: number, provider: string | null) =>
            until(
              `${provider}`,
              Effect.map(
                row(id),
                ({ detected_provider, observed_at }) => observed_at !== null && detected_provider === provider
              )
            )
          yield* known(kunde, "provider_a")
          expect(yield* row(kunde)).toMatchObject({ dns_status: "managed", zone: "kunde.example" })
          expect((yield* row(kunde)).dns_provider_id).not.toBeNull()
          yield* known(fremd, "provider_a")
          expect(yield* row(fremd)).toMatchObject({ dns_status: "credentials_missing", dns_provider_id: null })
          yield* known(later, null)
          dns.set("later.example", ["203.0.113.9"], hetzner)
          yield* known(later, "provider_a")
          expect(yield* row(later)).toMatchObject({ dns_status: "credentials_missing", dns_provider_id: null })
          dns.set("fremd.example", ["203.0.113.9"], delegated("a.ns.cloudflare.com"))
          yield* known(fremd, "provider_c")
          expect((yield* row(fremd)).dns_status).toBe("credentials_missing")
          expect(new Set((yield* events).map(({ type }) => type))).toEqual(new Set(["domain.changed"]))
          expect(
            (yield* sql<{ data: any }>`select data from pgboss.job where name = 'dns-verifier.plan'`).map(
              ({ data }) => data.domain_id
            )
          ).toEqual([kunde])
        })
      ),
    120_000
  )

  it.live(
    "stores any foreign content, and continues when the check of one domain fails",
    () =>
      withSweep(({ add, dns, row, start, sweep }) =>
        Effect.gen(function* () {
          const [hostile, broken, well] = [
            yield* add("hostile.example"),
            yield* add("broken.example"),
            yield* add("well.example")
          ]
          dns.set("hostile.example", ["a\0b", "\ud800", "x".repeat(60_000)])
          dns.set("broken.example", () => Effect.die(new Error("a mistake of ours")))
          yield* start
          yield* until(
            "both others are known",
            Effect.map(Effect.all([row(hostile), row(well)]), (rows) =>
              rows.every(({ observed_at }) => observed_at !== null)
            )
          )
          yield* until(
            "it was tried again",
            Effect.sync(() => dns.count("broken.example") > 2 && sweep.state.failed > 2)
          )
          expect(
            (yield* row(hostile)).findings[0].args.found
              .map((text: string) => text.length)
              .sort((a: number, b: number) => a - b)
          ).toEqual([1, 3, 2_000])
          expect((yield* row(broken)).observed_at).toBeNull()
        })
      ),
    120_000
  )

  it.live(
    "stores nothing and reports it when not even our resolvers answer",
    () =>
      withSweep(({ add, dns, row, start, sweep }) =>
        Effect.gen(function* () {
          const id = yield* add("a.example")
          yield* start
          yield* until(
            "it is verified",
            Effect.map(row(id), ({ dns_status }) => dns_status === "verified")
          )
          const names = Array.from({ length: 12 }, (_, at) => `b${at}.example`)
          const silence = says("timeout")
          for (const name of ["a.example", ...names]) {
            dns.set(name, (questions, depth) =>
              Effect.map(silence(questions, depth), (seen) => ({
                ...seen,
                asked: seen.asked.map((each) => ({
                  ...each,
                  resolvers: each.authorities.map(({ said }) => ({ server: "203.0.113.1", said }))
                }))
              }))
            )
          }
          const ids = yield* Effect.forEach(names, (name) => add(name))
          yield* until(
            "it is told",
            Effect.sync(() => sweep.state.component().detail === "neither resolvers nor name servers answer")
          )
          expect((yield* row(ids[0]!)).observed_at).toBeNull()
          expect(sweep.state.component()["servers_silent"]).toBeGreaterThan(0)
        })
      ),
    120_000
  )
})

describe("the rounds", () => {
  it.live(
    "check each domain once per interval",
    () =>
      withSweep(({ add, dns, start }) =>
        Effect.gen(function* () {
          const names = Array.from({ length: 40 }, (_, at) => `n${at}.example`)
          dns.otherwise("nodata")
          yield* Effect.forEach(names, (name) => add(name))
          yield* start
          yield* until(
            "ten rounds",
            Effect.sync(() => names.every((name) => dns.count(name, "quick") >= 10)),
            30
          )
          for (const name of names) {
            const times = dns.asked
              .filter(({ depth, domain }) => domain === name && depth === "quick")
              .map(({ at }) => at)
            const gaps = times.slice(1).map((at, index) => at - times[index]!)
            // The middle one says it on a loaded machine.
            const middle = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)]!
            expect(middle, name).toBeGreaterThan(interval * 0.6)
            expect(middle, name).toBeLessThan(interval * 3)
          }
        })
      ),
    120_000
  )
})
