/** Proof of the ownership of domains. */
import { expect, it } from "@effect/vitest"
import type { Answer } from "dns-packet"
import { Effect } from "effect"
import { until } from "#support/Frame.ts"
import { as, callsOf, credentials, startVerifier } from "../Verifier.ts"

const name = "claimed.test"
const body = { name, customer_id: 5 }

it.live(
  "a domain is held by the tenant that proves it in DNS, whoever added it first; others neither write nor announce it",
  () =>
    Effect.gen(function* () {
      const suite = yield* startVerifier({ env: { SIGNALBOX_RESERVED_DOMAINS: "brand.test" } })
      const { dns, sql } = suite
      const [squatter, owner] = [callsOf(suite, as(7)), callsOf(suite, as(8))]
      const provider = callsOf(suite, { headers: { "x-service-token": yield* suite.token } })
      dns.delegate(name, `ns1.${name}`)
      const told = Effect.map(
        sql<{ type: string; tenant: number }>`select type, (data->>'tenant_id')::int as tenant from core.event
          where type like 'domain.%' order by id`,
        (rows) => rows.map(({ tenant, type }) => [type, tenant])
      )
      const account = yield* squatter.provider("provider_a", { credentials })
      const first = yield* squatter.post("domains", { ...body, dns_provider_id: account.id })
      const second = yield* owner.post("domains", body)
      // The documented status does not depend on the proof.
      expect([first, second].map(({ json, status }) => [status, json.dns_status, json.ownership.state])).toEqual([
        [201, "managed", "pending"],
        [201, "manual", "pending"]
      ])
      expect(second.json.ownership.challenge).toEqual({
        type: "TXT",
        name: `_signalbox.${name}`,
        content: expect.stringMatching(/^signalbox-verification=/)
      })
      const plan = yield* squatter.post(`domains/${first.json.id}/plan`, {})
      expect([plan.status, plan.json.code]).toEqual([409, "domain_pending"])
      expect((yield* squatter.post(`domains/${first.json.id}/verify`)).status).toBe(200)
      expect((yield* squatter.post(`domains/${first.json.id}/assert`)).status).toBe(403)
      expect(yield* told).toEqual([])
      expect(yield* sql`select 1 from dns_verifier.plan`).toEqual([])

      dns.say(`_signalbox.${name}`, [
        { type: "TXT", name: `_signalbox.${name}`, data: second.json.ownership.challenge.content, ttl: 60 } as Answer
      ])
      expect((yield* owner.post(`domains/${second.json.id}/ownership/check`)).status).toBe(202)
      const stateOf = (calls: typeof owner, id: number) =>
        Effect.map(calls.get(`domains/${id}`), ({ json }) => json.ownership.state)
      yield* until(
        "the owner has proven the domain",
        Effect.map(stateOf(owner, second.json.id), (state) => state === "proven"),
        60
      )
      expect(yield* stateOf(squatter, first.json.id)).toBe("pending")
      expect(yield* told).toEqual([["domain.created", 8]])
      expect((yield* callsOf(suite, as(9)).post("domains", body)).json.code).toBe("domain_taken")
      expect((yield* squatter.remove(`domains/${first.json.id}`)).status).toBe(200)
      expect((yield* squatter.post("domains", body)).json.code).toBe("domain_taken")
      expect(yield* told).toEqual([["domain.created", 8]])

      // The provider needs no proof, and its own names are refused.
      const reserved = yield* squatter.post("domains", { ...body, name: "shop.brand.test" })
      expect([reserved.status, reserved.json.code]).toEqual([409, "domain_reserved"])
      const given = yield* provider.post("domains", { ...body, name: "given.test", tenant_id: 7 })
      expect(given.json.ownership.state).toBe("proven")
    }),
  120_000
)

it.live("the mail records of a domain's holder are shown to its own tenant alone", () =>
  Effect.gen(function* () {
    const suite = yield* startVerifier()
    const { sql } = suite
    const [squatter, owner] = [callsOf(suite, as(7)), callsOf(suite, as(8))]
    const mine = yield* owner.domain(name)
    yield* sql`insert into dns_verifier.domain (tenant_id, customer_id, name, dns_status)
      values (7, 5, ${name}, 'manual')`
    yield* sql`insert into dns_verifier.mail_domain (mail_domain_id, tenant_id, customer_id, name, state, records, version)
      values (1, 8, 5, ${name}, 'active', '[{"type":"MX","name":"@","content":"secret.a.test","priority":10}]', 1)`
    const { id } = (yield* squatter.get("domains")).json.items[0]
    const listed = JSON.stringify((yield* squatter.get(`domains/${id}/records`)).json)
    const instructions = JSON.stringify((yield* squatter.get(`domains/${id}/dns-instructions`)).json)
    expect([listed, instructions].some((text) => text.includes("secret.a.test"))).toBe(false)
    expect(JSON.stringify((yield* owner.get(`domains/${mine.id}/records`)).json)).toContain("secret.a.test")
  })
)
