/** Proof of the ownership of mail domains, with the DNS look-ups of dns-verifier. */
import { describe, expect, it } from "@effect/vitest"
import type { Answer } from "dns-packet"
import { Effect } from "effect"
import { dnsVerifier } from "#daemons/dns-verifier/Daemon.ts"
import { mailAdmin } from "#daemons/mail-admin/Daemon.ts"
import { until } from "#support/Frame.ts"
import { smallDns } from "../dns-verifier/SmallDns.ts"
import { as, callsOf, events, mailServer, startAdmin } from "./Admin.ts"

const name = "claimed.test"
const body = { domain: name, customer_id: 5 }
const txt = (...contents: ReadonlyArray<string>): ReadonlyArray<Answer> =>
  contents.map((data) => ({ type: "TXT", name: `_signalbox.${name}`, data, ttl: 60 }))

describe("a mail domain", () => {
  it.live(
    "is served for the tenant that proves it in DNS, whoever claimed it first, and for nobody before",
    () =>
      Effect.gen(function* () {
        const dns = yield* smallDns
        const suite = yield* startAdmin({ daemons: [mailAdmin, dnsVerifier], env: { ...mailServer, ...dns.env } })
        const [squatter, owner] = [callsOf(suite, as(7)), callsOf(suite, as(8))]
        const served = Effect.map(suite.sql<{ domain: string }>`select domain from mail_server.domain`, (rows) =>
          rows.map(({ domain }) => domain)
        )
        dns.delegate(name, `ns1.${name}`)
        const first = yield* squatter.post("domains", body)
        const second = yield* owner.post("domains", body)
        expect([first.status, second.status]).toEqual([201, 201])
        const challenge = { type: "TXT", name: `_signalbox.${name}` }
        expect([first.json.ownership, second.json.ownership]).toEqual([
          { state: "pending", challenge: { ...challenge, content: expect.stringMatching(/^signalbox-verification=/) } },
          { state: "pending", challenge: { ...challenge, content: expect.stringMatching(/^signalbox-verification=/) } }
        ])
        const [foreign, own] = [first, second].map(({ json }) => json.ownership.challenge.content as string)
        expect(foreign).not.toBe(own)
        expect([yield* served, yield* events(suite, "mail.domain.")]).toEqual([[], []])
        for (const path of ["accounts", "aliases"]) {
          const refused = yield* squatter.post(
            `domains/${first.json.id}/${path}`,
            path === "accounts"
              ? { local_part: "info", password: "four words in a row" }
              : { source: "info", destination: "a@b.test" }
          )
          expect([refused.status, refused.json.code], path).toEqual([409, "domain_pending"])
        }
        expect((yield* squatter.post(`domains/${first.json.id}/assert`)).status).toBe(403)

        dns.say(`_signalbox.${name}`, txt("v=other", own!))
        expect((yield* owner.post(`domains/${second.json.id}/ownership/check`)).status).toBe(202)
        const stateOf = (calls: typeof owner, id: number) =>
          Effect.map(calls.get(`domains/${id}`), ({ json }) => json.ownership.state)
        yield* until(
          "the owner has proven the domain",
          Effect.map(stateOf(owner, second.json.id), (state) => state === "proven"),
          60
        )
        expect([yield* served, yield* stateOf(squatter, first.json.id)]).toEqual([[name], "pending"])
        expect((yield* events(suite, "mail.domain.")).map(({ tenant_id, type }) => [type, tenant_id])).toEqual([
          ["mail.domain.created", 8]
        ])
        expect((yield* owner.get(`domains/${second.json.id}`)).json.ownership.challenge).toBeNull()
        yield* owner.account(second.json.id, "info")
        // The proven name covers the names below it, for its holder alone.
        const below = { ...body, domain: `sub.${name}` }
        expect((yield* owner.post("domains", below)).json.ownership.state).toBe("proven")
        expect((yield* squatter.post("domains", below)).json.code).toBe("domain_taken")
        expect((yield* callsOf(suite, as(9)).post("domains", body)).json.code).toBe("domain_taken")

        // The provider cannot give a name that another tenant holds; once it is free, it can.
        const provider = callsOf(suite, { headers: { "x-service-token": yield* suite.token } })
        expect((yield* provider.post(`domains/${first.json.id}/assert`)).json.code).toBe("domain_taken")
        expect((yield* owner.remove(`domains/${second.json.id}?force=true`)).status).toBe(204)
        expect(yield* served).toEqual([`sub.${name}`])
        // A user of the provider's tenant may do so as well, for a domain of any tenant.
        const clerk = callsOf(suite, as(1))
        expect((yield* clerk.post(`domains/${first.json.id}/assert`)).json.ownership.state).toBe("proven")
        expect((yield* served).toSorted()).toEqual([name, `sub.${name}`])
      }),
    120_000
  )

  it.live("of the provider is refused to tenants, and the provider's callers need no proof", () =>
    Effect.gen(function* () {
      const suite = yield* startAdmin({ env: { ...mailServer, SIGNALBOX_RESERVED_DOMAINS: "brand.test" } })
      for (const domain of ["mx.provider.test", "provider.test", "a.mx.provider.test", "brand.test", "x.brand.test"]) {
        const { json, status } = yield* callsOf(suite, as(7)).post("domains", { domain, customer_id: 5 })
        expect([status, json.code], domain).toEqual([409, "domain_reserved"])
      }
      expect((yield* callsOf(suite, as(7)).post("domains", { ...body, domain: "other-provider.test" })).status).toBe(
        201
      )
      const operator = yield* callsOf(suite, as(1)).post("domains", { ...body, domain: "provider.test" })
      const service = callsOf(suite, { headers: { "x-service-token": yield* suite.token } })
      const given = yield* service.post("domains", { ...body, domain: "given.test", tenant_id: 7 })
      expect([operator.json.ownership.state, given.json.ownership.state]).toEqual(["proven", "proven"])
    })
  )
})
