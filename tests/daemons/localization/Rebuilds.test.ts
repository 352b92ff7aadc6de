/** Rebuilds before a translation server: results, refusals, outages, resumption. */
import { assert, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { fragmentsOf } from "#daemons/localization/rebuilds/Fragments.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { until } from "#support/Frame.ts"
import { awkwardTexts, damages } from "./AwkwardTexts.ts"
import { adminOf, as, read, sources, startEngine, startLocalization } from "./LocalizationSuite.ts"

const ended = (suite: TestSuite, id: string, seconds = 60) =>
  Effect.gen(function* () {
    const show = Effect.map(adminOf(suite).get(`/rebuilds/${id}`), ({ json }) => json)
    yield* until(
      "the rebuild ends",
      Effect.map(show, ({ state }) => !["waiting", "running"].includes(state)),
      seconds
    )
    return yield* show
  })

/** Starts a rebuild and waits for its end. */
const rebuilt = (suite: TestSuite, body: object = {}) =>
  Effect.gen(function* () {
    const started = yield* adminOf(suite).post("/rebuilds", body)
    assert.strictEqual(started.status, 202, started.text)
    return yield* ended(suite, started.json.id)
  })

/** Waits until the bundle of a language has this text under the key. Returns the bundle. */
const settled = (suite: TestSuite, locale: string, key: string, text: string) =>
  Effect.gen(function* () {
    const bundle = Effect.map(read(suite, `/bundles/${locale}`), ({ json }) => json)
    yield* until(
      `${key} in ${locale} is ${text}`,
      Effect.map(bundle, (texts) => texts[key] === text)
    )
    return yield* bundle
  })

const start = (options: Parameters<typeof startEngine>[0] = {}, env: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const { engine, url } = yield* startEngine(options)
    const suite = yield* startLocalization({ env: { SIGNALBOX_TRANSLATE_URL: url, ...env } })
    return { engine, suite, admin: adminOf(suite) }
  })

it.live("translates what nobody wrote, and never what a person wrote", () =>
  Effect.gen(function* () {
    const { admin, engine, suite } = yield* start({ apiKey: "secret-key" }, { SIGNALBOX_TRANSLATE_KEY: "secret-key" })
    yield* admin.post("/languages", { code: "fr", label: "Français" })
    yield* sources(suite, {
      "a.1": "Delete {name}?",
      "a.2": "Delete {name}?",
      "a.3": "{n, plural, one {# file} other {# files}}",
      "a.4": "Written by a person",
      "a.5": "{name}"
    })
    yield* admin.put("fr", "a.4", "Écrit par une personne")
    const done = yield* rebuilt(suite, { locale: "fr" })
    assert.deepInclude(done, { state: "done", total: 3, translated: 3, kept: 0, uncertain: 0, problem: null })
    assert.deepStrictEqual(yield* settled(suite, "fr", "a.2", "fr:Delete {name}?"), {
      "a.1": "fr:Delete {name}?",
      "a.2": "fr:Delete {name}?",
      "a.3": "{n, plural, one {fr:# file} many {fr:# files} other {fr:# files}}",
      "a.4": "Écrit par une personne",
      "a.5": "{name}"
    })
    assert.isTrue([...engine.asked.values()].every((count) => count === 1))
    // Two keys have the same English text, which is sent to the engine once.
    assert.strictEqual(engine.asked.get('fr Delete <x id="1"></x>?'), 1)
    const { languages } = (yield* admin.get("/statistics")).json
    assert.deepInclude(
      languages.find(({ code }: { code: string }) => code === "fr"),
      { total: 5, translated: 5, auto: 4, manual: 1, stale: 0 }
    )

    // Only the changed English text is translated again.
    const before = engine.calls.length
    yield* admin.put("en", "a.1", "Remove {name}?")
    assert.deepInclude(yield* rebuilt(suite, { locale: "fr" }), { state: "done", total: 1, translated: 1 })
    assert.deepStrictEqual(
      engine.calls.slice(before).map(({ texts }) => texts),
      [['Remove <x id="1"></x>?']]
    )
    const [change] = (yield* admin.get("/translations/fr/a.1/history")).json.items
    assert.deepInclude(change, {
      kind: "automatic",
      actor: "system",
      before: "fr:Delete {name}?",
      after: "fr:Remove {name}?"
    })

    // A text that a person writes replaces the automatic translation, and later rebuilds do not overwrite it.
    yield* admin.put("fr", "a.1", "Supprimer {name} ?")
    assert.strictEqual((yield* admin.post("/languages/fr/forget")).json.forgotten, 4)
    assert.strictEqual((yield* read(suite, "/texts/fr/a.2")).json.value, "Delete {name}?")
    assert.strictEqual((yield* read(suite, "/texts/fr/a.1")).json.value, "Supprimer {name} ?")
    yield* rebuilt(suite)
    assert.strictEqual((yield* read(suite, "/texts/fr/a.1")).json.value, "Supprimer {name} ?")
    assert.strictEqual((yield* read(suite, "/texts/fr/a.4")).json.value, "Écrit par une personne")
    yield* settled(suite, "fr", "a.2", "fr:Delete {name}?")
    assert.isEmpty(engine.refusals)
    const events = yield* suite.sql`select data->>'state' as state from core.event
      where type = 'localization.rebuild.progress' and data->>'state' = 'done'`
    assert.strictEqual(events.length, 3)
  }).pipe(Effect.scoped)
)

it.live("200 awkward texts come back whole or English, from an engine that damages each other text", () =>
  Effect.gen(function* () {
    const names = Object.keys(damages)
    let turn = 0
    const { admin, engine, suite } = yield* start({
      translate: (text) =>
        damages[names[turn++ % names.length]!]!(text).trim() === "" ? "" : damages[names[turn % names.length]!]!(text)
    })
    const texts = Object.fromEntries(awkwardTexts.map((text, index) => [`awkward.${index}`, text]))
    yield* sources(suite, texts)
    const done = yield* rebuilt(suite, { locale: "de" })
    assert.deepInclude(done, { state: "done", uncertain: 0 })
    assert.strictEqual(done.translated + done.kept, done.total)
    assert.isAbove(done.kept, 20)
    assert.isAbove(done.translated, 20)
    // A text with a damaged translation stays without translation (`missing`), and readers get the English text.
    const { items } = (yield* admin.get("/translations/de?state=missing&limit=200")).json
    assert.isAtLeast(items.length, done.kept)
    const bundle = (yield* read(suite, "/bundles/de")).json
    for (const { key } of items) assert.strictEqual(bundle[key], texts[key])
    // Each fragment is sent to the engine exactly once.
    const fragments = [...new Set(awkwardTexts)].flatMap((text) => {
      const cut = fragmentsOf(text, "de")
      return Result.isSuccess(cut) ? cut.success.html : []
    })
    assert.deepStrictEqual(engine.calls.flatMap(({ texts }) => texts).toSorted(), fragments.toSorted())
  }).pipe(Effect.scoped)
)

it.live(
  "does not store a translation of a text that a person wrote while it was translated",
  () =>
    Effect.gen(function* () {
      // The person writes before the engine answers.
      const { admin, engine, suite } = yield* start({ delay: () => 5_000 })
      yield* sources(suite, { "a.1": "One" })
      const { json } = yield* admin.post("/rebuilds", { locale: "de" })
      yield* until(
        "the engine translates",
        Effect.sync(() => engine.calls.length === 1),
        30
      )
      yield* admin.put("de", "a.1", "Eins")
      assert.deepInclude(yield* ended(suite, json.id), { state: "done", total: 1 })
      const { items } = (yield* admin.get("/translations/de/a.1/history")).json
      assert.deepStrictEqual(
        items.map(({ kind }: { kind: string }) => kind),
        ["override"]
      )
      yield* admin.remove("/translations/de/a.1")
      assert.strictEqual((yield* read(suite, "/texts/de/a.1")).json.value, "One")
    }).pipe(Effect.scoped),
  120_000
)

it.live(
  "waits when the engine asks to slow down, and continues after an outage",
  () =>
    Effect.gen(function* () {
      const { engine, suite } = yield* start({
        failing: (_, number) => (number === 0 ? "429" : undefined),
        // The first call of a real server loads a model.
        delay: (_, number) => (number < 3 ? 400 : 0)
      })
      yield* sources(suite, { "a.1": "One", "a.2": "Two" })
      assert.deepInclude(yield* rebuilt(suite, { locale: "de" }), { state: "done", translated: 2, uncertain: 0 })
      assert.deepStrictEqual(engine.refusals, ["Slowdown: 1 per 1 minute"])

      // The engine closes the connection without an answer. It may have translated the text, so the text counts as
      // uncertain, and this rebuild does not send it again.
      engine.options = { failing: (_, number) => (number === 2 ? "cut" : undefined) }
      yield* sources(suite, { "b.1": "Three" })
      assert.deepInclude(yield* rebuilt(suite, { locale: "de" }), { state: "done", translated: 0, uncertain: 1 })
      engine.options = {}
      assert.deepInclude(yield* rebuilt(suite, { locale: "de" }), { state: "done", translated: 1, uncertain: 0 })

      // The engine stops, and starts again on the same port.
      yield* sources(suite, { "b.2": "Four" })
      const port = Number(new URL(suite.env["SIGNALBOX_TRANSLATE_URL"]!).port)
      yield* Effect.promise(() => engine.stop())
      const { json } = yield* adminOf(suite).post("/rebuilds", { locale: "de" })
      yield* until(
        "the rebuild shows the problem",
        Effect.map(adminOf(suite).get(`/rebuilds/${json.id}`), (answer) =>
          /not reached/.test(answer.json.problem ?? "")
        ),
        30
      )
      const away = (yield* adminOf(suite).get(`/rebuilds/${json.id}`)).json
      assert.strictEqual(away.problem_code, "not_reached")
      assert.match(away.problem_detail, /ECONNREFUSED/)
      yield* Effect.promise(() => engine.start(port))
      const solved = { problem: null, problem_code: null, problem_detail: null }
      assert.deepInclude(yield* ended(suite, json.id), { state: "done", translated: 1, ...solved })
    }).pipe(Effect.scoped),
  120_000
)

it.live(
  "translates the texts of a process that stopped while the engine asked to slow down",
  () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const { engine, url } = yield* startEngine({ failing: () => "429" })
      const env = { SIGNALBOX_TRANSLATE_URL: url, SIGNALBOX_DATA_DIR: yield* temporaryDirectory() }
      const id = yield* Effect.scoped(
        Effect.gen(function* () {
          const suite = yield* startLocalization({ database, env })
          yield* sources(suite, { "a.1": "One", "a.2": "Two" })
          const { json } = yield* adminOf(suite).post("/rebuilds", { locale: "de" })
          yield* until(
            "the engine asks to slow down",
            Effect.sync(() => engine.refusals.length > 0)
          )
          return json.id as string
        })
      )
      engine.options = {}
      const suite = yield* startLocalization({ database, env })
      assert.deepInclude(yield* ended(suite, id), { state: "done", translated: 2, uncertain: 0 })
    }).pipe(Effect.scoped),
  120_000
)

it.live("keeps English for texts that the engine refuses, and fails for a refused key", () =>
  Effect.gen(function* () {
    const { admin, engine, suite } = yield* start({
      failing: ({ texts }) => (texts.some((text) => text.includes("Bad")) ? "500" : undefined)
    })
    yield* sources(suite, { "a.1": "Good one", "a.2": "Bad one", "a.3": "Good two" })
    assert.deepInclude(yield* rebuilt(suite, { locale: "de" }), { state: "done", translated: 2, kept: 1 })
    yield* settled(suite, "de", "a.2", "Bad one")

    yield* admin.post("/languages", { code: "tlh", label: "Klingon" })
    assert.deepInclude(yield* rebuilt(suite, { locale: "tlh" }), { state: "done", translated: 0, kept: 3 })

    engine.options = { apiKey: "another" }
    const failed = yield* rebuilt(suite, { locale: "de" })
    assert.deepInclude(failed, { state: "failed", translated: 0 })
    assert.match(failed.problem, /Invalid API key/)
    assert.deepInclude(failed, { problem_code: "forbidden", problem_detail: "Invalid API key" })
    for (const failing of ["html", "short"] as const) {
      engine.options = { failing: () => failing }
      const odd = yield* rebuilt(suite, { locale: "de" })
      assert.deepInclude(odd, { state: "failed", problem_code: "unexpected_answer" })
    }
    yield* settled(suite, "de", "a.1", "de:Good one")
  }).pipe(Effect.scoped)
)

it.live(
  "runs one at a time, can be cancelled, and needs a server",
  () =>
    Effect.gen(function* () {
      // The rebuild does not end before it is cancelled.
      const { admin, engine, suite } = yield* start({ delay: (_, number) => (number < 2 ? 300 : 5_000) })
      yield* sources(
        suite,
        Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`c.${index}`, `Text ${index}`]))
      )
      const { json } = yield* admin.post("/rebuilds", { locale: "de" })
      assert.strictEqual((yield* admin.post("/rebuilds", {})).json.code, "rebuild_active")
      yield* until(
        "some are translated",
        Effect.map(admin.get(`/rebuilds/${json.id}`), (answer) => answer.json.translated > 0),
        30
      )
      assert.strictEqual((yield* admin.post(`/rebuilds/${json.id}/cancel`)).json.state, "cancelled")
      engine.options = {}
      const calls = engine.calls.length
      // The next rebuild translates the texts that the cancelled one did not send.
      assert.deepInclude(yield* rebuilt(suite, { locale: "de" }), { state: "done" })
      assert.isAbove(engine.calls.length, calls)
      assert.strictEqual((yield* admin.get("/rebuilds?limit=1")).json.items.length, 1)
      assert.strictEqual((yield* admin.get("/rebuilds/00000000-0000-4000-8000-000000000000")).status, 404)
      assert.strictEqual((yield* admin.get("/rebuilds/nonsense")).status, 404)
      assert.strictEqual((yield* admin.post("/rebuilds", { locale: "xx" })).status, 404)
      assert.strictEqual((yield* adminOf(suite, as(2)).post("/rebuilds", {})).status, 403)

      const without = yield* startLocalization()
      const refused = yield* adminOf(without).post("/rebuilds", {})
      assert.deepInclude(refused.json, { code: "not_configured", settings: ["SIGNALBOX_TRANSLATE_URL"] })
    }).pipe(Effect.scoped),
  120_000
)
