/** Proof of the ownership of SIP domains, and assignment of numbers. */
import { describe, expect, it } from "@effect/vitest"
import type { Answer } from "dns-packet"
import { Effect } from "effect"
import { dnsVerifier } from "#daemons/dns-verifier/Daemon.ts"
import { sipConfig } from "#daemons/sip-config/Daemon.ts"
import { until } from "#support/Frame.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { smallDns } from "../../dns-verifier/SmallDns.ts"
import { as, callsOf, startTelephony } from "../Telephony.ts"

const name = "voice.claimed.test"
const body = { extension: "1001", name: "Ann", domain: name }
const number = "+49301234567"
const outside = "+4989999999"

/** The provider's calls. */
const providerOf = (suite: TestSuite) =>
  Effect.map(suite.token, (token) => callsOf(suite, { headers: { "x-service-token": token } }))

/**
 * The decision that the switch gets for a call. Asks again after 503: a busy machine cannot always compare the
 * telephony data with the database within 800 ms.
 */
const routed = (suite: TestSuite, from: string, to: string) =>
  Effect.flatMap(providerOf(suite), (provider) =>
    Effect.map(
      Effect.repeat(provider.post("route-test", { from, to }), { while: ({ status }) => status === 503, times: 5 }),
      ({ json }): { readonly context?: string; readonly steps?: ReadonlyArray<{ code: string; text: string }> } => json
    )
  )

describe("a SIP domain", () => {
  it.live(
    "is served for the tenant that proves it in DNS, whoever claimed it first, and for nobody before",
    () =>
      Effect.gen(function* () {
        const dns = yield* smallDns
        const suite = yield* startTelephony({ daemons: [sipConfig, dnsVerifier], env: dns.env })
        const [squatter, owner] = [callsOf(suite, as(7)), callsOf(suite, as(8))]
        dns.delegate("claimed.test", "ns1.claimed.test")
        const first = yield* squatter.post("extensions", body)
        const second = yield* owner.post("extensions", body)
        expect([first, second].map(({ json, status }) => [status, json.domain_state])).toEqual([
          [201, "pending"],
          [201, "pending"]
        ])
        const domainOf = (calls: typeof owner) => Effect.map(calls.get("domains"), ({ json }) => json.items[0])
        const [foreign, own] = [yield* domainOf(squatter), yield* domainOf(owner)]
        expect(own.ownership).toEqual({
          state: "pending",
          challenge: {
            type: "TXT",
            name: `_signalbox.${name}`,
            content: expect.stringMatching(/^signalbox-verification=/)
          }
        })
        expect(foreign.ownership.challenge.content).not.toBe(own.ownership.challenge.content)
        expect((yield* squatter.get(`domains/${own.id}`)).status).toBe(404)
        expect((yield* squatter.post(`domains/${foreign.id}/assert`)).status).toBe(403)
        /** Tenant whose extension 1001 of the domain the switch knows. */
        const served = Effect.map(routed(suite, `1001@${name}`, "1001"), ({ context }) => context)
        expect(yield* served).toBeUndefined()

        dns.say(`_signalbox.${name}`, [
          { type: "TXT", name: `_signalbox.${name}`, data: own.ownership.challenge.content, ttl: 60 } as Answer
        ])
        expect((yield* owner.post(`domains/${own.id}/ownership/check`)).status).toBe(202)
        yield* until(
          "the owner has proven the domain",
          Effect.map(domainOf(owner), ({ ownership }) => ownership.state === "proven"),
          60
        )
        expect([yield* served, (yield* domainOf(squatter)).ownership.state]).toEqual(["tenant-8", "pending"])
        expect((yield* domainOf(owner)).ownership.challenge).toBeNull()
        expect((yield* owner.get(`extensions/${second.json.id}`)).json.domain_state).toBe("proven")
        const rival = yield* callsOf(suite, as(9)).post("extensions", body)
        expect([rival.status, rival.json.code]).toEqual([409, "domain_taken"])

        // The provider cannot give a name that another tenant holds; once it is free, it can.
        const provider = yield* providerOf(suite)
        expect((yield* provider.post(`domains/${foreign.id}/assert`)).json.code).toBe("domain_taken")
        expect((yield* owner.remove(`extensions/${second.json.id}`)).status).toBe(204)
        expect((yield* provider.post(`domains/${foreign.id}/assert`)).json.ownership.state).toBe("proven")
        expect(yield* served).toBe("tenant-7")
      }),
    120_000
  )

  it.live("of the provider is refused to tenants, and the provider's callers need no proof", () =>
    Effect.gen(function* () {
      const suite = yield* startTelephony({
        env: { SIGNALBOX_RESERVED_DOMAINS: "brand.test", SIGNALBOX_SIP_HOST: "switch.provider.test" }
      })
      for (const domain of ["switch.provider.test", "provider.test", "x.brand.test"]) {
        for (const [path, more] of [
          ["extensions", { extension: "1001", name: "Ann" }],
          ["ivr-menus", { name: "Hello", greeting: "ivr/hello.wav" }],
          ["voicemail-boxes", { box: "1001", name: "Ann" }]
        ] as const) {
          const { json, status } = yield* callsOf(suite, as(7)).post(path, { ...more, domain })
          expect([status, json.code], `${path} ${domain}`).toEqual([409, "domain_reserved"])
        }
      }
      const operator = yield* callsOf(suite, as(1)).post("extensions", { ...body, domain: "pbx.provider.test" })
      const given = yield* (yield* providerOf(suite)).post("extensions", { ...body, tenant_id: 7 })
      expect([operator.json.domain_state, given.json.domain_state]).toEqual(["proven", "proven"])
    })
  )
})

describe("a number", () => {
  it.live("is routed for the tenant that the provider assigns it to, whoever claimed it first", () =>
    Effect.gen(function* () {
      const suite = yield* startTelephony()
      const [squatter, owner, provider] = [callsOf(suite, as(7)), callsOf(suite, as(8)), yield* providerOf(suite)]
      const claim = Effect.fnUntraced(function* (calls: typeof owner, domain: string) {
        const { id } = yield* calls.extension("1001", { domain })
        return yield* calls.post("dids", { number, name: "Main", destination_type: "extension", destination_id: id })
      })
      const first = yield* claim(squatter, "voice.b.test")
      const second = yield* claim(owner, "voice.a.test")
      expect([first, second].map(({ json, status }) => [status, json.state])).toEqual([
        [201, "pending"],
        [201, "pending"]
      ])
      /** What the route says of the number: that it is nobody's, or whose extension it leads to. */
      const leadsTo = (to: string) =>
        Effect.map(routed(suite, outside, to), ({ steps }) => {
          const to_ = steps!.find(({ code }) => code === "did_leads_to")?.text
          return steps!.some(({ code }) => code === "did_is_not_ours") ? "nobody" : to_
        })
      expect(yield* leadsTo(number)).toBe("nobody")
      expect((yield* squatter.post(`dids/${first.json.id}/assign`)).status).toBe(403)
      const assigned = yield* provider.post(`dids/${second.json.id}/assign`)
      expect([assigned.status, assigned.json.state]).toEqual([200, "assigned"])
      expect(yield* leadsTo(number)).toContain("1001@voice.a.test")
      expect((yield* provider.post(`dids/${first.json.id}/assign`)).json.code).toBe("number_taken")
      expect((yield* squatter.get(`dids/${first.json.id}`)).json.state).toBe("pending")
      // A later claim is refused, also by a change of an assigned number.
      expect((yield* claim(callsOf(suite, as(9)), "voice.c.test")).json.code).toBe("number_taken")
      const other = yield* provider.post("dids", {
        number: "+49301234568",
        name: "Other",
        destination_type: "extension",
        destination_id: first.json.destination_id,
        tenant_id: 7
      })
      expect(other.json.state).toBe("assigned")
      expect(yield* leadsTo("+49301234568")).toContain("1001@voice.b.test")
      expect((yield* squatter.put(`dids/${other.json.id}`, { number })).status).toBe(409)
      const moved = yield* squatter.put(`dids/${other.json.id}`, { number: "+49301234569" })
      expect([moved.status, moved.json.state]).toEqual([200, "pending"])
      expect([yield* leadsTo("+49301234568"), yield* leadsTo("+49301234569")]).toEqual(["nobody", "nobody"])
    })
  )
})
