/** Records are wished for in one form, stand together or are refused, and are not changed behind anybody's back. */
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { as, callsOf, credentials, ipv4, refusal, startVerifier, type Verifier } from "../../Verifier.ts"

class Suite extends Context.Service<Suite, Verifier>()("test/Suite") {
  static readonly layer = Layer.effect(Suite, startVerifier())
}

/** Those of a source, as type, name, content and whether we wrote it. */
const listed = ({ json }: { readonly json: any }, source: string) =>
  json.items
    .filter((item: any) => item.source === source)
    .map(({ content, managed, name, type }: any) => [type, name, content, managed])

describe("records", () => {
  layer(Suite.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "are stored in canonical form",
      Effect.fnUntraced(function* () {
        const anna = callsOf(yield* Suite, as(41))
        const { id } = yield* anna.domain("forms.example.org")
        for (const [type, name, content, stored] of [
          ["mx", "Mail", "10 MX.Example.ORG.", ["MX", "mail", "10 mx.example.org"]],
          ["AAAA", "six.forms.example.org.", "2001:DB8:0::1", ["AAAA", "six", "2001:db8::1"]],
          ["CNAME", "*.shop", "target.example.com.", ["CNAME", "*.shop", "target.example.com"]],
          ["TXT", "_acme-challenge", '"one " "text"', ["TXT", "_acme-challenge", "one text"]],
          ["SRV", "_sip._tcp", "0 5 5060 Sip.Example.Org", ["SRV", "_sip._tcp", "0 5 5060 sip.example.org"]],
          ["TXT", "@", "v=spf1 -all", ["TXT", "@", "v=spf1 -all"]]
        ] as const) {
          const made = yield* anna.record(id, type, name, content)
          expect([made.type, made.name, made.content]).toEqual(stored)
          expect([made.source, made.ttl, made.status, made.managed, made.domain_id]).toEqual([
            "user",
            3600,
            "unknown",
            false,
            id
          ])
          const { provider, ...record } = made
          expect([provider.state, provider.reason]).toEqual(["none", "no_account"])
          expect((yield* anna.get(`domains/${id}/records/${made.id}`)).json).toEqual(record)
        }
      })
    )

    it.effect(
      "are refused with the invalid field",
      Effect.fnUntraced(function* () {
        const anna = callsOf(yield* Suite, as(42))
        const { id } = yield* anna.domain("bad.example.org")
        for (const [type, name, content, field] of [
          ["SOA", "@", "ns.example.org. root.example.org. 1 2 3 4 5", "payload.type"],
          ["NS", "@", "ns.example.org", "payload.type"],
          ["NS", "sub", "ns.example.org", "payload.type"],
          ["BOGUS", "a", "b", "payload.type"],
          ["A", "a..b", "192.0.2.1", "payload.name"],
          ["A", "-a", "192.0.2.1", "payload.name"],
          ["A", "a.*", "192.0.2.1", "payload.name"],
          ["A", `${"a".repeat(64)}`, "192.0.2.1", "payload.name"],
          ["A", "www.other.org.", "192.0.2.1", "payload.name"],
          ["CNAME", "@", "www.example.org", "payload.name"],
          ["A", "a", "192.0.2.256", "payload.content"],
          ["A", "a", "2001:db8::1", "payload.content"],
          ["MX", "a", "mail.example.org", "payload.content"],
          ["MX", "a", "70000 mail.example.org", "payload.content"],
          ["CNAME", "a", "192.0.2.1", "payload.content"],
          ["TXT", "a", "a\nb IN A 6.6.6.6", "payload.content"],
          ["TXT", "a", "open \\", "payload.content"],
          ["CAA", "a", "issue ca.example", "payload.content"],
          ["A", "a", "192.0.2.1; rm -rf", "payload.content"]
        ] as const) {
          expect([
            type,
            name,
            content,
            refusal(yield* anna.post(`domains/${id}/records`, { type, name, content }))
          ]).toEqual([type, name, content, [422, "invalid_request", field]])
        }
        expect((yield* anna.get(`domains/${id}/records`)).json.items).toHaveLength(3)
      })
    )

    it.effect(
      "of the platform cannot be changed, and allow no other record at their place",
      Effect.fnUntraced(function* () {
        const anna = callsOf(yield* Suite, as(43))
        const { id } = yield* anna.domain("fixed.example.org")
        const [apex] = (yield* anna.get(`domains/${id}/records`)).json.items
        const fixed = [409, "record_fixed"]
        expect(refusal(yield* anna.put(`domains/${id}/records/${apex.id}`, { content: "192.0.2.99" }))).toEqual(fixed)
        expect(refusal(yield* anna.remove(`domains/${id}/records/${apex.id}`))).toEqual(fixed)
        for (const [type, name, content] of [
          ["A", "@", "192.0.2.99"],
          ["A", "www", "192.0.2.99"],
          ["AAAA", "@", "2001:db8::99"]
        ] as const) {
          expect(refusal(yield* anna.post(`domains/${id}/records`, { type, name, content }))).toEqual(fixed)
        }
        const { id: other } = yield* anna.record(id, "A", "other", "192.0.2.99")
        expect(refusal(yield* anna.put(`domains/${id}/records/${other}`, { name: "www" }))).toEqual(fixed)
        expect(refusal(yield* anna.post(`domains/${id}/records`, { type: "A", name: "@", content: ipv4 }))).toEqual([
          409,
          "record_taken"
        ])
      })
    )

    it.effect(
      "are refused beside a CNAME of the same name",
      Effect.fnUntraced(function* () {
        const anna = callsOf(yield* Suite, as(44))
        const { id } = yield* anna.domain("alias.example.org")
        const post = (type: string, name: string, content: string) =>
          Effect.map(anna.post(`domains/${id}/records`, { type, name, content }), refusal)
        const conflict = [409, "cname_conflict"]
        yield* anna.record(id, "CNAME", "shop", "a.example.com")
        expect(yield* post("TXT", "shop", "x")).toEqual(conflict)
        expect(yield* post("CNAME", "shop", "b.example.com")).toEqual(conflict)
        expect(yield* post("CNAME", "shop", "a.example.com")).toEqual([409, "record_taken"])
        expect(yield* post("CNAME", "www", "a.example.com")).toEqual(conflict)
        const { id: text } = yield* anna.record(id, "TXT", "texts", "x")
        yield* anna.record(id, "TXT", "texts", "y")
        expect(yield* post("CNAME", "texts", "a.example.com")).toEqual(conflict)
        expect(
          refusal(yield* anna.put(`domains/${id}/records/${text}`, { type: "CNAME", content: "a.example.com" }))
        ).toEqual(conflict)
        // Its own old self is not beside it.
        const { id: alone } = yield* anna.record(id, "TXT", "alone", "x")
        expect(
          (yield* anna.put(`domains/${id}/records/${alone}`, { type: "CNAME", content: "a.example.com" })).status
        ).toBe(200)
      })
    )

    it.effect(
      "are added one at a time, so that parallel requests cannot create a conflict",
      Effect.fnUntraced(function* () {
        const anna = callsOf(yield* Suite, as(45))
        const { id } = yield* anna.domain("race.example.org")
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, (_, at) =>
            anna.post(`domains/${id}/records`, {
              type: at % 2 === 0 ? "CNAME" : "A",
              name: "one",
              content: at % 2 === 0 ? `h${at}.example.com` : `192.0.2.${at}`
            })
          ),
          { concurrency: "unbounded" }
        )
        const types = answers.filter(({ status }) => status === 201).map(({ json }) => json.type)
        expect(types.includes("CNAME") ? types : ["CNAME"]).toEqual(["CNAME"])
        expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
      })
    )

    it.effect(
      "change the named fields, become unknown again, and are written to the audit log",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(46))
        const { id } = yield* anna.domain("change.example.org")
        const { id: record } = yield* anna.record(id, "A", "a", "192.0.2.1", { ttl: 300 })
        yield* suite.sql`update dns_verifier.record set status = 'ok', checked_at = now() where domain_id = ${id}`
        expect((yield* anna.put(`domains/${id}/records/${record}`, { ttl: 600 })).json).toMatchObject({
          ttl: 600,
          status: "ok"
        })
        expect((yield* anna.put(`domains/${id}/records/${record}`, { content: "192.0.2.2" })).json).toMatchObject({
          content: "192.0.2.2",
          ttl: 600,
          status: "unknown",
          checked_at: null
        })
        expect(refusal(yield* anna.put(`domains/${id}/records/${record}`, {}))).toEqual([
          422,
          "invalid_request",
          "payload"
        ])
        expect((yield* anna.remove(`domains/${id}/records/${record}`)).status).toBe(204)
        expect((yield* anna.get(`domains/${id}/records/${record}`)).status).toBe(404)
        const lines = yield* suite.sql<{
          action: string
        }>`select action from core.audit where tenant_id = 46 and entity_type = 'dns_record' order by id`
        expect(lines.map(({ action }) => action)).toEqual([
          "dns_record.created",
          "dns_record.changed",
          "dns_record.changed",
          "dns_record.deleted"
        ])
      })
    )

    it.effect(
      "in the provider's zone cannot be deleted without a plan",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(47))
        const { id } = yield* anna.domain("written.example.org")
        const { id: record } = yield* anna.record(id, "TXT", "a", "ours")
        yield* suite.sql`insert into dns_verifier.owned_set (domain_id, tenant_id, type, name, contents) values (${id}, 47, 'TXT', 'a', '["ours"]')`
        expect((yield* anna.get(`domains/${id}/records/${record}`)).json.managed).toBe(true)
        expect(refusal(yield* anna.remove(`domains/${id}/records/${record}`))).toEqual([409, "provider_managed"])
        // In another spelling, and merged into the SPF text of a third party.
        const { id: six } = yield* anna.record(id, "AAAA", "six", "2001:db8::1")
        const { id: spf } = yield* anna.record(id, "TXT", "@", "v=spf1 include:a.example.com ~all")
        yield* suite.sql`insert into dns_verifier.owned_set (domain_id, tenant_id, type, name, contents) values
          (${id}, 47, 'AAAA', 'six', '["2001:db8:0:0::1"]'), (${id}, 47, 'TXT', '@', '["v=spf1 include:a.example.com"]')`
        for (const written of [six, spf])
          expect(refusal(yield* anna.remove(`domains/${id}/records/${written}`))).toEqual([409, "provider_managed"])
        // Everything else that a user added can be deleted.
        const { id: unwritten } = yield* anna.record(id, "TXT", "a", "another")
        expect((yield* anna.remove(`domains/${id}/records/${unwritten}`)).status).toBe(204)
      })
    )

    it.effect(
      "of mail and of third parties are listed and cannot be changed",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(48))
        const { id } = yield* anna.domain("listed.example.org")
        yield* anna.domain("sub.listed.example.org")
        const wanted = (content: string) => JSON.stringify([{ type: "MX", name: "@", content, priority: 10 }])
        for (const [number, tenant, name] of [
          [1, 48, "listed.example.org"],
          [2, 48, "news.listed.example.org"],
          [3, 48, "sub.listed.example.org"],
          [4, 49, "other.listed.example.org"]
        ] as const) {
          yield* suite.sql`insert into dns_verifier.mail_domain (mail_domain_id, tenant_id, customer_id, name, state, records, version)
          values (${number}, ${tenant}, 5, ${name}, 'active', ${wanted(`mx${number}.example.net`)}::text::jsonb, 1)`
        }
        const sets = [
          { type: "MX", name: "@", ttl: 300, contents: ["10 mx1.example.net", "20 old.example.net"] },
          { type: "A", name: "@", ttl: null, contents: ["192.0.2.10"] },
          { type: "TXT", name: "ours", ttl: 60, contents: ["mine", "theirs"] }
        ]
        yield* suite.sql`insert into dns_verifier.zone_reading (domain_id, tenant_id, sets, fingerprint) values (${id}, 48, ${JSON.stringify(sets)}::text::jsonb, 'f')`
        yield* suite.sql`insert into dns_verifier.owned_set (domain_id, tenant_id, type, name, contents) values (${id}, 48, 'TXT', 'ours', '["mine"]'), (${id}, 48, 'MX', '@', '["10 mx1.example.net"]')`
        const all = yield* anna.get(`domains/${id}/records`)
        expect(listed(all, "mail")).toEqual([
          ["MX", "@", "10 mx1.example.net", true],
          ["MX", "news", "10 mx2.example.net", false]
        ])
        expect(listed(all, "foreign")).toEqual([
          ["MX", "@", "20 old.example.net", false],
          ["TXT", "ours", "theirs", false]
        ])
        for (const record of all.json.items.filter(({ source }: any) => source === "mail" || source === "foreign")) {
          expect([
            refusal(yield* anna.put(`domains/${id}/records/${record.id}`, { ttl: 60 })),
            (yield* anna.remove(`domains/${id}/records/${record.id}`)).json.source
          ]).toEqual([[409, "record_fixed"], record.source])
        }
        // What mail needs keeps a CNAME away.
        expect(
          refusal(yield* anna.post(`domains/${id}/records`, { type: "CNAME", name: "news", content: "a.example.com" }))
        ).toEqual([409, "cname_conflict"])
      })
    )

    it.effect(
      "need their own permissions",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const { id: provider } = yield* callsOf(suite, as(50)).provider("provider_a", { credentials })
        const { id } = yield* callsOf(suite, as(50)).domain("permitted.example.org")
        const status = (held: string, method: "get" | "post", path: string, body?: object) =>
          Effect.map(callsOf(suite, as(50, held))[method](path, body as never), ({ json, status }) => [
            status,
            json.permission
          ])
        expect(yield* status("domains.read", "get", `domains/${id}/records`)).toEqual([403, "dns.read"])
        expect(yield* status("dns.read", "get", `domains/${id}`)).toEqual([403, "domains.read"])
        expect(yield* status("domains.read", "get", `dns-providers/${provider}`)).toEqual([403, "dns.read"])
        expect(
          yield* status("dns.read", "post", `domains/${id}/records`, { type: "A", name: "a", content: "192.0.2.1" })
        ).toEqual([403, "dns.manage"])
        expect(yield* status("domains.read", "post", `domains/${id}/verify`)).toEqual([403, "domains.manage"])
        expect(yield* status("dns.read", "post", `dns-providers/${provider}/test`)).toEqual([403, "dns.manage"])
      })
    )
  })
})
