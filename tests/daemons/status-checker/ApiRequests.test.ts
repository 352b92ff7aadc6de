/** HTTP of the public interface: encodings, conditional requests, methods, invalid fields and unknown ids. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { ask, german, Place, settled } from "./PublicPlace.ts"

describe("requests to the public interface", () => {
  layer(Place.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect(
      "is equal in every encoding, and 304 while unchanged",
      () =>
        Effect.gen(function* () {
          yield* settled
          for (const path of ["/", "/api/v1/status", "/api/v1/uptime", "/api/v2/summary.json", "/feed.atom"]) {
            const plain = yield* ask(path)
            const [br, gzip] = [
              yield* ask(path, { "accept-encoding": "gzip, br" }),
              yield* ask(path, { "accept-encoding": "gzip;q=0.9, br;q=0.1" })
            ]
            if (plain.bytes.length < 1_024) continue
            assert.deepStrictEqual(
              [plain.headers["content-encoding"], br.headers["content-encoding"], gzip.headers["content-encoding"]],
              [undefined, "br", "gzip"],
              path
            )
            assert.strictEqual(plain.headers["vary"], "accept-language, accept-encoding")
            if (br.headers["etag"]!.startsWith(plain.headers["etag"]!.slice(0, -1))) {
              assert.isTrue(
                brotliDecompressSync(br.bytes).equals(plain.bytes) && gunzipSync(gzip.bytes).equals(plain.bytes),
                path
              )
            }
            const tags = [plain, br, gzip].map(({ headers }) => headers["etag"]!)
            assert.strictEqual(new Set(tags).size, 3)
            for (const tag of tags) assert.match(tag, /^"[A-Za-z0-9_-]{22}(-br|-gzip)?"$/)
          }
          const first = yield* ask("/api/v1/components")
          const tag = first.headers["etag"]!
          for (const condition of [tag, `W/${tag}`, `"x", ${tag}`, "*", ` ${tag} ,"y"`]) {
            const again = yield* ask("/api/v1/components", { "if-none-match": condition })
            assert.deepStrictEqual(
              [
                again.status,
                again.bytes.length,
                again.headers["etag"],
                again.headers["cache-control"],
                again.headers["content-type"]
              ],
              [304, 0, tag, "public, max-age=10, must-revalidate", undefined],
              condition
            )
          }
          for (const condition of ['"x"', tag.slice(1, -1), "", "W/*", `${tag}x`, '"'.repeat(8_000)]) {
            assert.strictEqual(
              (yield* ask("/api/v1/components", { "if-none-match": condition })).status,
              200,
              condition
            )
          }
          assert.strictEqual((yield* ask("/api/v1/components", { ...german, "if-none-match": tag })).status, 200)
        }),
      120_000
    )

    it.effect(
      "answers HEAD and CORS requests, answers ranges with the whole body, and refuses other methods",
      () =>
        Effect.gen(function* () {
          yield* settled
          const [get, head] = [yield* ask("/api/v1/components"), yield* ask("/api/v1/components", {}, "HEAD")]
          assert.deepStrictEqual(
            [head.status, head.bytes.length, head.headers["content-length"], head.headers["etag"]],
            [200, 0, String(get.bytes.length), get.headers["etag"]]
          )
          assert.strictEqual((yield* ask("/api/v1/components/none", {}, "HEAD")).status, 404)
          assert.strictEqual(get.headers["access-control-allow-origin"], "*")
          const preflight = yield* ask(
            "/api/v1/components",
            {
              origin: "https://else.example",
              "access-control-request-method": "GET",
              "access-control-request-headers": "if-none-match"
            },
            "OPTIONS"
          )
          assert.deepStrictEqual(
            [
              preflight.status,
              preflight.headers["access-control-allow-origin"],
              preflight.headers["access-control-allow-headers"]
            ],
            [204, "*", "if-none-match"]
          )
          const ranged = yield* ask("/api/v1/components", { range: "bytes=0-3" })
          assert.deepStrictEqual([ranged.status, ranged.text], [200, get.text])
          for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
            const refused = yield* ask("/api/v1/components", {}, method)
            assert.deepStrictEqual(
              [refused.status, refused.json?.code, refused.headers["allow"]],
              [405, "method_not_allowed", "GET, HEAD, OPTIONS"],
              method
            )
          }
          assert.notStrictEqual((yield* ask("/", {}, "TRACE")).status, 200)
        }),
      120_000
    )

    it.effect(
      "names invalid fields, and answers 404 for unknown ids",
      () =>
        Effect.gen(function* () {
          const wrong = (path: string) =>
            Effect.map(ask(path), ({ headers, json, status }) => [
              status,
              headers["content-type"],
              json.code,
              json.errors.map(({ field }: any) => field)
            ])
          for (const days of ["0", "91", "-1", "1.5", "abc", "", "1e1", "9".repeat(5_000), "%00", "٣"]) {
            assert.deepStrictEqual(
              yield* wrong(`/api/v1/uptime/mail?days=${encodeURI(days)}`),
              [422, "application/problem+json", "invalid_request", ["query.days"]],
              days
            )
          }
          assert.deepStrictEqual(yield* wrong("/api/v1/uptime?days=91"), [
            422,
            "application/problem+json",
            "invalid_request",
            ["query.days"]
          ])
          assert.deepStrictEqual(yield* wrong("/api/v1/incidents?limit=0&status=open"), [
            422,
            "application/problem+json",
            "invalid_request",
            ["query.limit", "query.status"]
          ])
          assert.strictEqual((yield* ask("/api/v1/uptime/mail?days=90")).status, 200)
          for (const path of [
            "components/none",
            "components/mail/x",
            "components/%",
            "components/%2e%2e",
            "components/__proto__",
            "components/gone",
            "uptime/none?days=5",
            "incidents/draft-1",
            "incidents/%ff"
          ]) {
            const missing = yield* ask(`/api/v1/${path}`)
            assert.deepStrictEqual([missing.status, missing.json?.code], [404, "not_found"], path)
          }
          assert.strictEqual((yield* ask(`/api/v1/status?${"a=b&".repeat(2_500)}`)).status, 200)
          assert.strictEqual((yield* ask(`/api/v1/components/${"x".repeat(10_000)}`)).status, 404)
          assert.strictEqual((yield* ask("/api/v1/status?%%%=&&&lang")).status, 200)
          // Spelt so that the lane does not know it: the router answers alike, also what is wrong.
          const odd = yield* ask("/api/v1/%63omponents/mail", german)
          assert.deepStrictEqual(
            [odd.status, odd.json?.name, odd.headers["etag"]],
            [200, "Post", (yield* ask("/api/v1/components/mail", german)).headers["etag"]]
          )
          assert.deepStrictEqual(yield* wrong("/api/v1/%75ptime/mail?days=91"), [
            422,
            "application/problem+json",
            "invalid_request",
            ["query.days"]
          ])
          assert.strictEqual((yield* ask("/api/v1/%63omponents/none")).status, 404)
        }),
      120_000
    )
  })
})
