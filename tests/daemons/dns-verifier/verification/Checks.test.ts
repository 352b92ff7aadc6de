/** What is answered about DNS: what to write, what is there, and whether a domain leads here. */
import { describe, expect, layer } from "@effect/vitest"
import type { Answer } from "dns-packet"
import { Context, Effect, Layer } from "effect"
import * as HostileServer from "#support/dns/HostileServer.ts"
import { as, callsOf, credentials, ipv4, ipv6, startVerifier, type Verifier } from "../Verifier.ts"

class Suite extends Context.Service<Suite, Verifier>()("test/Suite") {
  static readonly layer = Layer.effect(Suite, startVerifier())
}

const aaaa = (name: string, data: string): Answer => ({ type: "AAAA", name, data, ttl: 300 })

/** Gives a domain its own name server and these records besides. */
const zone = ({ dns }: Verifier, name: string, records: ReadonlyArray<Answer>) => {
  dns.delegate(name, `ns1.${name}`)
  const at = Map.groupBy(records, (record) => (record as { name: string }).name)
  for (const [owner, found] of at) {
    if (owner === name) dns.say(name, [HostileServer.soa(name), HostileServer.ns(name, `ns1.${name}`), ...found])
    else dns.say(owner, found)
  }
}

const mail = (records: ReadonlyArray<object>) => JSON.stringify(records)

describe("what DNS says", () => {
  layer(Suite.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "is compared with each required record, in the requested language",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(71))
        const name = "half.test"
        zone(suite, name, [HostileServer.a(name, ipv4), HostileServer.a(`www.${name}`, "198.51.100.9")])
        const { id } = yield* anna.domain(name)
        const { json, status } = yield* anna.get(`domains/${id}/dns-instructions`)
        expect(status).toBe(200)
        expect(json).toMatchObject({
          domain: name,
          dns_status: "manual",
          detected_provider: null,
          verification_status: "1 of 3 records are correct",
          mail_records: []
        })
        expect(json.required_records).toEqual([
          { type: "A", name: "@", content: ipv4, status: "ok", found: [ipv4] },
          { type: "A", name: "www", content: ipv4, status: "wrong", found: ["198.51.100.9"] },
          { type: "AAAA", name: "@", content: ipv6, status: "missing", found: [] }
        ])
        expect(json.steps.join("\n")).toContain(`name www (now 198.51.100.9) with ${ipv4}`)
        expect(json.findings.map(({ code }: any) => code)).toContain("www_elsewhere")
        // Nothing is written down by it.
        expect((yield* anna.get(`domains/${id}/check`)).json).toMatchObject({
          observation: null,
          observed_at: null,
          findings: [],
          dns_status: "manual"
        })
        const german = { verification_status: "1 von 3 Einträgen sind richtig" }
        expect((yield* anna.get(`domains/${id}/dns-instructions?lang=de`)).json).toMatchObject(german)
        expect(
          (yield* anna.get(`domains/${id}/dns-instructions`, { "accept-language": "de-AT,en;q=0.7" })).json
        ).toMatchObject(german)
        expect(
          (yield* anna.get(`domains/${id}/dns-instructions?lang=en`, { "accept-language": "de" })).json
            .verification_status
        ).toBe("1 of 3 records are correct")
      })
    )

    it.effect(
      "is what the only resolver says where no name server answers",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(72))
        const { id } = yield* anna.domain("silent.test")
        // A name server that is there and answers to nothing of the domain; the resolver knows no such records.
        suite.dns.delegate("silent.test", "ns1.nowhere-at-all.test")
        suite.dns.say("ns1.nowhere-at-all.test", [])
        const { json } = yield* anna.get(`domains/${id}/dns-instructions`)
        expect(json.required_records.map(({ status }: any) => status)).toEqual(["missing", "missing", "missing"])
        expect(json.verification_status).toBe("0 of 3 records are correct")
      }),
      120_000
    )

    it.effect(
      "includes mail records, and the zone file contains all required records",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(73))
        const name = "mailed.test"
        const key = `v=DKIM1; k=rsa; p=${"A".repeat(392)}`
        zone(suite, name, [{ type: "MX", name, ttl: 300, data: { preference: 10, exchange: "mail.example.net" } }])
        const { id } = yield* anna.domain(name)
        yield* suite.sql`insert into dns_verifier.mail_domain (mail_domain_id, tenant_id, customer_id, name, state, records, version) values (701, 73, 5, ${name}, 'active', ${mail(
          [
            { type: "MX", name: "@", content: "mail.example.net", priority: 10 },
            { type: "TXT", name: "mail._domainkey", content: key, priority: null }
          ]
        )}::text::jsonb, 1)`
        yield* anna.record(id, "TXT", "note", 'say "hello"')
        const { json } = yield* anna.get(`domains/${id}/dns-instructions`)
        expect(json.mail_records.map(({ content, status, type }: any) => [type, content, status])).toEqual([
          ["MX", "10 mail.example.net", "ok"],
          ["TXT", key, "missing"]
        ])
        const lines = json.zone_snippet.split("\n")
        expect(lines[0]).toBe(`$ORIGIN ${name}.`)
        expect(lines).toContainEqual(expect.stringMatching(/^@ +3600 IN A 192\.0\.2\.10$/))
        expect(lines).toContainEqual(expect.stringMatching(/^@ +3600 IN MX 10 mail\.example\.net\.$/))
        expect(lines).toContainEqual(expect.stringMatching(/^note +3600 IN TXT "say \\"hello\\""$/))
        const dkim = lines.find((line: string) => line.startsWith("mail._domainkey"))
        const strings = [...dkim.matchAll(/"([^"]*)"/g)].map(([, text]) => text)
        expect([strings.length, strings.every((text) => text.length <= 255), strings.join("")]).toEqual([2, true, key])
      })
    )

    it.effect(
      "verifies a domain on request, with the evidence",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(74))
        const name = "right.test"
        zone(suite, name, [HostileServer.a(name, ipv4), aaaa(name, ipv6), HostileServer.a(`www.${name}`, ipv4)])
        const { id } = yield* anna.domain(name)
        const { json, status } = yield* anna.post(`domains/${id}/verify`)
        expect(status).toBe(200)
        expect(json).toMatchObject({
          id,
          verified: true,
          dns_status: "verified",
          status: "active",
          verification_status: "3 of 3 records are correct",
          zone: name
        })
        expect(
          json.observation.asked.find(({ name, type }: any) => type === "A" && name === "@").authorities[0].said.values
        ).toEqual([ipv4])
        const checked = (yield* anna.get(`domains/${id}/check`)).json
        expect(checked).toMatchObject({ dns_status: "verified", mismatches: 0 })
        expect(checked.findings.map(({ code, severity, text }: any) => [code, severity, text])).toEqual([
          ["points_here", "info", "right.test leads to us."]
        ])
        expect((yield* anna.get(`domains/${id}/records`)).json.items.map(({ status }: any) => status)).toEqual([
          "ok",
          "ok",
          "ok"
        ])
        const events = yield* suite.sql<{
          type: string
          status: string
        }>`select type, data->>'dns_status' as status from core.event where tenant_id = 74 and type like 'domain.%'
          order by id`
        expect(events.map(({ status, type }) => [type, status])).toEqual([
          ["domain.created", "manual"],
          ["domain.changed", "pending_verification"],
          ["domain.verified", "verified"]
        ])
        const [line] = yield* suite.sql<{
          actor: string
        }>`select actor from core.audit where tenant_id = 74 and action = 'domain.verified'`
        expect(line?.actor).toBe("user:740")
      }),
      120_000
    )

    it.effect(
      "keeps the dns_status of a domain that points elsewhere",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(75))
        const name = "elsewhere.test"
        zone(suite, name, [HostileServer.a(name, "198.51.100.7")])
        const { id: provider } = yield* anna.provider("provider_a")
        const { id } = yield* anna.domain(name, { dns_provider_id: provider })
        const { json } = yield* anna.post(`domains/${id}/verify?lang=de`)
        expect(json).toMatchObject({
          verified: false,
          dns_status: "managed",
          status: "pending",
          verification_status: "0 von 3 Einträgen sind richtig"
        })
        expect(json.findings[0]).toMatchObject({
          code: "points_elsewhere",
          severity: "error",
          record: { type: "A", name: "@" }
        })
        expect(json.findings[0].text).toContain("198.51.100.7")
      }),
      120_000
    )

    it.effect(
      "is explained with an offer to write the records, if we can",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(76))
        suite.dns.delegate("could.test", "hydrogen.ns.hetzner.com")
        suite.dns.delegate("cloud.test", "ana.ns.cloudflare.com")
        suite.dns.delegate("doing.test", "oxygen.ns.hetzner.com")
        const steps = Effect.fnUntraced(function* (name: string) {
          const { id } = yield* anna.domain(name)
          const { json } = yield* anna.get(`domains/${id}/dns-instructions`)
          return [json.detected_provider, json.steps] as const
        })
        const [provider, could] = yield* steps("could.test")
        expect([provider, could[0]]).toEqual([
          "provider_a",
          "Give us an account at Hetzner, and we write the records for you. To write them yourself:"
        ])
        const [other, cloud] = yield* steps("cloud.test")
        expect([other, cloud.some((step: string) => step.includes("DNS only"))]).toEqual(["provider_c", true])
        yield* anna.provider("provider_a", { credentials })
        const [, managed] = yield* steps("doing.test")
        expect(managed).toEqual([expect.stringContaining("We write these records automatically")])
      }),
      120_000
    )
  })

  for (const [strict, verified, status] of [
    ["false", true, "verified"],
    ["true", false, "manual"]
  ] as const)
    layer(Layer.effect(Suite, startVerifier({ env: { SIGNALBOX_DNS_STRICT: strict } })), { excludeTestServices: true })(
      (it) => {
        it.effect(
          `with a further address is a finding, and with SIGNALBOX_DNS_STRICT=${strict} the domain is ${status}`,
          Effect.fnUntraced(function* () {
            const suite = yield* Suite
            const anna = callsOf(suite, as(77))
            const name = "further.test"
            zone(suite, name, [HostileServer.a(name, ipv4), HostileServer.a(name, "203.0.113.9")])
            const { id } = yield* anna.domain(name)
            const { json } = yield* anna.post(`domains/${id}/verify?lang=en`)
            expect([json.verified, json.dns_status]).toEqual([verified, status])
            expect(json.findings.map(({ code }: { readonly code: string }) => code)).toContain("extra_addresses")
          }),
          120_000
        )
      }
    )
})
