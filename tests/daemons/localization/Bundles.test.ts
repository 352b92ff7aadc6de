/** The public answers: cache headers, encodings, 304, and how soon a change is visible. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { request } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { localization } from "#daemons/localization/Daemon.ts"
import * as AwayPostgres from "#support/AwayPostgres.ts"
import { holdsAfter, until } from "#support/Frame.ts"
import { adminOf, read, sources, startLocalization } from "./LocalizationSuite.ts"

/** The raw answer, without the decompression of fetch. */
const raw = (url: string, headers: Record<string, string> = {}, method = "GET") =>
  Effect.promise(
    () =>
      new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
        request(url, { method, headers }, (answer) => {
          const chunks: Array<Buffer> = []
          answer.on("data", (chunk: Buffer) => chunks.push(chunk))
          answer.on("end", () =>
            resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) })
          )
        })
          .on("error", reject)
          .end()
      })
  )

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`many.${index}`, `Text number ${index}`]))

it.live("a bundle has a strong tag for each encoding, and is answered 304 when it is unchanged", () =>
  Effect.gen(function* () {
    const suite = yield* startLocalization()
    yield* sources(suite, many(200))
    const url = `${suite.base()}/api/v1/i18n/bundles/de`
    const plain = yield* raw(url)
    assert.strictEqual(plain.status, 200)
    assert.strictEqual(plain.headers["cache-control"], "public, max-age=3600")
    assert.strictEqual(plain.headers["vary"], "accept-encoding")
    assert.strictEqual(plain.headers["access-control-allow-origin"], "*")
    assert.match(String(plain.headers["etag"]), /^"[\w-]{22}"$/)
    const texts = JSON.parse(plain.body.toString())
    assert.strictEqual(Object.keys(texts).length >= 200, true)
    assert.strictEqual(texts["many.7"], "Text number 7")

    const tags = new Set([plain.headers["etag"]])
    for (const [accepted, encoding, decode] of [
      ["br, gzip", "br", brotliDecompressSync],
      ["gzip", "gzip", gunzipSync],
      ["br;q=0, gzip;q=0.5", "gzip", gunzipSync]
    ] as const) {
      const answer = yield* raw(url, { "accept-encoding": accepted })
      assert.strictEqual(answer.headers["content-encoding"], encoding)
      assert.strictEqual(Number(answer.headers["content-length"]), answer.body.length)
      assert.isBelow(answer.body.length, plain.body.length / 3)
      assert.deepStrictEqual(decode(answer.body), plain.body)
      tags.add(answer.headers["etag"])
      for (const condition of [
        String(answer.headers["etag"]),
        `W/${String(answer.headers["etag"])}`,
        "*",
        `"x", ${String(answer.headers["etag"])}`
      ]) {
        const same = yield* raw(url, { "accept-encoding": accepted, "if-none-match": condition })
        assert.strictEqual(same.status, 304, condition)
        assert.strictEqual(same.body.length, 0)
        assert.strictEqual(same.headers["etag"], answer.headers["etag"])
        assert.strictEqual(same.headers["cache-control"], "public, max-age=3600")
      }
    }
    assert.strictEqual(tags.size, 3)
    assert.strictEqual((yield* raw(url, { "if-none-match": '"other"' })).status, 200)
    const head = yield* raw(url, {}, "HEAD")
    assert.deepStrictEqual([head.status, head.body.length, head.headers["etag"]], [200, 0, plain.headers["etag"]])
    assert.strictEqual((yield* raw(`${url}?v=1`)).status, 200)
    assert.strictEqual((yield* raw(`${url}/`)).status, 200)
    for (const locale of ["fr", "..%2f", "%ff", "DE", "x".repeat(3_000)])
      assert.strictEqual((yield* raw(`${suite.base()}/api/v1/i18n/bundles/${locale}`)).status, 404, locale)
    assert.strictEqual((yield* raw(url, {}, "POST")).status, 405)
    for (const path of ["de", "de/", "de/none", "de/many.1/x", "fr/many.1", "%ff/many.1"])
      assert.strictEqual((yield* raw(`${suite.base()}/api/v1/i18n/texts/${path}`)).status, 404, path)
  }).pipe(Effect.scoped)
)

it.live("every process has a changed text within a second", () =>
  Effect.gen(function* () {
    const one = yield* startLocalization()
    const other = yield* startLocalization({ database: one.database })
    yield* sources(one, many(2_000))
    for (const suite of [one, other])
      assert.strictEqual((yield* read(suite, "/bundles/de")).json["many.7"], "Text number 7")
    for (let turn = 0; turn < 3; turn++) {
      yield* adminOf(one).put("de", "many.7", `Wort ${turn}`)
      yield* holdsAfter(
        1_000,
        "the other process has the text",
        Effect.map(read(other, "/bundles/de"), ({ json }) => json["many.7"] === `Wort ${turn}`)
      )
      assert.strictEqual((yield* read(one, "/texts/de/many.7")).json.value, `Wort ${turn}`)
    }
    // A process that nobody asked for a minute compares its texts before it answers.
    const tag = (yield* read(other, "/bundles/en")).headers.get("etag")
    yield* adminOf(one).put("en", "many.8", "Changed")
    const answer = yield* read(other, "/bundles/en", { "if-none-match": tag! })
    yield* until(
      "English changed too",
      Effect.map(read(other, "/bundles/en", { "if-none-match": tag! }), ({ status }) => status === 200)
    )
    assert.include([200, 304], answer.status)
  }).pipe(Effect.scoped)
)

it.live(
  "without Postgres the texts stay as they were, and administration answers 503",
  () =>
    Effect.gen(function* () {
      const postgres = yield* AwayPostgres.make
      const suite = yield* startLocalization({ database: postgres.database })
      const admin = adminOf(suite)
      yield* admin.put("en", "k", "Text")
      assert.strictEqual((yield* read(suite, "/bundles/de")).json.k, "Text")
      yield* postgres.away
      yield* until(
        "the texts are old",
        Effect.map(admin.put("en", "k", "New"), ({ status }) => status === 503),
        30
      )
      const away = yield* read(suite, "/bundles/de")
      assert.deepStrictEqual([away.status, away.json.k], [200, "Text"])
      assert.strictEqual((yield* read(suite, "/languages")).json.length, 2)
      assert.strictEqual((yield* read(suite, "/bundles/fr")).status, 404)
      yield* postgres.back
      yield* until(
        "changes are accepted again",
        Effect.map(admin.put("en", "k", "New"), ({ status }) => status === 200),
        60
      )
      yield* until(
        "the new text is shown",
        Effect.map(read(suite, "/bundles/de"), ({ json }) => json.k === "New"),
        30
      )
    }).pipe(Effect.scoped),
  120_000
)

it.live("strangers are limited at the gateway", () =>
  Effect.gen(function* () {
    const suite = yield* startLocalization({
      daemons: [localization],
      gateway: true,
      env: { SIGNALBOX_GATEWAY_BURST: "20", SIGNALBOX_GATEWAY_RATE: "1" }
    })
    const url = `${suite.base("gateway")}/api/v1/i18n/bundles/de`
    const answers = yield* Effect.all(
      Array.from({ length: 40 }, () => raw(url)),
      { concurrency: 8 }
    )
    const statuses = answers.map(({ status }) => status)
    assert.isAtMost(statuses.filter((status) => status === 200).length, 25)
    assert.isAtLeast(statuses.filter((status) => status === 429).length, 10)
  }).pipe(Effect.scoped)
)
