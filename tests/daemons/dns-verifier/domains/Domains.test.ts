/** Domains are made, listed, changed and deleted, and every change is told. */
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { TestSuite } from "#support/TestSuite.ts"
import { as, callsOf, credentials, ipv4, ipv6, startVerifier, type Verifier } from "../Verifier.ts"

class Suite extends Context.Service<Suite, Verifier>()("test/Suite") {
  static readonly layer = Layer.effect(Suite, startVerifier())
}

/** Audit lines and events about domains since the test began, oldest first. */
const told = (suite: TestSuite, tenant: number) =>
  suite.sql<{
    type: string
    data: any
  }>`select type, data from core.event where tenant_id = ${tenant} and type like 'domain.%' order by id`
const audited = (suite: TestSuite, tenant: number) =>
  Effect.map(
    suite.sql<{ action: string }>`select action from core.audit where tenant_id = ${tenant} order by id`,
    (rows) => rows.map(({ action }) => action)
  )

describe("domains", () => {
  layer(Suite.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "are created in canonical form, with the platform's records",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(21))
        const made = yield* anna.domain("  BÜCHER.Example.Org. ".trim())
        expect(made).toMatchObject({
          tenant_id: 21,
          customer_id: 5,
          name: "xn--bcher-kva.example.org",
          display_name: "bücher.example.org",
          mixed_scripts: false,
          dns_provider_id: null,
          dns_status: "manual",
          status: "pending",
          detected_provider: null
        })
        const { json } = yield* anna.get(`domains/${made.id}/records`)
        expect(
          json.items.map(({ content, managed, name, source, status, ttl, type }: any) => [
            type,
            name,
            content,
            ttl,
            source,
            status,
            managed
          ])
        ).toEqual([
          ["A", "@", ipv4, 3600, "platform", "unknown", false],
          ["A", "www", ipv4, 3600, "platform", "unknown", false],
          ["AAAA", "@", ipv6, 3600, "platform", "unknown", false]
        ])
        expect(
          (yield* told(suite, 21)).map(({ data, type }) => [type, data.name, data.dns_status, data.state])
        ).toEqual([["domain.created", "xn--bcher-kva.example.org", "manual", "active"]])
        expect(yield* audited(suite, 21)).toEqual(["domain.created", "domain.proven"])
      })
    )

    it.effect(
      "have one holder across tenants, without details of it",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        yield* callsOf(suite, as(22)).domain("taken.example.org")
        const { json, status } = yield* callsOf(suite, as(23)).post("domains", {
          name: "TAKEN.example.org",
          customer_id: 1
        })
        expect([status, json.code]).toEqual([409, "domain_taken"])
        expect(yield* audited(suite, 23)).toEqual([])
      })
    )

    it.effect(
      "need a registrable name",
      Effect.fnUntraced(function* () {
        const anna = callsOf(yield* Suite, as(24))
        for (const name of [
          "org",
          "co.uk",
          "localhost",
          "a..org",
          "-a.org",
          "a_b.org",
          "*.example.org",
          `${"a".repeat(64)}.org`,
          "192.0.2.1",
          "a b.org",
          "exa\u0000mple.org",
          "xn--a.org",
          "."
        ]) {
          const { json, status } = yield* anna.post("domains", { name, customer_id: 1 })
          expect([name, status, json.errors?.[0]?.field]).toEqual([name, 422, "payload.name"])
        }
        expect((yield* anna.get("domains")).json.items).toEqual([])
      })
    )

    it.effect(
      "are marked when the name mixes scripts",
      Effect.fnUntraced(function* () {
        const anna = callsOf(yield* Suite, as(25))
        expect(yield* anna.domain("p\u0430ypal-shop.example")).toMatchObject({
          mixed_scripts: true,
          display_name: "p\u0430ypal-shop.example"
        })
      })
    )

    it.effect(
      "are listed newest first, with skip and limit, and by customer",
      Effect.fnUntraced(function* () {
        const anna = callsOf(yield* Suite, as(26))
        for (const [index, customer_id] of [7, 8, 7, 7].entries())
          yield* anna.domain(`list-${index}.example.org`, { customer_id })
        const names = (path: string) =>
          Effect.map(anna.get(path), ({ json }) => [
            json.items.map(({ name }: any) => name.split(".")[0]),
            json.next_skip
          ])
        expect(yield* names("domains")).toEqual([["list-3", "list-2", "list-1", "list-0"], null])
        expect(yield* names("domains?limit=2")).toEqual([["list-3", "list-2"], 2])
        expect(yield* names("domains?limit=2&skip=2")).toEqual([["list-1", "list-0"], null])
        expect(yield* names("domains?customer_id=7&limit=2&skip=1")).toEqual([["list-2", "list-0"], null])
        expect(yield* names("domains?skip=9")).toEqual([[], null])
      })
    )

    it.effect(
      "are created once per Idempotency-Key",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(27))
        const once = (name: string) => anna.post("domains", { name, customer_id: 1 }, { "idempotency-key": "k1" })
        const [first, second] = [yield* once("once.example.org"), yield* once("once.example.org")]
        expect([first.status, second.status, second.json.id]).toEqual([201, 201, first.json.id])
        expect((yield* once("twice.example.org")).json.code).toBe("idempotency_key_reused")
        expect(yield* audited(suite, 27)).toEqual(["domain.created"])
      })
    )

    it.effect(
      "accept only an account of their customer, which decides their dns_status",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(28))
        const full = yield* anna.provider("provider_a", { credentials })
        const empty = yield* anna.provider("provider_a")
        const noAdapter = yield* anna.provider("provider_c")
        const byHand = yield* anna.provider("manual")
        const others = yield* anna.provider("provider_a", { credentials, customer_id: 6 })
        const foreign = yield* callsOf(suite, as(29)).provider("provider_a", { credentials })
        expect((yield* anna.domain("full.example.org", { dns_provider_id: full.id })).dns_status).toBe("managed")
        // An account that a person assigned manages the domain, whatever can be done with it today.
        expect((yield* anna.domain("empty.example.org", { dns_provider_id: empty.id })).dns_status).toBe("managed")
        expect((yield* anna.domain("cloud.example.org", { dns_provider_id: noAdapter.id })).dns_status).toBe("managed")
        expect((yield* anna.domain("hand.example.org", { dns_provider_id: byHand.id })).dns_status).toBe("manual")
        for (const id of [others.id, foreign.id, 2_000_000_000]) {
          const { json, status } = yield* anna.post("domains", {
            name: "none.example.org",
            customer_id: 5,
            dns_provider_id: id
          })
          expect([status, json.errors[0].field]).toEqual([422, "payload.dns_provider_id"])
        }
      })
    )

    it.effect(
      "detect the provider by name servers and get the customer's account there: the default, otherwise the oldest",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(34))
        const made = Effect.fnUntraced(function* (name: string, ...servers: ReadonlyArray<string>) {
          suite.dns.delegate(name, ...servers)
          const { detected_provider, dns_provider_id, dns_status, zone } = yield* anna.domain(name)
          return [detected_provider, dns_provider_id, dns_status, zone]
        })
        const hetzner = ["hydrogen.ns.hetzner.com", "oxygen.ns.hetzner.com"] as const
        expect(yield* made("one.test", ...hetzner)).toEqual(["provider_a", null, "credentials_missing", "one.test"])
        expect(yield* made("two.test", "ana.ns.cloudflare.com")).toEqual([
          "provider_c",
          null,
          "credentials_missing",
          "two.test"
        ])
        expect(yield* made("three.test", "ns1.three.test")).toEqual([null, null, "manual", "three.test"])
        yield* anna.provider("provider_a", { is_default: false })
        const oldest = yield* anna.provider("provider_a", { credentials, is_default: false })
        yield* anna.provider("provider_a", { credentials, customer_id: 6, is_default: true })
        expect(yield* made("four.test", ...hetzner)).toEqual(["provider_a", oldest.id, "managed", "four.test"])
        const preferred = yield* anna.provider("provider_a", { credentials, is_default: true })
        expect(yield* made("five.test", ...hetzner)).toEqual(["provider_a", preferred.id, "managed", "five.test"])
        // A zone that begins above the domain.
        expect(yield* anna.domain("shop.five.test")).toMatchObject({ zone: "five.test", dns_status: "managed" })
      })
    )

    it.effect(
      "send no DNS query for a repeated Idempotency-Key",
      Effect.fnUntraced(function* () {
        const { dns, ...suite } = yield* Suite
        dns.delegate("asked.test", "ns1.asked.test")
        // The daemon looks for the proof of a new name by itself. That asks about the name, too.
        yield* suite.sql`alter table core.name_claim alter column next_look_at set default now() + interval '1 day'`
        const once = callsOf(suite, as(35)).post(
          "domains",
          { name: "asked.test", customer_id: 1 },
          { "idempotency-key": "k2" }
        )
        yield* once
        const before = dns.asked("asked.test")
        expect([(yield* once).status, before > 0, dns.asked("asked.test")]).toEqual([201, true, before])
      })
    )

    it.effect(
      "change customer and account together, and emit an event with a higher version",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(30))
        const one = yield* anna.provider("provider_a", { credentials })
        const other = yield* anna.provider("provider_a", { credentials, customer_id: 6 })
        const { id } = yield* anna.domain("moving.example.org", { dns_provider_id: one.id })
        yield* suite.sql`insert into dns_verifier.owned_set (domain_id, tenant_id, type, name, contents) values (${id}, 30, 'A', '@', '["192.0.2.10"]')`
        const alone = yield* anna.put(`domains/${id}`, { customer_id: 6 })
        expect([alone.status, alone.json.errors[0].field]).toEqual([422, "payload.dns_provider_id"])
        expect((yield* anna.put(`domains/${id}`, { customer_id: 6, dns_provider_id: other.id })).json).toMatchObject({
          customer_id: 6,
          dns_provider_id: other.id,
          dns_status: "managed"
        })
        // What was written with the other account is none of this one's.
        expect(yield* suite.sql`select 1 from dns_verifier.owned_set where domain_id = ${id}`).toEqual([])
        expect((yield* anna.put(`domains/${id}`, { dns_provider_id: null })).json).toMatchObject({
          dns_provider_id: null,
          dns_status: "manual"
        })
        expect((yield* anna.put(`domains/${id}`, { dns_provider_id: null })).status).toBe(200)
        expect((yield* anna.put(`domains/${id}`, {})).status).toBe(422)
        const events = (yield* told(suite, 30)).map(({ data, type }) => [type, data.version, data.dns_status])
        expect(events.map(([type, , status]) => [type, status])).toEqual([
          ["domain.created", "managed"],
          ["domain.changed", "managed"],
          ["domain.changed", "manual"]
        ])
        expect(events[0]![1] < events[1]![1] && events[1]![1] < events[2]![1]).toBe(true)
        expect(yield* audited(suite, 30)).toEqual([
          "dns_provider.created",
          "dns_provider.created",
          "domain.created",
          "domain.proven",
          "domain.changed",
          "domain.changed"
        ])
      })
    )

    it.effect(
      "keep verified and error when their account changes",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(31))
        const { id: provider } = yield* anna.provider("provider_a", { credentials })
        const { id } = yield* anna.domain("kept.example.org")
        for (const status of ["verified", "error"]) {
          yield* suite.sql`update dns_verifier.domain set dns_status = ${status}, status = 'active', dns_provider_id = null where id = ${id}`
          expect((yield* anna.put(`domains/${id}`, { dns_provider_id: provider })).json.dns_status).toBe(status)
        }
      })
    )

    it.effect(
      "list the records that stay in the zone when they are deleted",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(32))
        const { id } = yield* anna.domain("gone.example.org")
        yield* suite.sql`insert into dns_verifier.owned_set (domain_id, tenant_id, type, name, contents) values (${id}, 32, 'MX', '@', '["10 mail.example.org"]')`
        const { json, status } = yield* anna.remove(`domains/${id}`)
        expect([status, json]).toEqual([
          200,
          { id, name: "gone.example.org", left: [{ type: "MX", name: "@", contents: ["10 mail.example.org"] }] }
        ])
        expect((yield* anna.get(`domains/${id}`)).status).toBe(404)
        const [created, deleted] = yield* told(suite, 32)
        expect([deleted!.type, deleted!.data.state, deleted!.data.version > created!.data.version]).toEqual([
          "domain.deleted",
          "deleted",
          true
        ])
        expect((yield* anna.domain("gone.example.org")).id).not.toBe(id)
      })
    )

    it.effect(
      "cannot be deleted or change the account while a plan is applied",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(33))
        const { id: provider } = yield* anna.provider("provider_a", { credentials })
        const { id } = yield* anna.domain("busy.example.org", { dns_provider_id: provider })
        yield* suite.sql`insert into dns_verifier.plan (tenant_id, domain_id, reason, actor, state, fingerprint, zone_sets, share) values (33, ${id}, 'r', 'system', 'applying', 'f', 1, 0)`
        for (const answer of [
          yield* anna.remove(`domains/${id}`),
          yield* anna.put(`domains/${id}`, { dns_provider_id: null }),
          yield* anna.remove(`dns-providers/${provider}?force=true`)
        ]) {
          expect([answer.status, answer.json.code]).toEqual([409, "plan_under_way"])
        }
      })
    )
  })

  layer(Layer.effect(Suite, startVerifier({ gateway: true })), { excludeTestServices: true })((it) => {
    it.effect(
      "and accounts are reachable through the gateway with credentials only",
      Effect.fnUntraced(function* () {
        const { call } = yield* Suite
        const status = (path: string, headers: Record<string, string>) =>
          Effect.map(call("GET", path, { of: "gateway", headers }), ({ status }) => status)
        for (const path of ["/api/v1/domains", "/api/v1/dns-providers", "/api/v1/dns-providers/types"]) {
          expect([yield* status(path, {}), yield* status(path, as(21).headers)]).toEqual([401, 200])
        }
      })
    )
  })

  layer(Layer.effect(Suite, startVerifier({ env: { SIGNALBOX_PLATFORM_IPV4: "", SIGNALBOX_PLATFORM_IPV6: "" } })), {
    excludeTestServices: true
  })((it) => {
    it.effect(
      "wait for the platform's address",
      Effect.fnUntraced(function* () {
        const { get, post } = callsOf(yield* Suite, as(21))
        const { json, status } = yield* post("domains", { name: "early.example.org", customer_id: 1 })
        expect([status, json.status, json.waiting_for]).toEqual([201, "pending", ["SIGNALBOX_PLATFORM_IPV4"]])
        expect((yield* get(`domains/${json.id}/records`)).json.items).toEqual([])
        const { findings, required_records, steps } = (yield* get(`domains/${json.id}/dns-instructions?lang=en`)).json
        expect([required_records, steps]).toEqual([
          [],
          ["Our own address is not set up yet. The records appear here as soon as it is."]
        ])
        expect(findings.map(({ code }: { readonly code: string }) => code)).toContain("platform_unset")
        const verified = (yield* post(`domains/${json.id}/verify`, undefined)).json
        expect([verified.verified, verified.dns_status]).toEqual([false, json.dns_status])
      })
    )
  })
})
