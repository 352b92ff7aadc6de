// Stored settings without a database: the values of the environment, and those that a test gives with `give`.
import { Effect, Layer, Result } from "effect"
import { Environment } from "#core/config/Environment.ts"
import * as Settings from "#core/config/Settings.ts"
import type { StoredSetting } from "#core/settings/StoredSetting.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"

/** `texts`: stored texts by name of the setting. The test may change the map at any time. */
export const settingsInMemory = (texts: ReadonlyMap<string, string> = new Map()): Layer.Layer<StoredSettings> =>
  Layer.effect(
    StoredSettings,
    Effect.map(Environment, (env) => {
      const held = new Map<StoredSetting<unknown>, { readonly text: string | undefined; readonly value: unknown }>()
      const value = <A>(setting: StoredSetting<A>): A => {
        const text = Settings.isGiven(setting, env) ? undefined : texts.get(setting.name)
        const known = held.get(setting)
        if (known !== undefined && known.text === text) return known.value as A
        const made: A =
          text === undefined
            ? Result.getOrThrow(Settings.decode(setting, env))
            : Result.getOrThrow(Settings.parseText(setting, text))
        held.set(setting, { text, value: made })
        return made
      }
      const live: StoredSettings["Service"]["live"] = (config, fields) => {
        const seen = { ...config }
        for (const [key, setting] of Object.entries(fields))
          Object.defineProperty(seen, key, { enumerable: true, get: () => value(setting) })
        return seen as unknown as Omit<typeof config, keyof typeof fields> & Settings.Values<typeof fields>
      }
      return StoredSettings.of({
        fresh: Effect.void,
        value,
        get: (setting) => Effect.sync(() => value(setting)),
        live,
        declared: [],
        named: () => undefined,
        list: Effect.succeed([]),
        change: () => Effect.die(new Error("settings in memory are changed by the test"))
      })
    })
  )
