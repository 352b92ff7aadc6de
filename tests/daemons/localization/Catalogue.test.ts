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
