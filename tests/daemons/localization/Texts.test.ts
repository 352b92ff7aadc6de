/** Languages and texts by the API: overrides, stale texts, history, refusals. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { adminOf, as, read, startLocalization } from "./LocalizationSuite.ts"
import { oncePerFile } from "#support/OncePerFile.ts"

const running = oncePerFile(startLocalization())

const md5 = (text: string) => createHash("md5").update(text).digest("hex")

const hostile = [
  `<script>alert("x")</script>`,
  `<img src=x onerror=alert(1)>`,
  "'; drop table localization.language; --",
  '=HYPERLINK("http://example.org")',
  "\u202Eright to left",
  "https://example.org/?a=1&b=2#x"
]

it.live("a person's text survives, and a changed English text makes it stale", () =>
  Effect.gen(function* () {
    const suite = yield* running
    const admin = adminOf(suite)
    const english = yield* admin.put("en", "shop.hello", "Hello {name}")
    assert.deepStrictEqual(english.json, {
      locale: "en",
      key: "shop.hello",
      value: "Hello {name}",
      auto_translated: false,
      stale: false,
      source_hash: md5("Hello {name}")
    })
    assert.strictEqual((yield* admin.put("de", "shop.hello", "Hallo {name}")).json.source_hash, md5("Hello {name}"))
    assert.deepInclude((yield* admin.get("/translations/de?q=HALLO")).json.items[0], {
      key: "shop.hello",
      source: "Hello {name}",
      value: "Hallo {name}",
      state: "manual",
      overridden: true
    })

    yield* admin.put("en", "shop.hello", "Good day, {name}")
    const [stale] = (yield* admin.get("/translations/de?state=stale")).json.items
    assert.deepInclude(stale, { key: "shop.hello", value: "Hallo {name}", source_hash: md5("Hello {name}") })
    const { languages, total_keys } = (yield* admin.get("/statistics")).json
    assert.strictEqual(total_keys, languages.find(({ code }: { code: string }) => code === "en").total)
    assert.deepInclude(
      languages.find(({ code }: { code: string }) => code === "de"),
      { auto: 0, label: "Deutsch" }
    )
    // The text is still shown, because its placeholders are those of the new English text.
    assert.strictEqual((yield* read(suite, "/texts/de/shop.hello")).json.value, "Hallo {name}")
    // Now the English text has another placeholder, so the old German text cannot be shown.
    yield* admin.put("en", "shop.hello", "Good day, {person}")
    assert.strictEqual((yield* read(suite, "/texts/de/shop.hello")).json.value, "Good day, {person}")
    assert.isFalse((yield* admin.put("de", "shop.hello", "Guten Tag, {person}")).json.stale)

    const history = (yield* admin.get("/translations/de/shop.hello/history")).json.items
    assert.deepStrictEqual(
      history.map(({ after, before, kind }: Record<string, unknown>) => [kind, before, after]),
      [
        ["override", "Hallo {name}", "Guten Tag, {person}"],
        ["override", null, "Hallo {name}"]
      ]
    )
    assert.strictEqual(history[0].actor, "user:10")
    assert.strictEqual((yield* admin.remove("/translations/de/shop.hello")).status, 204)
    assert.strictEqual((yield* read(suite, "/texts/de/shop.hello")).json.value, "Good day, {person}")
    assert.strictEqual((yield* admin.remove("/translations/de/shop.hello")).status, 404)

    // The English text of a key that does not ship is the key.
    yield* admin.put("de", "shop.hello", "Guten Tag, {person}")
    assert.strictEqual((yield* admin.remove("/translations/en/shop.hello")).status, 204)
    assert.strictEqual((yield* read(suite, "/texts/de/shop.hello")).status, 404)
    assert.strictEqual((yield* admin.put("de", "shop.hello", "Hallo")).status, 404)
    yield* admin.put("en", "shop.hello", "Again")
    assert.strictEqual((yield* read(suite, "/texts/de/shop.hello")).json.value, "Again")
    const audit = yield* suite.sql`select action from core.audit where entity_type = 'translation' order by id`
    assert.isAtLeast(audit.length, 8)
  }).pipe(Effect.scoped)
)

it.live("hostile texts come back unaltered", () =>
  Effect.gen(function* () {
    const suite = yield* running
    const admin = adminOf(suite)
    for (const [index, text] of hostile.entries()) {
      assert.strictEqual((yield* admin.put("en", `hostile.${index}`, text)).json.value, text)
      assert.strictEqual((yield* admin.put("de", `hostile.${index}`, text)).json.value, text)
      assert.strictEqual((yield* read(suite, `/texts/de/hostile.${index}`)).json.value, text)
    }
    const bundle = yield* read(suite, "/bundles/de")
    for (const [index, text] of hostile.entries()) assert.strictEqual(bundle.json[`hostile.${index}`], text)
    assert.strictEqual(bundle.headers.get("content-type"), "application/json")
    assert.strictEqual(bundle.headers.get("x-content-type-options"), "nosniff")
    // Names that every JavaScript object has, such as `constructor`, are keys like any other.
    yield* admin.put("en", "constructor", "Builder")
    assert.strictEqual((yield* read(suite, "/texts/en/constructor")).json.value, "Builder")
    assert.strictEqual((yield* read(suite, "/texts/en/toString")).status, 404)
  }).pipe(Effect.scoped)
)

it.live("refuses what is no text, key, language or message", () =>
  Effect.gen(function* () {
    const suite = yield* running
    const admin = adminOf(suite)
    yield* admin.put("en", "a.b", "Files of {name}: {count, plural, one {# file} other {# files}}")
    for (const [value, detail] of [
      ["{", /brace|message|placeholder/i],
      ["Dateien von {nome}", /nome/],
      ["{count, plural, one {# Datei}}", /without other/],
      ["{name, plural, other {#}}", /name/]
    ] as const) {
      const answer = yield* admin.put("de", "a.b", value)
      assert.strictEqual(answer.status, 422, value)
      assert.strictEqual(answer.json.code, "invalid_message")
      assert.match(answer.json.detail, detail)
    }
    for (const value of ["", "x".repeat(5_001), "a\u0000b", "\ud800", 7, null, ["x"]])
      assert.strictEqual((yield* admin.put("de", "a.b", value)).status, 422, String(value))
    assert.strictEqual((yield* admin.put("de", "a.b", "x".repeat(5_000))).status, 200)
    assert.strictEqual((yield* admin.send("PUT", "/translations/de/a.b", { value: "x", more: 1 })).status, 422)
    for (const [locale, key] of [
      ["fr", "a.b"],
      ["de", "no.such.key"],
      ["DE", "a.b"],
      ["de", "a%20b"],
      ["de", ".a"]
    ])
      assert.strictEqual((yield* admin.put(locale!, key!, "x")).status, 404, `${locale} ${key}`)
    // The router takes at most 100 characters in one segment of a path.
    assert.include([404, 405], (yield* admin.put("de", "x".repeat(101), "x")).status)
    assert.strictEqual((yield* admin.put("en", "x".repeat(100), "x")).status, 200)
    assert.strictEqual((yield* admin.get("/translations/de?after=nonsense")).status, 422)
    assert.strictEqual((yield* admin.get("/translations/de?state=odd")).status, 422)
    assert.strictEqual((yield* admin.get("/translations/de?after=0:zzz")).status, 200)
    assert.strictEqual((yield* admin.get("/translations/de?q=%25")).json.items.length, 0)
  }).pipe(Effect.scoped)
)

it.live("adds, renames and removes languages, except German and English", () =>
  Effect.gen(function* () {
    const suite = yield* running
    const admin = adminOf(suite)
    const codes = Effect.map(read(suite, "/languages"), ({ json }) => json)
    assert.deepStrictEqual(yield* codes, [
      { code: "de", label: "Deutsch" },
      { code: "en", label: "English" }
    ])
    const made = yield* admin.send(
      "POST",
      "/languages",
      { code: "pt-BR", label: "Português" },
      { "idempotency-key": "1" }
    )
    assert.strictEqual(made.status, 201)
    const again = yield* admin.send(
      "POST",
      "/languages",
      { code: "pt-BR", label: "Português" },
      { "idempotency-key": "1" }
    )
    assert.strictEqual(again.status, 201)
    assert.strictEqual((yield* admin.post("/languages", { code: "pt-BR", label: "x" })).json.code, "language_exists")
    for (const code of ["PT", "pt_BR", "x", "deutsch", "", "../en"])
      assert.strictEqual((yield* admin.post("/languages", { code, label: "x" })).status, 422, code)
    assert.strictEqual((yield* admin.send("PUT", "/languages/pt-BR", { label: "Brasil" })).json.label, "Brasil")
    assert.strictEqual((yield* codes).length, 3)
    yield* admin.put("en", "k", "Text")
    yield* admin.put("pt-BR", "k", "Texto")
    assert.strictEqual((yield* read(suite, "/bundles/pt-BR")).json.k, "Texto")

    assert.strictEqual((yield* admin.remove("/languages/pt-BR")).status, 204)
    assert.strictEqual((yield* read(suite, "/bundles/pt-BR")).status, 404)
    assert.strictEqual((yield* read(suite, "/texts/pt-BR/k")).status, 404)
    assert.strictEqual((yield* admin.put("pt-BR", "k", "x")).status, 404)
    assert.strictEqual((yield* admin.remove("/languages/pt-BR")).status, 404)
    for (const code of ["de", "en"]) {
      const refused = yield* admin.remove(`/languages/${code}`)
      assert.strictEqual(refused.status, 409)
      assert.strictEqual(refused.json.code, "language_required")
    }
    // A language that is added again has the text that a person wrote before it was removed.
    yield* admin.post("/languages", { code: "pt-BR", label: "Português" })
    assert.strictEqual((yield* read(suite, "/bundles/pt-BR")).json.k, "Texto")
  }).pipe(Effect.scoped)
)

it.live("lists stale and missing texts first, by pages", () =>
  Effect.gen(function* () {
    const suite = yield* running
    const admin = adminOf(suite)
    for (const key of ["a", "b", "c", "d"]) yield* admin.put("en", `list.${key}`, `Text ${key}`)
    for (const key of ["a", "b", "c"]) yield* admin.put("de", `list.${key}`, `Wort ${key}`)
    yield* admin.put("en", "list.c", "Another text")
    const keys: Array<string> = []
    let after = ""
    do {
      const { items, next_after } = (yield* admin.get(`/translations/de?q=list.&limit=2${after}`)).json
      keys.push(...items.map(({ key, state }: Record<string, string>) => `${state} ${key}`))
      after = next_after === null ? "" : `&after=${encodeURIComponent(next_after)}`
    } while (after !== "")
    assert.deepStrictEqual(keys, ["stale list.c", "missing list.d", "manual list.a", "manual list.b"])
  }).pipe(Effect.scoped)
)

it.live("is administered by the provider's users with settings.manage only", () =>
  Effect.gen(function* () {
    const suite = yield* running
    const token = yield* suite.token
    yield* adminOf(suite).put("en", "k", "Text")
    const calls = [
      ["GET", "/statistics"],
      ["POST", "/languages", { code: "fr", label: "x" }],
      ["PUT", "/languages/de", { label: "x" }],
      ["DELETE", "/languages/de"],
      ["POST", "/languages/de/forget", {}],
      ["GET", "/translations/de"],
      ["PUT", "/translations/de/k", { value: "x" }],
      ["DELETE", "/translations/de/k"],
      ["GET", "/translations/de/k/history"],
      ["GET", "/rebuilds"],
      ["POST", "/rebuilds", {}],
      ["GET", "/files/de?format=csv"],
      ["POST", "/files/de/csv", "key,translation"]
    ] as const
    for (const [method, path, body] of calls) {
      const type: Record<string, string> =
        path.endsWith("csv") && method === "POST" ? { "content-type": "text/csv" } : {}
      const status = (headers: Record<string, string>) =>
        Effect.map(adminOf(suite, headers).send(method, path, body, type), (answer) => answer.status)
      assert.strictEqual(yield* status({}), 401, `${method} ${path}`)
      // Another tenant's administrator or reseller holds the permission, but the texts are the provider's.
      assert.strictEqual(yield* status(as(2)), 403, `${method} ${path}`)
      assert.strictEqual(yield* status(as(2, "settings.manage")), 403, `${method} ${path}`)
      assert.strictEqual(yield* status(as(1, "users.manage")), 403, `${method} ${path}`)
    }
    assert.strictEqual((yield* adminOf(suite, as(1, "settings.manage")).get("/statistics")).status, 200)
    assert.strictEqual((yield* adminOf(suite, { "x-service-token": token }).get("/statistics")).status, 200)
    assert.strictEqual((yield* read(suite, "/texts/de/k")).json.value, "Text")
  }).pipe(Effect.scoped)
)
