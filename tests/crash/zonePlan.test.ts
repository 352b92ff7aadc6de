/**
 * kill -9 while dns-verifier applies a plan to a real PowerDNS, before a change is made and after it is made but before
 * the answer. The next process continues from the zone's contents. No plan may stay unfinished unnoticed, and records
 * of others must stay byte-identical.
 */
import { realpathSync } from "node:fs"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import * as CuttingProxy from "#support/dns/CuttingProxy.ts"
import * as PowerDns from "#support/dns/PowerDns.ts"
import { startFleet, type UnitOptions } from "#support/Fleet.ts"
import { client } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { freePort, poll } from "#support/peers/Loopback.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"

/** Longest wait for one step. Unit: milliseconds. */
const patience = 60_000

const layouts: ReadonlyArray<readonly [name: string, units: ReadonlyArray<UnitOptions>]> = [
  ["one process", [{ name: "dns", daemons: ["dns-verifier", "comm-dispatcher"] }]],
  [
    "split",
    [
      { name: "dns", daemons: ["dns-verifier"] },
      { name: "comm", daemons: ["comm-dispatcher"] }
    ]
  ]
]

const zone = "kill.example"

/** Record sets of others, of many types. A careless writer would change the spelling of some. */
const foreign = [
  { name: `${zone}.`, type: "MX", ttl: 777, records: ["10 MX.Elsewhere.example.", "20 mx2.elsewhere.example."] },
  { name: `${zone}.`, type: "CAA", ttl: 3600, records: ['0 issue "ca.example"'] },
  { name: `_sip._tcp.${zone}.`, type: "SRV", ttl: 61, records: ["0 5 5060 sip.elsewhere.example."] },
  { name: `*.wild.${zone}.`, type: "CNAME", ttl: 3600, records: ["elsewhere.example."] },
  { name: `txt.${zone}.`, type: "TXT", ttl: 300, records: ['"one" "two; \\"three\\""', '"caf\\195\\169"'] },
  { name: `ssh.${zone}.`, type: "SSHFP", ttl: 300, records: ["1 1 123456789abcdef67890123456789abcdef67890"] },
  ...Array.from({ length: 8 }, (_, at) => ({
    name: `h${at}.${zone}.`,
    type: "A",
    ttl: 300 + at,
    records: [`203.0.113.${at + 1}`, "203.0.113.200"]
  }))
]

const wanted = Array.from({ length: 7 }, (_, at) => ({ type: "A", name: `w${at}`, content: `198.51.100.${at + 1}` }))

describePeers(["powerdns"], "a plan under kill -9", () => {
  for (const [layout, units] of layouts) {
    it.live(
      `${layout}: is gone on with, and ends told`,
      () =>
        Effect.gen(function* () {
          const pdns = yield* PowerDns.make
          yield* Effect.promise(() => pdns.makeZone(zone))
          yield* Effect.promise(() =>
            pdns.call("PATCH", `/zones/${zone}.`, {
              rrsets: foreign.map(({ records, ...set }) => ({
                ...set,
                changetype: "REPLACE",
                records: records.map((content) => ({ content, disabled: false })),
                comments: [{ content: "ours, hands off", account: "them" }]
              }))
            })
          )
          const sets = (): Promise<
            ReadonlyArray<{
              readonly name: string
              readonly type: string
              readonly records: ReadonlyArray<{ readonly content: string }>
            }>
          > => pdns.call("GET", `/zones/${zone}.`).then(({ json }) => json.rrsets)
          /**
           * Record sets that Signalbox did not write. Sorted, because PowerDNS returns records in varying order.
           */
          const theirs = async () =>
            (await sets())
              .filter(({ name, type }) => foreign.some((set) => set.name === name && set.type === type))
              .map((set) =>
                JSON.stringify({ ...set, records: set.records.map((record) => JSON.stringify(record)).toSorted() })
              )
              .toSorted()
          const before = yield* Effect.promise(theirs)
          expect(before).toHaveLength(foreign.length)

          const proxy = yield* CuttingProxy.make(pdns.url)
          const database = yield* freshDatabase
          const sql = yield* client(database.target)
          const fleet = yield* startFleet({
            units,
            dataDir: realpathSync(yield* temporaryDirectory("signalbox-zone")),
            env: {
              DATABASE_URL: database.url,
              SIGNALBOX_DNS_VERIFIER_PORT: String(yield* freePort),
              SIGNALBOX_COMM_DISPATCHER_PORT: "0",
              SIGNALBOX_RESOLVERS: "127.0.0.1:9",
              SIGNALBOX_PLATFORM_IPV4: "192.0.2.10",
              SIGNALBOX_DNS_ALLOW_CIDRS: "127.0.0.0/8",
              SIGNALBOX_DNS_AUTO_APPLY: "false",
              SIGNALBOX_DNS_MINUTE_MS: "600"
            }
          })
          const until = <A>(what: string, look: () => Promise<A | undefined>) =>
            Effect.gen(function* () {
              const seen = yield* Effect.promise(() => poll(async () => look().catch(() => undefined), patience, 50))
              return seen ?? (yield* Effect.die(new Error(`not within ${patience} ms: ${what}\n${fleet.tail(30)}`)))
            })
          yield* until("all to be ready", async () => fleet.units.every((unit) => unit.isReady()) || undefined)
          const { token } = JSON.parse(yield* fleet.cli("token", "create", "--name", "zone", "--json")) as {
            readonly token: string
          }
          const call = async (method: string, path: string, body?: unknown): Promise<any> => {
            const response = await fetch(`${fleet.unit("dns").addresses()["dns-verifier"]}/api/v1/${path}`, {
              method,
              headers: { "x-service-token": token, "content-type": "application/json" },
              signal: AbortSignal.timeout(10_000),
              ...(body === undefined ? {} : { body: JSON.stringify(body) })
            })
            const text = await response.text()
            if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
            return JSON.parse(text)
          }
          const send = (method: string, path: string, body?: unknown) => Effect.promise(() => call(method, path, body))
          const ended = (id: number, plan: string) =>
            until("the plan to end", async () => {
              const now = await call("GET", `domains/${id}/plans/${plan}`)
              return ["planned", "stopped", "applying"].includes(now.state) ? undefined : now
            })
          const told = sql<{
            type: string
            data: any
          }>`select type, data from core.event where type in ('dns.plan.applied', 'dns.plan.failed') order by id`

          const { id: provider } = yield* send("POST", "dns-providers", {
            customer_id: 5,
            name: "Own",
            type: "provider_e",
            credentials: { url: proxy.url, api_key: pdns.apiKey }
          })
          const { id } = yield* send("POST", "domains", { name: zone, customer_id: 5, dns_provider_id: provider })
          for (const record of wanted) yield* send("POST", `domains/${id}/records`, record)

          const plan = yield* send("POST", `domains/${id}/plan`, {})
          expect([plan.state, plan.steps.length, plan.warnings]).toEqual(["stopped", wanted.length + 2, []])
          const kills: Array<string> = []
          proxy.onChange = (number, moment) => {
            const cut = (number === 2 && moment === "after") || (number === 5 && moment === "before")
            if (cut) kills.push(`${moment} ${number}: ${fleet.unit("dns").kill()}`)
            return cut
          }
          yield* send("POST", `domains/${id}/plans/${plan.id}/apply`, { force: true })
          const done = yield* ended(id, plan.id)
          expect(kills).toEqual(["after 2: true", "before 5: true"])
          expect([done.state, done.problem, new Set(done.steps.map((step: any) => step.state))]).toEqual([
            "applied",
            null,
            new Set(["done"])
          ])
          // The process finds the change that was made and makes the missing one; it makes none twice.
          expect(proxy.changes()).toBe(plan.steps.length + 1)
          const names = (yield* Effect.promise(sets)).map(({ name }) => name)
          for (const { name } of wanted) expect(names).toContain(`${name}.${zone}.`)
          expect(yield* Effect.promise(theirs)).toEqual(before)
          expect(yield* told).toMatchObject([
            { type: "dns.plan.applied", data: { plan_id: plan.id, steps_done: plan.steps.length } }
          ])
          expect((yield* send("POST", `domains/${id}/plan`, {})).steps).toEqual([])

          // A plan that cannot continue: the changes before the kill are reported as done.
          const made = proxy.changes()
          for (const at of [1, 2, 3])
            yield* send("POST", `domains/${id}/records`, { type: "TXT", name: `v${at}`, content: `text ${at}` })
          const doomed = yield* send("POST", `domains/${id}/plan`, {})
          proxy.onChange = (number, moment) => {
            const cut = number === made + 1 && moment === "after"
            if (cut) {
              proxy.refusing = 422
              kills.push(`${moment}: ${fleet.unit("dns").kill()}`)
            }
            return cut
          }
          yield* send("POST", `domains/${id}/plans/${doomed.id}/apply`, { force: true })
          const failed = yield* ended(id, doomed.id)
          expect(kills).toHaveLength(3)
          expect([failed.state, failed.steps.map((step: any) => step.state)]).toEqual([
            "failed",
            ["done", "failed", "skipped"]
          ])
          expect((yield* told).slice(1)).toMatchObject([
            { type: "dns.plan.failed", data: { plan_id: doomed.id, steps_total: 3, steps_done: 1 } }
          ])
          const wants = yield* sql<{ data: any }>`select data from pgboss.job where name = 'notification.wanted'`
          expect(wants.map(({ data }) => data.key)).toContain(`dns.plan.failed:${doomed.id}`)
          expect(yield* Effect.promise(theirs)).toEqual(before)
        }),
      240_000
    )
  }
})
