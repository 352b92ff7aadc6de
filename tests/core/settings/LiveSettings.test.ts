/** Parts that are built from stored settings: built once, and again after a change; also of secrets. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Environment } from "#core/config/Environment.ts"
import * as Settings from "#core/config/Settings.ts"
import { liveSettings, rebuilt, untilReplaced } from "#core/settings/LiveSettings.ts"
import { stored } from "#core/settings/StoredSetting.ts"
import { tellValuesChanged } from "#core/settings/ValueChanges.ts"
import { settingsInMemory } from "#support/SettingsInMemory.ts"

const shown = { group: "messenger", title: { en: "Test", de: "Test" }, help: { en: "", de: "" } } as const
const fields = {
  token: stored(Settings.secret("SIGNALBOX_TEST_TOKEN", { doc: "" }), shown),
  url: stored(Settings.httpAddress("SIGNALBOX_TEST_URL", { doc: "" }), shown),
  plain: Settings.text("SIGNALBOX_TEST_PLAIN", { doc: "", default: "x" })
}

describe("live settings", () => {
  it.live("a part is built again when a secret changes, and only then", () => {
    const texts = new Map<string, string>()
    return Effect.gen(function* () {
      const config = yield* liveSettings(fields)
      let built = 0
      const part = rebuilt(
        () => [config.token, config.url],
        (token, url) => {
          built += 1
          return `${token === undefined ? "none" : Redacted.value(token)} ${url}`
        }
      )
      assert.strictEqual(part(), "none https://given.test")
      texts.set("SIGNALBOX_TEST_TOKEN", "one")
      assert.strictEqual(part(), "one https://given.test")
      assert.strictEqual(part(), part())
      // The environment wins.
      texts.set("SIGNALBOX_TEST_URL", "https://stored.test")
      assert.strictEqual(part(), "one https://given.test")
      assert.strictEqual(built, 2)
      const change = Effect.sync(() => {
        texts.set("SIGNALBOX_TEST_TOKEN", "two")
        tellValuesChanged()
      })
      yield* Effect.all([untilReplaced(() => [config.token]), change], { concurrency: "unbounded" })
      assert.strictEqual(part(), "two https://given.test")
      assert.strictEqual(config.plain, "x")
    }).pipe(
      Effect.provide(settingsInMemory(texts)),
      Effect.provideService(Environment, { SIGNALBOX_TEST_URL: "https://given.test" })
    )
  })
})
