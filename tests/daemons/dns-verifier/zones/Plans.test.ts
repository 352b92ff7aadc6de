/** Plans by the interface: made, looked at, applied, dropped, over a provider that keeps what is written. */
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HetznerDouble } from "#support/dns/HetznerDouble.ts"
import { until } from "#support/Frame.ts"
import { as, callsOf, ipv4, refusal, startVerifier, type Verifier } from "../Verifier.ts"

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

/** A managed domain whose zone holds a foreign record, and nothing of ours. */
const managed = Effect.fnUntraced(function* (suite: Site, tenant: number, name: string) {
  suite.hetzner.makeZone(name)
  suite.hetzner.put(name, { name: "theirs", type: "TXT", ttl: null, records: [{ value: '"keep me"' }] })
  const calls = callsOf(suite, as(tenant))
  const { id: provider } = yield* calls.provider("provider_a", { credentials: { api_token: suite.hetzner.token } })
  const { id } = yield* calls.domain(name, { dns_provider_id: provider })
  return { ...calls, id: id as number, provider: provider as number }
})

const ended = (calls: Pick<ReturnType<typeof callsOf>, "get">, path: string) =>
  until(
    "the plan has ended",
    Effect.map(calls.get(path), ({ json }) => json.state !== "applying"),
    30
  )

describe("plans", () => {
  layer(Suite.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "list the changes, write them when applied, and keep foreign records",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = yield* managed(suite, 81, "whole.test")
        const { json: plan, status } = yield* anna.post(`domains/${anna.id}/plan`, {})
        expect([status, plan.state, plan.domain_id]).toEqual([201, "planned", anna.id])
        expect(
          plan.steps.map(({ after, before, change, name, state, type }: any) => [
            change,
            type,
            name,
            before,
            after,
            state
          ])
        ).toEqual(
          expect.arrayContaining([
            ["create", "A", "@", null, [ipv4], "pending"],
            ["create", "A", "www", null, [ipv4], "pending"]
          ])
        )
        expect(suite.hetzner.served("whole.test", "@", "A")).toEqual([])
        const applied = yield* anna.post(`domains/${anna.id}/plans/${plan.id}/apply`, {})
        expect([applied.status, applied.json.state]).toEqual([202, "applying"])
        yield* ended(anna, `domains/${anna.id}/plans/${plan.id}`)
        const { json: after } = yield* anna.get(`domains/${anna.id}/plans/${plan.id}`)
        expect([after.state, after.steps.every(({ state }: any) => state === "done")]).toEqual(["applied", true])
        expect([
          suite.hetzner.served("whole.test", "@", "A"),
          suite.hetzner.served("whole.test", "theirs", "TXT")
        ]).toEqual([[ipv4], ["keep me"]])
        const { items } = (yield* anna.get(`domains/${anna.id}/records`)).json
        expect(items.filter(({ source }: any) => source === "platform").every(({ managed }: any) => managed)).toBe(true)
        expect(items.filter(({ source }: any) => source === "foreign").map(({ content }: any) => content)).toEqual([
          "keep me"
        ])
        expect(refusal(yield* anna.post(`domains/${anna.id}/plans/${plan.id}/apply`, {}))).toEqual([409, "plan_closed"])
        expect(refusal(yield* anna.post(`domains/${anna.id}/plans/${plan.id}/discard`))).toEqual([409, "plan_closed"])
        const { json: list } = yield* anna.get(`domains/${anna.id}/plans`)
        expect(
          list.items.map(({ id, state, steps_done, steps_total }: any) => [id, state, steps_done, steps_total])
        ).toContainEqual([plan.id, "applied", plan.steps.length, plan.steps.length])
      }),
      120_000
    )

    it.effect(
      "delete a record from the zone",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = yield* managed(suite, 82, "taken-out.test")
        const { id: record } = yield* anna.record(anna.id, "TXT", "note", "ours")
        const plan = Effect.fnUntraced(function* (body: object) {
          const { json } = yield* anna.post(`domains/${anna.id}/plan`, body)
          yield* anna.post(`domains/${anna.id}/plans/${json.id}/apply`, { force: true })
          yield* ended(anna, `domains/${anna.id}/plans/${json.id}`)
        })
        yield* plan({})
        expect(suite.hetzner.served("taken-out.test", "note", "TXT")).toEqual(["ours"])
        expect(refusal(yield* anna.remove(`domains/${anna.id}/records/${record}`))).toEqual([409, "provider_managed"])
        const [apex] = (yield* anna.get(`domains/${anna.id}/records`)).json.items
        for (const id of [apex.id, "r2000000000", "nonsense"]) {
          expect(refusal(yield* anna.post(`domains/${anna.id}/plan`, { remove: [record, id] }))).toEqual([
            422,
            "invalid_request",
            "payload.remove[1]"
          ])
        }
        yield* plan({ remove: [record] })
        expect(suite.hetzner.served("taken-out.test", "note", "TXT")).toEqual([])
        expect((yield* anna.get(`domains/${anna.id}/records/${record}`)).status).toBe(404)
      }),
      120_000
    )

    it.effect(
      "can be discarded, and are created once per Idempotency-Key",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = yield* managed(suite, 83, "dropped.test")
        const once = (body: object) => anna.post(`domains/${anna.id}/plan`, body, { "idempotency-key": "p1" })
        const { json: first } = yield* once({})
        expect((yield* anna.post(`domains/${anna.id}/plans/${first.id}/discard`)).json.state).toBe("discarded")
        expect((yield* once({})).json.id).toBe(first.id)
        const { id: record } = yield* anna.record(anna.id, "TXT", "a", "x")
        yield* until(
          "the record to be planned",
          Effect.map(anna.get(`domains/${anna.id}/records`), ({ json }) => json.provider.reason !== "planning"),
          30
        )
        const before = yield* suite.sql<{
          count: number
        }>`select count(*)::int as count from dns_verifier.plan where domain_id = ${anna.id}`
        expect((yield* once({ remove: [record] })).json.code).toBe("idempotency_key_reused")
        // A body that is another by now makes no plan.
        expect(
          yield* suite.sql`select count(*)::int as count from dns_verifier.plan where domain_id = ${anna.id}`
        ).toEqual(before)
        const lines = yield* suite.sql<{
          action: string
        }>`select action from core.audit where tenant_id = 83 and action like 'dns_plan.%' and actor = 'user:830' order by id`
        expect(lines.map(({ action }) => action)).toContain("dns_plan.discarded")
      }),
      120_000
    )

    it.effect(
      "stop before changing a large part of a zone, until force is given",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = yield* managed(suite, 84, "stopped.test")
        for (let at = 0; at < 10; at++) yield* anna.record(anna.id, "TXT", `n${at}`, "x")
        for (let at = 0; at < 10; at++)
          suite.hetzner.put("stopped.test", {
            name: `f${at}`,
            type: "A",
            ttl: null,
            records: [{ value: "198.51.100.1" }]
          })
        const { json: plan } = yield* anna.post(`domains/${anna.id}/plan`, {})
        expect([plan.state, plan.share > 0.3]).toEqual(["stopped", true])
        const refused = yield* anna.post(`domains/${anna.id}/plans/${plan.id}/apply`, {})
        expect([refusal(refused), refused.json.share]).toEqual([[409, "plan_stopped"], plan.share])
        expect((yield* anna.post(`domains/${anna.id}/plans/${plan.id}/apply`, { force: true })).status).toBe(202)
      }),
      120_000
    )

    it.effect(
      "need an account with access to the zone",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(85))
        const { id } = yield* anna.domain("nobodys.test")
        expect(refusal(yield* anna.post(`domains/${id}/plan`, {}))).toEqual([409, "not_managed"])
        const { id: provider } = yield* anna.provider("provider_a", { credentials: { api_token: suite.hetzner.token } })
        yield* anna.put(`domains/${id}`, { dns_provider_id: provider })
        const failed = yield* anna.post(`domains/${id}/plan`, {})
        expect([refusal(failed), failed.json.reason]).toEqual([[502, "provider_failed"], "zone_not_found"])
      }),
      120_000
    )
  })
})
