/**
 * Tests the walks with a daemon that has one fault per address. The walks must find and name each fault, and nothing
 * else.
 */
import { describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { expect } from "vitest"
import { fakeUser, fakeUsers } from "#support/FakeUsers.ts"
import { startSuite } from "#support/TestSuite.ts"
import { badInput } from "./BadInputWalk.ts"
import { type Cases, creates, type Ids, list, own, thing, type Who } from "./Case.ts"
import { leakyDaemon } from "./LeakyDaemon.ts"
import { rowSecurity } from "./RowSecurity.ts"
import { tenancy } from "./TenancyWalk.ts"
import type { Walk } from "./Walk.ts"

class Walked extends Context.Service<Walked, Walk>()("test/Walked") {
  static readonly layer = Layer.effect(
    Walked,
    Effect.gen(function* () {
      const suite = yield* startSuite({ daemons: [leakyDaemon], verifier: fakeUsers })
      let count = 0
      const seed = Effect.fnUntraced(function* (as: Who) {
        const name = `${as.mark} ${count++}`
        const [row] = yield* suite.sql<{
          id: number
        }>`insert into leaky.thing (tenant_id, name) values (${as.tenant}, ${name}) returning id`
        return { id: row!.id, name }
      })
      const numbered = (as: Who) => Effect.map(seed(as), ({ id }) => ({ id }))
      const never = { id: 2_000_000_000, name: "no such name" }
      const byId = (more: { readonly body?: (as: Who) => object } = {}) =>
        thing({
          seed: numbered,
          never: { id: never.id },
          request: ({ id }, as) => ({ path: { id }, ...(more.body === undefined ? {} : { body: more.body(as) }) }),
          success: 200,
          wrong: ({ json }, ids) => (json.id === ids.id ? undefined : "another thing")
        })
      const all = list({
        seed,
        never,
        request: () => ({}),
        success: 200,
        shows: ({ json }) => json.items.map(({ id }: { readonly id: number }) => id),
        by: "id",
        naming: () => []
      })
      const adopts = thing({
        seed: numbered,
        never: { id: never.id },
        request: ({ id }, as) => ({ body: { name: as.mark, parent_id: id } }),
        success: 200,
        made: ({ json }) => json.id
      })
      const makes = (name = "abc") =>
        creates({
          namesNothing: "a name",
          request: () => ({ body: { name } }),
          success: 200,
          made: ({ json }) => json.id
        })
      const rename = byId({ body: (as) => ({ name: as.mark }) })
      const cases: Cases = {
        "GET /api/v1/leaky/sound": all,
        "POST /api/v1/leaky/sound": adopts,
        "GET /api/v1/leaky/sound/{id}": byId(),
        "PUT /api/v1/leaky/sound/{id}": rename,
        "GET /api/v1/leaky/told/{id}": byId(),
        "GET /api/v1/leaky/counted": all,
        "GET /api/v1/leaky/searched": {
          ...all,
          naming: ({ name }: Ids) => [{ q: name! }],
          freeText: ["query.q"]
        } as typeof all,
        "PUT /api/v1/leaky/swept/{id}": rename,
        "GET /api/v1/leaky/blind/{id}": byId(),
        "POST /api/v1/leaky/adopted": adopts,
        "POST /api/v1/leaky/keyed": makes(),
        "POST /api/v1/leaky/frail": {
          ...makes(),
          except: [{ input: "body.name: too long", why: "as long as one likes" }]
        },
        "POST /api/v1/leaky/hasty": makes(),
        "POST /api/v1/leaky/chatty": makes(),
        "GET /api/v1/leaky/open/{id}": byId(),
        "GET /api/v1/leaky/gone": own("never was", { success: 200 })
      }
      for (const [tenant, table] of [
        [7, "loose"],
        [8, "loose"],
        [7, "written"],
        [8, "written"]
      ] as const) {
        yield* suite.sql.unsafe(`insert into leaky.${table} values (${tenant}, 'x')`)
      }
      return {
        suite,
        schema: "leaky",
        cases,
        a: fakeUser("A", 7),
        b: fakeUser("B", 8),
        powerless: fakeUser("P", 8, ""),
        platform: {
          name: "platform",
          tenant: 1,
          headers: { "x-service-token": yield* suite.token },
          mark: "mark-of-platform"
        }
      }
    })
  )
}

/** Findings by operation, each reduced to its distinctive part. */
const grouped = (found: ReadonlyArray<string>) => {
  const groups: Record<string, Array<string>> = {}
  for (const line of found) {
    const [operation, what] = [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]
    const short = operation.replace("/api/v1/leaky", "")
    ;(groups[short] ??= []).push(what)
  }
  return groups
}
const unpaired = {
  "GET /forgotten": ["has no case; write one into the daemon's table"],
  "GET /gone": ["has a case, but /openapi.json knows no such operation"]
}

const says = (pattern: RegExp) => expect.stringMatching(pattern)

describe("the walks", () => {
  layer(Walked.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "find each way in which tenants are not kept apart",
      () =>
        Effect.gen(function* () {
          const found = grouped(yield* Effect.flatMap(Walked, tenancy))
          expect(found).toEqual({
            ...unpaired,
            "GET /told/{id}": [
              says(/^B with A's ids, and with ids that never were, is answered differently: 403 .+ and 404 /)
            ],
            "GET /counted": [says(/^what B is shown changes when A gets a thing: 200 /)],
            "GET /searched": [
              says(
                /^B with q=mark-of-A-x7q4\+\d+, and with one that never was, is answered differently: .+"total":1\} and .+"total":0\}$/
              ),
              says(/^B with q=\S+ is shown A's \d+$/),
              says(/^B with q=\S+ reads A's text: 200 /)
            ],
            "PUT /swept/{id}": [
              says(/^B with A's ids changes A's rows: leaky.thing .+mark-of-A-x7q4.+ became .+mark-of-B-x7q4/),
              says(/^B's own changes A's rows: leaky.thing /)
            ],
            "GET /blind/{id}": [says(/^A's own does not work: 404 .+, not 200$/), says(/^B's own does not work: 404 /)],
            "POST /adopted": [
              says(/^B with A's ids, and with ids .+ differently: 200 .+ and 500 /),
              says(/^B with ids that never were breaks it: 500 /)
            ],
            "POST /keyed": [
              says(/^B with A's Idempotency-Key is given A's answer: 200 /),
              says(/^B with A's Idempotency-Key is given A's answer: 200 /)
            ],
            "GET /open/{id}": [
              "asks for no credentials by /openapi.json, but the case does not say public",
              ...["B", "P without permissions"].flatMap((who) => [
                says(
                  new RegExp(
                    `^${who} with A's ids, and with ids that never were, is answered differently: 200 .+ and 404 `
                  )
                ),
                says(new RegExp(`^${who} with A's ids reads A's text: 200 `))
              ])
            ]
          })
        }),
      120_000
    )

    it.effect("find each table that Postgres does not guard", () =>
      Effect.gen(function* () {
        expect(yield* Effect.flatMap(Walked, (walk) => rowSecurity(walk))).toEqual([
          "leaky.draft: no seed made a row of A's, so nothing is proved of it",
          "leaky.loose: select without a WHERE shows B 1 foreign rows: (7,x)",
          "leaky.written: select without a WHERE shows B 1 foreign rows: (7,x)",
          "leaky.written: update without a WHERE reaches A's rows",
          "leaky.written: delete without a WHERE reaches A's rows",
          "leaky.written: B may insert a row of A's",
          "leaky.written: B may give its row to A"
        ])
        expect(
          yield* Effect.flatMap(Walked, (walk) =>
            rowSecurity(walk, { "leaky.draft": "made by hand", "leaky.loose": "made by hand" })
          )
        ).toEqual(expect.not.arrayContaining([says(/^leaky.draft/)]))
      })
    )

    it.effect(
      "find each wrong request that is not refused as it should be",
      () =>
        Effect.gen(function* () {
          const found = grouped(yield* Effect.flatMap(Walked, badInput))
          expect(found).toEqual({
            ...unpaired,
            "POST /chatty": ["NUL", "lone surrogate", "too long"].map((what) =>
              says(new RegExp(`^body.name: ${what} tells of the inside \\(insert into \\): 422 `))
            ),
            "POST /frail": [
              says(/^body.name: NUL is answered 500 .+, not 4xx$/),
              says(/^body.name: lone surrogate is answered 200 .+, not 4xx$/),
              says(/^body.name: lone surrogate writes: leaky.thing \d+ rows, \S+ became \d+ rows, /)
            ],
            "POST /hasty": ["NUL", "lone surrogate", "too long"].map((what) =>
              says(new RegExp(`^body.name: ${what} writes: leaky.thing `))
            )
          })
        }),
      120_000
    )
  })
})
