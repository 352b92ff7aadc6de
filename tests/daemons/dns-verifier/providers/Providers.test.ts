/**
 * Accounts at providers: one default a customer, credentials that nobody sees again, and what becomes of domains
 * without them.
 */
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HetznerDouble } from "#support/dns/HetznerDouble.ts"
import { captured } from "#support/CapturedOutput.ts"
import { as, callsOf, credentials, refusal, startVerifier, type Verifier } from "../Verifier.ts"

interface Site extends Verifier {
  readonly hetzner: HetznerDouble
}

class Suite extends Context.Service<Suite, Site>()("test/Suite") {
  static readonly layer = Layer.effect(
    Suite,
    Effect.gen(function* () {
      const hetzner = new HetznerDouble()
      const url = yield* Effect.acquireRelease(
        Effect.promise(() => hetzner.start()),
        () => Effect.promise(() => hetzner.stop())
      )
      return {
        ...(yield* startVerifier({ env: { SIGNALBOX_HETZNER_DNS_URL: url, SIGNALBOX_DNS_AUTO_APPLY: "false" } })),
        hetzner
      }
    })
  )
}

describe("accounts at providers", () => {
  layer(Suite.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "have one default per customer: the first, until another becomes the default",
      Effect.fnUntraced(function* () {
        const anna = callsOf(yield* Suite, as(61))
        const first = yield* anna.provider("manual")
        const second = yield* anna.provider("provider_c")
        const other = yield* anna.provider("manual", { customer_id: 6 })
        expect([first.is_default, second.is_default, other.is_default]).toEqual([true, false, true])
        const third = yield* anna.provider("manual", { is_default: true })
        const defaults = Effect.map(anna.get("dns-providers"), ({ json }) =>
          json.items.filter(({ is_default }: any) => is_default).map(({ id }: any) => id)
        )
        expect(yield* defaults).toEqual([third.id, other.id])
        yield* anna.put(`dns-providers/${second.id}`, { is_default: true })
        expect(yield* defaults).toEqual([other.id, second.id])
        yield* anna.put(`dns-providers/${second.id}`, { is_default: false })
        expect(yield* defaults).toEqual([other.id])
        expect((yield* anna.get("dns-providers?customer_id=6")).json.items.map(({ id }: any) => id)).toEqual([other.id])
      })
    )

    it.effect(
      "keep one default when parallel requests set it",
      Effect.fnUntraced(function* () {
        const anna = callsOf(yield* Suite, as(62))
        yield* Effect.all(
          Array.from({ length: 6 }, () => anna.provider("manual", { is_default: true })),
          { concurrency: "unbounded" }
        )
        expect((yield* anna.get("dns-providers")).json.items.filter(({ is_default }: any) => is_default)).toHaveLength(
          1
        )
      })
    )

    it.effect(
      "accept the credentials of their type and name wrong fields",
      Effect.fnUntraced(function* () {
        const anna = callsOf(yield* Suite, as(63))
        const secret = "s3cret-word-in-it"
        for (const [type, sent, field] of [
          ["provider_a", {}, "payload.credentials.api_token"],
          ["provider_a", { api_token: "with space" }, "payload.credentials.api_token"],
          ["provider_a", { api_token: "a".repeat(32) }, "payload.credentials.api_token"],
          ["provider_a", { api_token: secret + "x".repeat(3000) }, "payload.credentials.api_token"],
          ["provider_a", { ...credentials, secret }, "payload.credentials.secret"],
          ["provider_b", { prefix: secret }, "payload.credentials.secret"],
          ["provider_e", { url: `https://user:${secret}@dns.example.org`, api_key: secret }, "payload.credentials.url"],
          ["provider_e", { url: "file:///etc/passwd", api_key: secret }, "payload.credentials.url"],
          ["manual", { api_key: secret }, "payload.credentials.api_key"]
        ] as const) {
          const answer = yield* anna.post("dns-providers", { customer_id: 5, name: "n", type, credentials: sent })
          expect([type, refusal(answer)]).toEqual([type, [422, "invalid_request", field]])
          expect(answer.text).not.toContain(secret)
        }
        expect((yield* anna.provider("manual", { credentials: {} })).has_credentials).toBe(false)
      })
    )

    it.effect(
      "never show credentials in answers, events, audit lines, rows or logs",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(64))
        const word = "tell-nobody-7f3a"
        const answers: Array<string> = []
        const { text: output } = yield* captured(
          Effect.gen(function* () {
            const sent = { api_token: word.repeat(4) }
            const keep = <A extends { readonly text: string; readonly json: any }>(answer: A) => (
              answers.push(answer.text),
              answer.json
            )
            const { id } = keep(
              yield* anna.post(
                "dns-providers",
                { customer_id: 5, name: "n", type: "provider_a", credentials: sent },
                { "idempotency-key": "secret" }
              )
            )
            // A hash of them would be kept with the key, and is too little for credentials.
            const again = keep(
              yield* anna.post(
                "dns-providers",
                { customer_id: 5, name: "n", type: "provider_a", credentials: { api_token: word.repeat(6) } },
                { "idempotency-key": "secret" }
              )
            )
            expect(again.id).toBe(id)
            for (const path of [
              `dns-providers/${id}`,
              "dns-providers",
              "dns-providers/types",
              `dns-providers/${id}/zones`
            ])
              keep(yield* anna.get(path))
            suite.hetzner.failNext("echo")
            keep(yield* anna.post(`dns-providers/${id}/test`))
            keep(yield* anna.post(`dns-providers/${id}/test`))
            const { id: domain } = yield* anna.domain("secret.example.org", { dns_provider_id: id })
            keep(yield* anna.post(`domains/${domain}/plan`, {}))
            keep(yield* anna.put(`dns-providers/${id}`, { credentials: { api_token: word.repeat(5) } }))
            keep(yield* anna.get(`dns-providers/${id}`))
          })
        )
        const rows = yield* suite.sql<{
          text: string
        }>`select to_jsonb(t)::text as text from core.event t union all select to_jsonb(t)::text from core.audit t
        union all select to_jsonb(t)::text from core.idempotency_key t union all select to_jsonb(t)::text from dns_verifier.dns_provider t
        union all select to_jsonb(t)::text from dns_verifier.plan t union all select to_jsonb(t)::text from pgboss.job t`
        expect(answers.length).toBeGreaterThan(9)
        expect([...answers, ...rows.map(({ text }) => text), output].filter((text) => text.includes(word))).toEqual([])
      })
    )

    it.effect(
      "can be tested, and the test names the reason of a failure",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(65))
        suite.hetzner.makeZone("first.test")
        suite.hetzner.makeZone("deep.first.test")
        const { id } = yield* anna.provider("provider_a", { credentials: { api_token: suite.hetzner.token } })
        const { id: domain } = yield* anna.domain("www.deep.first.test")
        yield* callsOf(suite, as(66)).domain("foreign.first.test")
        expect((yield* anna.post(`dns-providers/${id}/test`)).json).toMatchObject({
          ok: true,
          reason: null,
          problem: null
        })
        expect((yield* anna.get(`dns-providers/${id}`)).json).toMatchObject({
          test_problem: null,
          tested_at: expect.any(String)
        })
        const zones = (yield* anna.get(`dns-providers/${id}/zones`)).json.items.filter(({ name }: any) =>
          name.endsWith("first.test")
        )
        expect(zones.map(({ domains, name }: any) => [name, domains])).toEqual([
          ["first.test", []],
          ["deep.first.test", [{ id: domain, name: "www.deep.first.test" }]]
        ])
        yield* anna.put(`dns-providers/${id}`, { credentials })
        // What was found with the old ones says nothing of the new ones.
        expect((yield* anna.get(`dns-providers/${id}`)).json).toMatchObject({ tested_at: null, test_problem: null })
        expect((yield* anna.post(`dns-providers/${id}/test`)).json).toMatchObject({
          ok: false,
          reason: "unauthorized",
          zones: null
        })
        expect((yield* anna.get(`dns-providers/${id}`)).json.test_problem).toEqual(expect.any(String))
        const failed = yield* anna.get(`dns-providers/${id}/zones`)
        expect([failed.status, failed.json.code, failed.json.reason]).toEqual([502, "provider_failed", "unauthorized"])
        const { id: empty } = yield* anna.provider("provider_a")
        expect((yield* anna.post(`dns-providers/${empty}/test`)).json).toMatchObject({
          ok: false,
          reason: "unauthorized"
        })
        const { id: byHand } = yield* anna.provider("provider_c")
        for (const answer of [
          yield* anna.post(`dns-providers/${byHand}/test`),
          yield* anna.get(`dns-providers/${byHand}/zones`)
        ])
          expect(refusal(answer)).toEqual([409, "no_adapter"])
      })
    )

    it.effect(
      "keep the dns_status of their domains while they are assigned, and reset it when they are deleted",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(67))
        const { id } = yield* anna.provider("provider_a")
        const { id: domain } = yield* anna.domain("along.example.org", { dns_provider_id: id })
        const { id: verified } = yield* anna.domain("verified.example.org", { dns_provider_id: id })
        yield* suite.sql`update dns_verifier.domain set dns_status = 'verified', status = 'active' where id = ${verified}`
        const status = Effect.all(
          [domain, verified].map((number) => Effect.map(anna.get(`domains/${number}`), ({ json }) => json.dns_status))
        )
        expect(yield* status).toEqual(["managed", "verified"])
        yield* anna.put(`dns-providers/${id}`, { credentials })
        expect(yield* status).toEqual(["managed", "verified"])
        const used = yield* anna.remove(`dns-providers/${id}`)
        expect([refusal(used), used.json.count, used.json.domains]).toEqual([
          [409, "in_use"],
          2,
          [
            { id: domain, name: "along.example.org" },
            { id: verified, name: "verified.example.org" }
          ]
        ])
        yield* anna.put(`dns-providers/${id}`, { credentials: null })
        expect(yield* status).toEqual(["managed", "verified"])
        yield* suite.sql`insert into dns_verifier.owned_set (domain_id, tenant_id, type, name, contents) values (${domain}, 67, 'TXT', 'a', '["x"]')`
        expect((yield* anna.remove(`dns-providers/${id}?force=true`)).status).toBe(204)
        expect(yield* status).toEqual(["manual", "verified"])
        expect(yield* suite.sql`select 1 from dns_verifier.owned_set where domain_id = ${domain}`).toEqual([])
        const events = yield* suite.sql<{
          type: string
          status: string
        }>`select type, data->>'dns_status' as status from core.event
        where tenant_id = 67 and type like 'domain.%' and (data->>'domain_id')::int = ${domain} order by id`
        expect(events.map(({ status }) => status)).toEqual(["managed", "manual"])
      })
    )
  })
})
