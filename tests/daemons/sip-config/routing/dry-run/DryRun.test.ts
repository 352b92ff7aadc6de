/** The route test ("What happens if X calls Y") by API and CLI, over telephony data created through the API. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { as, callsOf, startTelephony } from "../../Telephony.ts"
import type { TestSuite } from "#support/TestSuite.ts"

class Place extends Context.Service<Place, TestSuite>()("test/Place") {
  static readonly layer = Layer.effect(Place, startTelephony())
}

/**
 * Asks for the route of a call. Asks again after 503: a busy machine cannot always compare the telephony data with the
 * database within 800 ms.
 */
const routeTest = (calls: ReturnType<typeof callsOf>, body: object, query = "", headers: Record<string, string> = {}) =>
  Effect.repeat(calls.post(`route-test${query}`, body, headers), { while: ({ status }) => status === 503, times: 5 })

const texts = ({ json }: { readonly json: any }): ReadonlyArray<string> =>
  json.steps.map(({ text }: { readonly text: string }) => text)

describe("the route test", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect("says where a call goes, step by step, of what was changed a moment ago", () =>
      Effect.gen(function* () {
        const suite = yield* Place
        const mine = callsOf(suite, as(31))
        const asks = (from: string, to: string, calls = mine) => routeTest(calls, { from, to })
        const ann = yield* mine.extension("1001", { domain: "voice.a31.test" })
        yield* mine.extension("1002", { domain: "voice.a31.test" })
        const inside = yield* asks("1001", "1002")
        assert.deepStrictEqual(
          [inside.status, inside.json.origin, inside.json.context, inside.json.outcome, inside.json.status],
          [200, "phone", "tenant-31", "Extension", null]
        )
        assert.strictEqual(texts(inside).at(-1), "Extension 1002@voice.a31.test rings.")
        const refused = yield* asks("1001@voice.a31.test", "030 123 4567")
        assert.deepStrictEqual([refused.json.outcome, refused.json.status], ["Refused", 403])
        const trunk = yield* mine.trunk("T")
        const did = yield* mine.did("+4930900310", "extension", ann.id, { trunk_id: trunk.id })
        yield* mine.line(ann.id, trunk.id, { did_id: did.id, priority: 1 })
        const outside = yield* asks("1001", "(030) 123-4567")
        assert.deepStrictEqual(
          [outside.json.outcome, texts(outside).at(-1)],
          ["Outside", `+49301234567 is called by trunk_${trunk.id}.`]
        )
        assert.include(texts(outside), `By trunk_${trunk.id} "T", showing +4930900310.`)
        // An incoming call, then the same with a filter.
        const within = yield* asks("+49170111", "030 900310")
        assert.deepStrictEqual(
          [within.json.outcome, texts(within).at(-2)],
          ["Extension", "+4930900310 leads to the extension 1001@voice.a31.test."]
        )
        yield* mine.filter("No mobiles", { pattern: "+4917*" })
        const filtered = yield* asks("+491701112223", "030 900310")
        assert.deepStrictEqual(
          [filtered.json.origin, filtered.json.outcome, filtered.json.status],
          ["outside", "Refused", 603]
        )
        assert.include(texts(filtered).join("\n"), '"No mobiles" refuses the caller')
      })
    )

    it.effect("tells the steps in the language that is asked for, with codes that stay the same", () =>
      Effect.gen(function* () {
        const mine = callsOf(yield* Place, as(61))
        yield* mine.extension("1001", { domain: "voice.a61.test" })
        const asks = Effect.fnUntraced(function* (query: string, headers: Record<string, string> = {}) {
          const { json } = yield* routeTest(mine, { from: "+4917066", to: "+4930900610" }, query, headers)
          return json.steps
        })
        const english = [
          { kind: "context", code: "from_outside", text: "The call comes from outside." },
          { kind: "number", code: "did_is_not_ours", text: "The number that was called is none of ours." },
          { kind: "result", code: "call_is_refused", text: "The call is refused with 404." }
        ]
        const german = english.map((step, at) => ({
          ...step,
          text: [
            "Der Anruf kommt von außen.",
            "Die angerufene Nummer gehört nicht zu uns.",
            "Der Anruf wird mit 404 abgelehnt."
          ][at]!
        }))
        assert.deepStrictEqual(yield* asks(""), english)
        assert.deepStrictEqual(yield* asks("?lang=de"), german)
        assert.deepStrictEqual(yield* asks("", { "accept-language": "de-AT,en;q=0.7" }), german)
        assert.deepStrictEqual(yield* asks("?lang=en", { "accept-language": "de" }), english)
        // The same for errors.
        const nobody = Effect.fnUntraced(function* (query: string, headers: Record<string, string> = {}) {
          const { json, status } = yield* routeTest(mine, { from: "1009@voice.a61.test", to: "1001" }, query, headers)
          return [status, json.code, json.detail]
        })
        const unknown = [404, "not_found", "There is no such extension to call from."]
        const unbekannt = [404, "not_found", "Die Nebenstelle, von der aus angerufen werden soll, gibt es nicht."]
        assert.deepStrictEqual(yield* nobody(""), unknown)
        assert.deepStrictEqual(yield* nobody("?lang=de"), unbekannt)
        assert.deepStrictEqual(yield* nobody("", { "accept-language": "de" }), unbekannt)
        assert.deepStrictEqual(yield* nobody("?lang=en", { "accept-language": "de" }), unknown)
        assert.strictEqual((yield* mine.post("route-test?lang=fr", { from: "1", to: "1" })).status, 422)
      })
    )

    it.effect("shows nothing of another tenant, and knows no extension of theirs", () =>
      Effect.gen(function* () {
        const suite = yield* Place
        const [mine, theirs] = [callsOf(suite, as(41)), callsOf(suite, as(42))]
        yield* mine.extension("1001", { domain: "voice.a41.test" })
        const ben = yield* theirs.extension("1002", { domain: "voice.a42.test" })
        yield* theirs.did("+4930900420", "extension", ben.id)
        const asked = yield* routeTest(mine, { from: "+4917055", to: "+4930900420" })
        const never = yield* routeTest(mine, { from: "+4917055", to: "+4930900429" })
        assert.strictEqual(asked.text, never.text)
        assert.deepStrictEqual(
          (yield* routeTest(mine, { from: "1001", to: "+4930900420" })).text.replaceAll("420", "429"),
          (yield* routeTest(mine, { from: "1001", to: "+4930900429" })).text
        )
        assert.strictEqual((yield* routeTest(mine, { from: "1002@voice.a42.test", to: "1001" })).status, 404)
        // A service token sees all tenants and must name the tenant or domain.
        const platform = callsOf(suite, { headers: { "x-service-token": yield* suite.token } })
        assert.strictEqual(
          (yield* routeTest(platform, { from: "+4917055", to: "+4930900420" })).json.outcome,
          "Extension"
        )
        assert.strictEqual(
          (yield* routeTest(platform, { from: "1002", to: "1002", tenant_id: 42 })).json.context,
          "tenant-42"
        )
      })
    )

    it.effect("refuses what nobody could dial", () =>
      Effect.gen(function* () {
        const mine = callsOf(yield* Place, as(51))
        for (const body of [
          { from: "", to: "1" },
          { from: "1" },
          { from: "1", to: "a\nb" },
          { from: "x".repeat(301), to: "1" },
          { from: "1", to: "${x}" },
          { from: "1", to: "1", more: 1 }
        ]) {
          assert.strictEqual((yield* mine.post("route-test", body)).status, 422, JSON.stringify(body))
        }
        assert.strictEqual(
          (yield* callsOf(yield* Place, as(51, "mail.read")).post("route-test", { from: "1", to: "1" })).status,
          403
        )
      })
    )
  })
})
