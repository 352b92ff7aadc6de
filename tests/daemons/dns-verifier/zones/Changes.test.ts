/** Changes of records reach the provider by themselves, and the answers tell what happened. */
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { callLimits } from "#daemons/dns-verifier/providers/adapters/CallLimits.ts"
import { HetznerDouble } from "#support/dns/HetznerDouble.ts"
import { until } from "#support/Frame.ts"
import { as, callsOf, ipv4, refusal, startVerifier, type Verifier } from "../Verifier.ts"

interface Site extends Verifier {
  readonly hetzner: HetznerDouble
}

class Suite extends Context.Service<Suite, Site>()("test/Suite") {
  /** `settle`: milliseconds that a plan waits for further changes. */
  static readonly settling = (settle: number) =>
    Layer.effect(
      Suite,
      Effect.gen(function* () {
        const hetzner = new HetznerDouble()
        const url = yield* Effect.acquireRelease(
          Effect.promise(() => hetzner.start()),
          () => Effect.promise(() => hetzner.stop())
        )
        const env = { SIGNALBOX_HETZNER_DNS_URL: url, SIGNALBOX_DNS_SETTLE_MS: String(settle) }
        return { ...(yield* startVerifier({ env })), hetzner }
      })
    )
}

/** A managed domain; its zone holds a foreign TXT and the given records of third parties. */
const managed = Effect.fnUntraced(function* (
  suite: Site,
  tenant: number,
  name: string,
  ...foreign: ReadonlyArray<readonly [type: string, name: string, value: string]>
) {
  suite.hetzner.mend()
  suite.hetzner.makeZone(name)
  for (const [type, at, value] of [["TXT", "theirs", '"keep me"'] as const, ...foreign])
    suite.hetzner.put(name, { name: at, type, ttl: null, records: [{ value }] })
  const calls = callsOf(suite, as(tenant))
  const { id: provider } = yield* calls.provider("provider_a", { credentials: { api_token: suite.hetzner.token } })
  const { id } = (yield* calls.domain(name, { dns_provider_id: provider })) as { readonly id: number }
  const records = `domains/${id}/records`
  return {
    ...calls,
    id,
    account: provider as number,
    records,
    text: (at: string, content: string, query = "") =>
      calls.post(`${records}${query}`, { type: "TXT", name: at, content }),
    served: (at: string, type = "TXT") => suite.hetzner.served(name, at, type),
    /** Requested changes of this zone, as sent. */
    changes: () => suite.hetzner.changes.filter(({ path }) => path.includes(`/zones/`)).length
  }
})

/**
 * What became of a change, once it is planned. `answered`: what the answer to the change said. That answer comes within
 * 5 s, whether the change is planned by then or not.
 */
const planned = Effect.fnUntraced(function* (
  { get, records }: { readonly get: ReturnType<typeof callsOf>["get"]; readonly records: string },
  answered: any
) {
  let provider = answered
  yield* until(
    "the change to be planned",
    Effect.suspend(() =>
      provider.reason !== "planning"
        ? Effect.succeed(true)
        : Effect.map(get(records), ({ json }) => {
            provider = json.provider
            return provider.reason !== "planning"
          })
    ),
    30
  )
  return provider
})

const places = (provider: any) => provider.steps.map(({ name, type }: any) => `${type} ${name}`)

describe("changes in a row", () => {
  // Nothing applies itself before the test does it.
  layer(Suite.settling(60_000), { excludeTestServices: true })((it) => {
    it.effect(
      "become one plan, which writes each set once",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = yield* managed(suite, 101, "row.test")
        const first = yield* anna.text("one", "1")
        const firstOutcome = yield* planned(anna, first.json.provider)
        expect([first.status, firstOutcome]).toMatchObject([
          201,
          { state: "planned", reason: null, detail: null, foreign: [] }
        ])
        expect(Date.parse(firstOutcome.at)).toBeGreaterThan(Date.now())
        const second = yield* anna.text("two", "2")
        const changed = yield* anna.put(`${anna.records}/${second.json.id}`, { content: "two" })
        const outcome = yield* planned(anna, changed.json.provider)
        expect([changed.status, changed.json.content, outcome.plan_id]).toEqual([200, "two", firstOutcome.plan_id])
        expect(places(outcome).toSorted()).toEqual(["A @", "A www", "AAAA @", "TXT one", "TXT two"])
        // A record that is not in the zone yet is deleted, and leaves the plan.
        const { json: gone } = yield* anna.text("gone", "3")
        expect((yield* anna.remove(`${anna.records}/${gone.id}`)).status).toBe(204)
        yield* until(
          "the plan without it",
          // Until the deletion is planned, the answer is `queued` and has no steps.
          Effect.map(
            anna.get(anna.records),
            ({ json }) => json.provider.state === "planned" && !places(json.provider).includes("TXT gone")
          )
        )
        const { items } = (yield* anna.get(`domains/${anna.id}/plans`)).json
        expect(items.map(({ id, state }: any) => [id, state])).toEqual([[firstOutcome.plan_id, "planned"]])
        expect([items[0].apply_after === null, suite.hetzner.changes.length]).toEqual([false, 0])

        // Somebody applies it before its time.
        expect((yield* anna.post(`domains/${anna.id}/plans/${items[0].id}/apply`, {})).status).toBe(202)
        const now = () => Effect.map(anna.get(anna.records), ({ json }) => json.provider)
        yield* until(
          "the plan to be applied",
          Effect.map(now(), ({ state }) => state === "applied"),
          30
        )
        expect([anna.served("one"), anna.served("two"), anna.served("gone"), anna.served("theirs")]).toEqual([
          ["1"],
          ["two"],
          [],
          ["keep me"]
        ])
        expect(suite.hetzner.changes).toHaveLength(5)
      }),
      120_000
    )

    it.effect(
      "at the same time become one plan as well",
      Effect.fnUntraced(function* () {
        const anna = yield* managed(yield* Suite, 102, "burst.test")
        const answers = yield* Effect.all(
          Array.from({ length: 6 }, (_, at) => anna.text(`n${at}`, "x", "?wait=0")),
          { concurrency: "unbounded" }
        )
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
        yield* until(
          "all to be planned",
          Effect.map(anna.get(anna.records), ({ json }) => places(json.provider).length === 9)
        )
        expect((yield* anna.get(`domains/${anna.id}/plans`)).json.items).toHaveLength(1)
      }),
      120_000
    )

    it.effect(
      "wait when the provider limits the rate, and are planned afterwards",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = yield* managed(suite, 103, "limited.test")
        yield* until(
          "the first plan",
          Effect.map(anna.get(anna.records), ({ json }) => json.provider.state === "planned")
        )
        // The recent reading of the zone would be used again.
        yield* suite.sql`update dns_verifier.zone_reading set read_at = now() - interval '1 hour'`
        suite.hetzner.resetAfter = 0
        suite.hetzner.limitNext(callLimits.tries)
        const { json } = yield* anna.text("late", "x", "?wait=30")
        expect(json.provider).toMatchObject({ state: "queued", reason: "rate_limited", plan_id: null })
        expect(json.provider.at).toEqual(expect.any(String))
        yield* until(
          "the change to be planned",
          Effect.map(anna.get(anna.records), ({ json }) => places(json.provider).includes("TXT late")),
          30
        )
        expect((yield* anna.get(`domains/${anna.id}/plans`)).json.items).toHaveLength(1)
      }),
      120_000
    )

    it.effect(
      "are neither seen nor applied by another tenant",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = yield* managed(suite, 104, "apart.test")
        const { json } = yield* anna.text("mine", "x")
        const { plan_id } = yield* planned(anna, json.provider)
        const bert = callsOf(suite, as(105))
        for (const answer of [
          yield* bert.get(anna.records),
          yield* bert.post(anna.records, { type: "TXT", name: "theirs", content: "x" }),
          yield* bert.put(`${anna.records}/${json.id}`, { content: "y" }),
          yield* bert.post(`domains/${anna.id}/plans/${plan_id}/apply`, {})
        ])
          expect(refusal(answer)).toEqual([404, "not_found"])
        expect((yield* anna.get(anna.records)).json.provider).toMatchObject({ state: "planned", plan_id })
      }),
      120_000
    )

    it.effect(
      "tell why nothing is written without a usable account",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = callsOf(suite, as(106))
        const told = Effect.fnUntraced(function* (name: string, account?: number) {
          const { id } = yield* anna.domain(name, account === undefined ? {} : { dns_provider_id: account })
          const { provider } = yield* anna.record(id, "TXT", "a", "x")
          const { reason, state } = yield* planned({ ...anna, records: `domains/${id}/records` }, provider)
          return [state, reason]
        })
        expect(yield* told("hand.example.org")).toEqual(["none", "no_account"])
        const { id: cloud } = yield* anna.provider("provider_c")
        expect(yield* told("cloud.example.org", cloud)).toEqual(["none", "no_adapter"])
        const { id: empty } = yield* anna.provider("provider_a")
        expect(yield* told("empty.example.org", empty)).toEqual(["not_applied", "no_credentials"])
        const { id: wrong } = yield* anna.provider("provider_a", { credentials: { api_token: "x".repeat(64) } })
        expect(yield* told("wrong.example.org", wrong)).toEqual(["not_applied", "provider_refused"])
        const { id } = yield* anna.domain("waits.example.org")
        for (const wait of ["31", "-1", "soon"])
          expect((yield* anna.post(`domains/${id}/records?wait=${wait}`, {})).status).toBe(422)
      }),
      120_000
    )
  })
})

describe("changes", () => {
  layer(Suite.settling(0), { excludeTestServices: true })((it) => {
    it.effect(
      "are written by themselves, and the answer waits for it on request",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = yield* managed(suite, 111, "self.test")
        const { json: made } = yield* anna.text("note", "hello", "?wait=30")
        expect([
          made.managed,
          made.provider.state,
          new Set(made.provider.steps.map(({ state }: any) => state))
        ]).toEqual([true, "applied", new Set(["done"])])
        expect([anna.served("note"), anna.served("@", "A"), anna.served("theirs")]).toEqual([
          ["hello"],
          [ipv4],
          ["keep me"]
        ])
        const { json: changed } = yield* anna.put(`${anna.records}/${made.id}?wait=30`, { content: "bye" })
        expect([changed.provider.state, places(changed.provider), anna.served("note")]).toEqual([
          "applied",
          ["TXT note"],
          ["bye"]
        ])
        // A request that changes nothing plans nothing.
        const again = yield* anna.put(`${anna.records}/${made.id}?wait=30`, { content: "bye" })
        expect(again.json.provider.plan_id).toBe(changed.provider.plan_id)
        // A record that the zone has already is not written, and not ours to delete from it.
        const { json: theirs } = yield* anna.text("theirs", "keep me", "?wait=30")
        expect([theirs.provider.state, theirs.managed]).toEqual(["unchanged", false])
        expect((yield* anna.remove(`${anna.records}/${theirs.id}`)).status).toBe(204)
        // What we wrote is managed at the provider.
        expect(refusal(yield* anna.remove(`${anna.records}/${made.id}`))).toEqual([409, "provider_managed"])
        expect(anna.served("theirs")).toEqual(["keep me"])
        const [line] = yield* suite.sql<{ count: number }>`select count(*)::int as count from core.audit
          where tenant_id = 111 and action = 'dns_plan.applied' and actor = 'system'`
        expect(line!.count).toBeGreaterThanOrEqual(2)
      }),
      120_000
    )

    it.effect(
      "wait for a person when the plan would change foreign records",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = yield* managed(suite, 112, "foreign.test", ["A", "@", "203.0.113.9"])
        const before = suite.hetzner.changes.length
        const { json } = yield* anna.text("note", "x", "?wait=30")
        expect(json.provider).toMatchObject({
          state: "not_applied",
          reason: "foreign_records",
          at: null,
          foreign: [{ code: "foreign_replaced", type: "A", name: "@" }]
        })
        expect([suite.hetzner.changes.length, anna.served("@", "A")]).toEqual([before, ["203.0.113.9"]])
        yield* anna.post(`domains/${anna.id}/plans/${json.provider.plan_id}/apply`, {})
        yield* until(
          "the approved plan to be applied",
          Effect.map(anna.get(anna.records), ({ json }) => json.provider.state === "applied"),
          30
        )
        expect([anna.served("@", "A"), anna.served("note")]).toEqual([[ipv4], ["x"]])
      }),
      120_000
    )

    it.effect(
      "are written after an outage of the provider",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const anna = yield* managed(suite, 113, "outage.test")
        yield* anna.text("early", "x", "?wait=30")
        // More than the requests of all domains until the end of the outage.
        suite.hetzner.failNext(...Array.from({ length: 1000 }, () => "500" as const))
        const { json } = yield* anna.text("late", "x", "?wait=30")
        expect(json.provider).toMatchObject({ state: "queued", reason: "provider_unreachable", plan_id: null })
        expect([json.provider.detail, json.provider.at]).toEqual([
          expect.stringContaining("The zone cannot be read"),
          expect.any(String)
        ])
        suite.hetzner.mend()
        yield* until(
          "the record to be written",
          Effect.sync(() => anna.served("late").length > 0),
          60
        )
        expect(anna.served("late")).toEqual(["x"])
      }),
      120_000
    )
  })
})
