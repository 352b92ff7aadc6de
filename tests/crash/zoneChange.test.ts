/**
 * kill -9 of dns-verifier between a plan and its application, and in the middle of an automatic plan, over a real
 * PowerDNS. The next process applies the plan by itself, each record set is written once, and foreign records stay.
 */
import { realpathSync } from "node:fs"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import * as CuttingProxy from "#support/dns/CuttingProxy.ts"
import * as PowerDns from "#support/dns/PowerDns.ts"
import { startFleet } from "#support/Fleet.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { freePort, poll } from "#support/peers/Loopback.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"

/** Longest wait for one step. Unit: milliseconds. */
const patience = 60_000

const zone = "change.example"

describePeers(["powerdns"], "a change of records under kill -9", () => {
  it.live(
    "reaches the provider once, when the process dies before its plan is applied and while it is",
    () =>
      Effect.gen(function* () {
        const pdns = yield* PowerDns.make
        yield* Effect.promise(() => pdns.makeZone(zone))
        yield* Effect.promise(() =>
          pdns.call("PATCH", `/zones/${zone}.`, {
            rrsets: [
              {
                name: `theirs.${zone}.`,
                type: "TXT",
                ttl: 300,
                changetype: "REPLACE",
                records: [{ content: '"keep me"', disabled: false }]
              }
            ]
          })
        )
        const served = async (name: string): Promise<ReadonlyArray<string>> =>
          ((await pdns.call("GET", `/zones/${zone}.`)).json.rrsets as ReadonlyArray<any>)
            .filter((set) => set.name === `${name}.${zone}.`)
            .flatMap((set) => set.records.map(({ content }: any) => content))
        const proxy = yield* CuttingProxy.make(pdns.url)
        const database = yield* freshDatabase
        const fleet = yield* startFleet({
          units: [{ name: "dns", daemons: ["dns-verifier"] }],
          dataDir: realpathSync(yield* temporaryDirectory("signalbox-change")),
          env: {
            DATABASE_URL: database.url,
            SIGNALBOX_DNS_VERIFIER_PORT: String(yield* freePort),
            SIGNALBOX_RESOLVERS: "127.0.0.1:9",
            SIGNALBOX_PLATFORM_IPV4: "192.0.2.10",
            SIGNALBOX_DNS_ALLOW_CIDRS: "127.0.0.0/8",
            // Longer than the two calls and the kill below.
            SIGNALBOX_DNS_SETTLE_MS: "15000",
            SIGNALBOX_DNS_MINUTE_MS: "600"
          }
        })
        const until = <A>(what: string, look: () => Promise<A | undefined>) =>
          Effect.gen(function* () {
            const seen = yield* Effect.promise(() => poll(async () => look().catch(() => undefined), patience, 100))
            return seen ?? (yield* Effect.die(new Error(`not within ${patience} ms: ${what}\n${fleet.tail(30)}`)))
          })
        const ready = until("the daemon to be ready", async () => fleet.unit("dns").isReady() || undefined)
        yield* ready
        const { token } = JSON.parse(yield* fleet.cli("token", "create", "--name", "zone", "--json")) as {
          readonly token: string
        }
        const call = async (method: string, path: string, body?: unknown): Promise<any> => {
          const response = await fetch(`${fleet.unit("dns").addresses()["dns-verifier"]}/api/v1/${path}`, {
            method,
            headers: { "x-service-token": token, "content-type": "application/json" },
            signal: AbortSignal.timeout(20_000),
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          })
          const text = await response.text()
          if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
          return JSON.parse(text)
        }
        const send = (method: string, path: string, body?: unknown) => Effect.promise(() => call(method, path, body))
        const text = (id: number, name: string) =>
          send("POST", `domains/${id}/records`, { type: "TXT", name, content: "ours" })
        const applied = (id: number, plan: string) =>
          until("the change to be written", async () => {
            const { provider } = await call("GET", `domains/${id}/records`)
            return provider.plan_id === plan && provider.state === "applied" ? provider : undefined
          })

        const { id: account } = yield* send("POST", "dns-providers", {
          customer_id: 5,
          name: "Own",
          type: "provider_e",
          credentials: { url: proxy.url, api_key: pdns.apiKey }
        })
        const { id } = yield* send("POST", "domains", { name: zone, customer_id: 5, dns_provider_id: account })

        // Planned, and not yet applied.
        const { provider: first } = yield* text(id, "one")
        expect(first).toMatchObject({ state: "planned" })
        expect(fleet.unit("dns").kill()).toBe(true)
        expect(proxy.changes()).toBe(0)
        yield* applied(id, first.plan_id)
        expect(proxy.changes()).toBe(3)
        expect(yield* Effect.promise(() => served("one"))).toEqual(['"ours"'])

        // In the middle of its application: after the first write, before its answer.
        const kills: Array<boolean> = []
        proxy.onChange = (number, moment) => {
          const cut = number === 4 && moment === "after"
          if (cut) kills.push(fleet.unit("dns").kill())
          return cut
        }
        yield* text(id, "two")
        const { provider: second } = yield* text(id, "three")
        yield* applied(id, second.plan_id)
        expect(kills).toEqual([true])
        expect(proxy.changes()).toBe(5)
        for (const name of ["two", "three"]) expect(yield* Effect.promise(() => served(name))).toEqual(['"ours"'])
        expect(yield* Effect.promise(() => served("theirs"))).toEqual(['"keep me"'])
        const { items } = yield* send("GET", `domains/${id}/plans`)
        expect(items.map(({ id: plan, state }: any) => [plan, state])).toEqual([
          [second.plan_id, "applied"],
          [first.plan_id, "applied"]
        ])
      }),
    240_000
  )
})
