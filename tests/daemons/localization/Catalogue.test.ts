/** The texts that ship with the program, over several versions of it. */
import { assert, it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Wake } from "#core/events/Wake.ts"
import { register } from "#daemons/localization/catalogue/Register.ts"
import type { ShippedText } from "#daemons/localization/catalogue/ShippedTexts.ts"
import { until } from "#support/Frame.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { pruneRemoved } from "#daemons/localization/texts/Removed.ts"
import { adminOf, read, startLocalization } from "./LocalizationSuite.ts"

/** A version of the program starts with these texts. */
const version = ({ sql }: TestSuite, texts: Readonly<Record<string, ShippedText>>) =>
  sql
    .withTransaction(register(new Map(Object.entries(texts))))
    .pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.provideService(PgClient.PgClient, sql),
      Effect.provideService(Wake, {
        announce: (topic: string) => Effect.asVoid(sql`select pg_notify('signalbox', ${topic})`)
      } as Wake["Service"])
    )

it.live("a new version changes its texts, and what people wrote survives", () =>
  Effect.gen(function* () {
    const suite = yield* startLocalization()
    const admin = adminOf(suite)
    const shown = (locale: string, key: string, wanted: string | undefined) =>
      until(
        `${key} in ${locale} is ${wanted}`,
        Effect.map(read(suite, `/texts/${locale}/${key}`), ({ json }) => json?.value === wanted)
      )
    const stateOf = (key: string) =>
      Effect.map(admin.get(`/translations/de?q=${key}`), ({ json }) => json.items[0]?.state)
    yield* version(suite, {
      "v.a": { en: "Save", de: "Speichern" },
      "v.b": { en: "Cancel", de: "Abbrechen" },
      "v.c": { en: "Only English" }
    })
    yield* shown("de", "v.a", "Speichern")
    yield* shown("de", "v.c", "Only English")
    assert.strictEqual(yield* stateOf("v.a"), "manual")
    yield* admin.put("de", "v.a", "Sichern")
    yield* admin.put("en", "v.b", "Abort")
    // The shipped German text translates the shipped English one.
    assert.strictEqual(yield* stateOf("v.b"), "stale")
    yield* shown("de", "v.b", "Abbrechen")

    assert.strictEqual(
      yield* version(suite, {
        "v.a": { en: "Save", de: "Speichern" },
        "v.b": { en: "Cancel", de: "Abbrechen" },
        "v.c": { en: "Only English" }
      }),
      0
    )
    yield* shown("de", "v.a", "Sichern")

    yield* version(suite, { "v.a": { en: "Save it", de: "Das speichern" }, "v.b": { en: "Cancel", de: "Abbrechen" } })
    yield* shown("en", "v.a", "Save it")
    yield* shown("de", "v.a", "Sichern")
    assert.strictEqual(yield* stateOf("v.a"), "stale")
    yield* shown("en", "v.b", "Abort")
    yield* shown("en", "v.c", undefined)
    yield* admin.remove("/translations/de/v.a")
    yield* shown("de", "v.a", "Das speichern")
    yield* admin.remove("/translations/en/v.b")
    yield* shown("en", "v.b", "Cancel")
    assert.strictEqual(yield* stateOf("v.b"), "manual")
  }).pipe(Effect.scoped)
)

/** Rows of these keys, as `key language columns`, with what each column has. */
const rowsOf = ({ sql }: TestSuite, prefix: string) =>
  Effect.map(
    sql<{ row: string }>`select concat_ws(' ', 'en', key, shipped, override) as row from localization.source_text
        where starts_with(key, ${prefix})
      union all select concat_ws(' ', locale, key, shipped, override, automatic) from localization.translation
        where starts_with(key, ${prefix}) order by 1`,
    (rows) => rows.map(({ row }) => row)
  )

/** The rows of these keys, and removed languages, become so many days older, and old ones are deleted. */
const later = ({ sql }: TestSuite, days: number) =>
  sql
    .withTransaction(
      Effect.gen(function* () {
        for (const table of ["source_text", "translation"])
          yield* sql`update localization.${sql.literal(table)}
            set updated_at = updated_at - make_interval(days => ${days}) where key like 'v.%'`
        yield* sql`update localization.language set removed_at = removed_at - make_interval(days => ${days})`
        yield* pruneRemoved
      })
    )
    .pipe(Effect.provideService(SqlClient.SqlClient, sql))

it.live("what a removed key leaves behind: overrides and history, and for 90 days all else", () =>
  Effect.gen(function* () {
    const suite = yield* startLocalization()
    const admin = adminOf(suite)
    yield* admin.post("/languages", { code: "fr", label: "Français" })
    const shipped = {
      "v.a": { en: "Save", de: "Speichern" },
      "v.b": { en: "Cancel", de: "Abbrechen" },
      "v.c": { en: "Close" }
    }
    yield* version(suite, { ...shipped, "v.stays": { en: "Stay", de: "Bleiben" } })
    yield* until(
      "the texts are shown",
      Effect.map(read(suite, "/texts/de/v.a"), ({ json }) => json?.value === "Speichern")
    )
    yield* admin.put("de", "v.a", "Sichern")
    yield* admin.put("en", "v.c", "Shut")
    yield* suite.sql`insert into localization.translation (locale, key, automatic, automatic_hash)
      select 'fr', key, 'fr:' || value, source_hash from localization.source_text where key like 'v.%'`
    yield* suite.sql`select pg_notify('signalbox', 'localization texts')`
    yield* until(
      "the French texts are shown",
      Effect.map(read(suite, "/texts/fr/v.b"), ({ json }) => json?.value === "fr:Cancel")
    )

    yield* version(suite, { "v.stays": { en: "Stay", de: "Bleiben" } })
    yield* until(
      "the keys are gone",
      Effect.map(read(suite, "/bundles/fr"), ({ json }) => !("v.a" in json) && !("v.b" in json))
    )
    // A person has written the English text, so its key stays.
    assert.strictEqual((yield* read(suite, "/texts/en/v.c")).json.value, "Shut")
    for (const path of ["/translations/fr", "/translations/de", "/translations/en"]) {
      const { items } = (yield* admin.get(`${path}?q=v.`)).json
      assert.deepStrictEqual(items.map(({ key }: { key: string }) => key).toSorted(), ["v.c", "v.stays"], path)
    }
    const { languages, total_keys } = (yield* admin.get("/statistics")).json
    assert.strictEqual(total_keys, 2)
    const counted = languages.map(({ code, stale, translated }: Record<string, unknown>) => [code, translated, stale])
    assert.deepStrictEqual(counted, [
      ["de", 1, 1],
      ["en", 2, 0],
      ["fr", 2, 0]
    ])
    assert.strictEqual((yield* admin.put("fr", "v.b", "Annuler")).status, 404)
    assert.strictEqual((yield* admin.remove("/translations/de/v.a")).status, 404)
    assert.deepInclude((yield* admin.get("/translations/de/v.a/history")).json.items[0], {
      before: "Speichern",
      after: "Sichern"
    })

    // The older version of the program is started again.
    yield* later(suite, 89)
    yield* version(suite, shipped)
    yield* until(
      "the keys are there again",
      Effect.map(read(suite, "/texts/fr/v.b"), ({ json }) => json?.value === "fr:Cancel")
    )
    assert.strictEqual((yield* read(suite, "/texts/de/v.a")).json.value, "Sichern")

    yield* version(suite, {})
    yield* later(suite, 91)
    assert.deepStrictEqual(yield* rowsOf(suite, "v.a"), ["de v.a Sichern", "en v.a", "fr v.a"])
    assert.deepStrictEqual(yield* rowsOf(suite, "v.b"), ["en v.b", "fr v.b"])
    // Any change by this process compares its copy.
    yield* admin.put("en", "w.other", "Other")
    yield* later(suite, 91)
    assert.deepStrictEqual(yield* rowsOf(suite, "v.a"), ["de v.a Sichern"])
    assert.deepStrictEqual(yield* rowsOf(suite, "v.b"), [])
    assert.deepStrictEqual(yield* rowsOf(suite, "v.c"), ["en v.c Shut", "fr v.c fr:Shut"])
    assert.isAbove((yield* admin.get("/translations/de/v.a/history")).json.items.length, 0)

    // What the person wrote is there again, beside a new English text that makes it stale.
    yield* version(suite, { "v.a": { en: "Store", de: "Ablegen" }, "v.b": { en: "Cancel" } })
    yield* until(
      "the key is there again",
      Effect.map(read(suite, "/texts/de/v.a"), ({ json }) => json?.value === "Sichern")
    )
    assert.strictEqual((yield* read(suite, "/texts/fr/v.b")).json.value, "Cancel")
    const [row] = (yield* admin.get("/translations/de?q=v.a")).json.items
    assert.deepInclude(row, { key: "v.a", state: "stale", overridden: true })
  }).pipe(Effect.scoped)
)

it.live("a language that is added again has no automatic text, in memory neither", () =>
  Effect.gen(function* () {
    const suite = yield* startLocalization()
    const admin = adminOf(suite)
    yield* version(suite, { "v.a": { en: "Save" }, "v.b": { en: "Cancel" } })
    yield* admin.post("/languages", { code: "fr", label: "Français" })
    yield* suite.sql`insert into localization.translation (locale, key, automatic, automatic_hash)
      select 'fr', key, 'fr:' || value, source_hash from localization.source_text`
    yield* admin.put("fr", "v.b", "Annuler")
    assert.strictEqual((yield* read(suite, "/texts/fr/v.a")).json.value, "fr:Save")
    yield* admin.remove("/languages/fr")
    yield* admin.post("/languages", { code: "fr", label: "Français" })
    assert.strictEqual((yield* read(suite, "/texts/fr/v.a")).json.value, "Save")
    assert.strictEqual((yield* read(suite, "/texts/fr/v.b")).json.value, "Annuler")

    yield* admin.remove("/languages/fr")
    yield* later(suite, 91)
    assert.deepStrictEqual(yield* rowsOf(suite, "v."), ["en v.a Save", "en v.b Cancel", "fr v.b Annuler"])
  }).pipe(Effect.scoped)
)
