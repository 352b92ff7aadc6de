/** A server in CrowdSec's place that answers with anything, slowly, or with more than anybody reads. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ServerResponse } from "node:http"
import { until } from "#support/Frame.ts"
import { HttpDouble } from "#support/HttpDouble.ts"
import { addresses, callsOf, startWatchdog } from "./Security.ts"

const decision = (id: number, value: string, more = {}) => ({
  id,
  origin: "crowdsec",
  type: "ban",
  scope: "Ip",
  value,
  scenario: "test/rule",
  duration: "1h0m0s",
  ...more
})

/** A server whose answer to `GET /v1/decisions` can change. */
const double = Effect.gen(function* () {
  const state: { answer: (response: ServerResponse) => void; asked: number } = { answer: () => undefined, asked: 0 }
  const json = (body: unknown, status = 200) => {
    const text = typeof body === "string" ? body : JSON.stringify(body)
    state.answer = (response) => response.writeHead(status, { "content-type": "application/json" }).end(text)
  }
  json(null)
  const server = new HttpDouble(({ request, response }) => {
    if (!request.url!.startsWith("/v1/decisions?")) return void response.writeHead(404).end()
    state.asked++
    state.answer(response)
  })
  const url = yield* Effect.acquireRelease(
    Effect.promise(() => server.start()),
    () => Effect.promise(() => server.stop())
  )
  const suite = yield* startWatchdog({
    env: {
      SIGNALBOX_CROWDSEC_URL: url,
      SIGNALBOX_CROWDSEC_BOUNCER_KEY: "key-that-nobody-may-see",
      SIGNALBOX_CROWDSEC_INTERVAL_S: "1",
      SIGNALBOX_WATCHDOG_SECOND_MS: "200"
    }
  })
  const { get } = callsOf(suite)
  const becomes = (what: string, test: (json: any) => boolean) =>
    until(
      what,
      // A busy database answers 503.
      Effect.map(get("decisions?limit=200"), ({ json, status }) => status === 200 && test(json)),
      60
    )
  return { state, json, suite, get, becomes }
})

it.live(
  "answers that are no list keep the last one, marked as old; odd entries are left out",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { becomes, get, json, state, suite } = yield* double
        yield* becomes("no bans are known", ({ crowdsec }) => crowdsec.state === "ok")
        json([
          decision(1, "192.0.2.1"),
          decision(2, "0.0.0.0/0", { scope: "Range" }),
          decision(3, "nonsense"),
          decision(4, "AS1234", { scope: "AS" }),
          decision(5, "192.0.2.5", { duration: "-3s" }),
          decision(6, "192.0.2.6", { duration: "soon" }),
          decision(7, "192.0.2.7", { scenario: "a\u0000\u0007b".repeat(500) }),
          null,
          17,
          { id: "x" }
        ])
        yield* becomes("readable bans are listed", ({ items }) => items.length === 2)
        expect(yield* addresses(suite)).toEqual(["192.0.2.7", "192.0.2.1"])
        expect((yield* get("decisions")).json.items[0].rule).toMatch(/^[ab ]{1,300}$/)
        const odd: ReadonlyArray<readonly [unknown, number?]> = [
          ["<html>", 200],
          [{ message: "access forbidden" }, 403],
          [{ message: "key-that-nobody-may-see is wrong" }, 500],
          ["{", 200],
          [`{"a":1}`, 200],
          ["", 302]
        ]
        for (const [body, status] of odd) {
          json(body, status)
          yield* becomes(`${String(body)} is no list`, ({ crowdsec }) => crowdsec.state === "away")
          const found = yield* get("decisions")
          expect(found.json.items.map(({ address, stale }: any) => [address, stale])).toEqual([
            ["192.0.2.7", true],
            ["192.0.2.1", true]
          ])
          expect(found.text).not.toContain("nobody-may-see")
          json([decision(1, "192.0.2.1"), decision(7, "192.0.2.7")])
          yield* becomes("the list is fresh again", ({ crowdsec }) => crowdsec.state === "ok")
        }
        // A server that never answers: the API answers from the table.
        state.answer = () => undefined
        const before = state.asked
        yield* until(
          "the slow server was asked",
          Effect.sync(() => state.asked > before),
          60
        )
        expect(yield* addresses(suite)).toEqual(["192.0.2.7", "192.0.2.1"])
        // The endless answer is cut off.
        json(null)
      })
    ),
  120_000
)

it.live(
  "ten thousands of decisions are bounded, the longest-lasting kept; too long an answer is refused",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { becomes, json, suite } = yield* double
        json(
          Array.from({ length: 25_000 }, (_, index) =>
            decision(index + 1, `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`, {
              duration: `${index + 60}s`
            })
          )
        )
        yield* becomes("the list is cut", ({ crowdsec }) => crowdsec.truncated === true)
        const [count] = yield* suite.sql<{ n: number; first: number }>`select count(*)::int as n,
          min(key::int) as first from watchdog.decision`
        expect(count).toEqual({ n: 20_000, first: 5_001 })
        yield* until(
          "the summary counts them",
          // A busy database answers 503.
          Effect.map(callsOf(suite).get("summary"), ({ json }) => json.active?.crowdsec === 20_000),
          60
        )
        json(`[${" ".repeat(17 * 1024 * 1024)}]`)
        yield* becomes(
          "the answer is too long",
          ({ crowdsec }) => crowdsec.state === "away" && /too long/.test(crowdsec.problem)
        )
        json(null)
        yield* becomes("the list is empty", ({ crowdsec, items }) => crowdsec.state === "ok" && items.length === 0)
      })
    ),
  120_000
)
