/**
 * Values of stored settings in this process: environment, else database, else default. A change in any process holds
 * within a second here, by the freshness of a projection (lane/Projection.ts). While Postgres is away the last values
 * hold, because nobody can change them then.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Duration, Effect, Layer, Redacted, Result, Schema, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Environment } from "../config/Environment.ts"
import { type SecretError, Secrets } from "../config/Secrets.ts"
import * as Settings from "../config/Settings.ts"
import { Wake } from "../events/Wake.ts"
import * as Projection from "../lane/Projection.ts"
import type { Database } from "../sql/Database.ts"
import { transaction } from "../sql/Sql.ts"
import { isLocked, type SettingState, stateOf } from "./SettingState.ts"
import { type ChangedBy, envelopeContext, prepare, type SettingRow, topic, write } from "./SettingStore.ts"
import { problemOf, type StoredSetting } from "./StoredSetting.ts"
import { tellValuesChanged, untilValuesChange, valuesVersion } from "./ValueChanges.ts"

/** A change was refused. `Unknown`: no such stored setting. `Locked`: the environment sets it. */
export class SettingRefused extends Schema.TaggedError<SettingRefused>()("SettingRefused", {
  reason: Schema.Literals(["Unknown", "Locked", "Invalid"]),
  name: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `${this.name} ${this.detail}`
  }
}

export class StoredSettings extends Context.Service<
  StoredSettings,
  {
    /** Makes sure that the values are at most a second old. Not for use within a transaction. */
    readonly fresh: Effect.Effect<void>
    /**
     * The value as of the last comparison with the database: current within moments of an announced change. After
     * `fresh` it is at most a second old in any case.
     */
    readonly value: <A>(setting: StoredSetting<A>) => A
    /** `fresh`, then `value`. */
    readonly get: <A>(setting: StoredSetting<A>) => Effect.Effect<A>
    /** `config` with the present values of these settings at each access. Its fields must not be copied. */
    readonly live: <C extends object, const F extends Readonly<Record<string, StoredSetting<unknown>>>>(
      config: C,
      fields: F
    ) => Omit<C, keyof F> & Settings.Values<F>
    /** The stored settings of the loaded daemons. */
    readonly declared: ReadonlyArray<StoredSetting<unknown>>
    /** The stored setting of this name; undefined when the installation has none. */
    readonly named: (name: string) => StoredSetting<unknown> | undefined
    /** All stored settings of the installation. */
    readonly list: Effect.Effect<ReadonlyArray<SettingState>, Projection.NotFresh>
    /** Stores a text, or removes the value (undefined). Holds in this process when it returns. */
    readonly change: (
      name: string,
      text: string | undefined,
      by: ChangedBy
    ) => Effect.Effect<SettingState, SettingRefused | SqlError.SqlError | SecretError | Projection.NotFresh>
  }
>()("signalbox/core/StoredSettings") {}

/**
 * Longest time between two comparisons without an announcement. Unit: seconds. Reason: an announcement is lost only
 * with its connection, after which all waiters are woken.
 */
const pollInterval = Duration.seconds(30)

/** Interval at which a waiting actor reports progress. Unit: seconds. Reason: well below the stall limit of actors. */
const progressInterval = Duration.seconds(20)

/** Interval of attempts to read the settings at the start. Unit: milliseconds. */
const startInterval = Duration.millis(200)

/** Attempts at the start. Reason: five seconds; the database has answered a moment before. */
const startAttempts = 25

/**
 * Completes when the value of `read`, which reads stored settings, differs from `from`; returns the new value. Runs
 * `progress` while it waits. Secrets of JSON form are equal: for them use `untilReplaced`.
 */
export const untilChanged = <A, R = never>(
  read: () => A,
  from: A,
  progress: Effect.Effect<void, never, R> = Effect.void as Effect.Effect<void, never, R>
): Effect.Effect<A, never, R> =>
  Effect.gen(function* () {
    const former = JSON.stringify(from)
    while (true) {
      const seen = valuesVersion()
      const now = read()
      if (JSON.stringify(now) !== former) return now
      yield* progress
      yield* untilValuesChange(seen, progressInterval)
    }
  })

/** `declared`: the stored settings of the loaded daemons. */
export const layer = (
  declared: ReadonlyArray<StoredSetting<unknown>>
): Layer.Layer<StoredSettings, never, SqlClient.SqlClient | PgClient.PgClient | Database | Wake | Secrets> =>
  Layer.effect(
    StoredSettings,
    Effect.gen(function* () {
      const env = yield* Environment
      const sql = yield* SqlClient.SqlClient
      const wake = yield* Wake
      const secrets = yield* Secrets
      const ground = yield* Effect.context<SqlClient.SqlClient | PgClient.PgClient | Database | Secrets>()
      const rows = new Map<string, SettingRow>()
      const opened = new Map<string, { readonly row: SettingRow; readonly text: string | undefined }>()
      // By declaration, because two declarations of one variable may decode it differently.
      const decoded = new Map<StoredSetting<unknown>, { readonly text: string | undefined; readonly value: unknown }>()

      const projection = yield* Projection.make({
        name: "stored settings",
        topic,
        sources: {
          settings: {
            changed: (since) => sql`select name, value, envelope, changed_at, changed_by from core.stored_setting
              where ${Projection.after(sql, since)}`,
            apply: (changed: ReadonlyArray<SettingRow>) => {
              for (const row of changed) rows.set(row.name, row)
              if (changed.length > 0) tellValuesChanged()
            }
          }
        }
      })

      const hold = (row: SettingRow, text: string | undefined) => {
        opened.set(row.name, { row, text })
        tellValuesChanged()
      }

      /** Opens envelopes that have changed. An envelope that no key opens counts as no value. */
      const openAll = Effect.suspend(() =>
        Effect.forEach(
          [...rows.values()].filter((row) => row.envelope !== null && opened.get(row.name)?.row !== row),
          (row) =>
            Effect.match(secrets.open(row.envelope!, envelopeContext(row.name)), {
              onFailure: () => hold(row, undefined),
              onSuccess: (secret) => hold(row, Redacted.value(secret))
            }),
          { discard: true }
        )
      )

      const textOf = (name: string): string | undefined => {
        const row = rows.get(name)
        if (row === undefined) return undefined
        if (row.envelope === null) return row.value ?? undefined
        return opened.get(name)?.text
      }

      /** Values of the environment; undefined for settings that it does not set. Read once. */
      const locked = new Map<StoredSetting<unknown>, { readonly value: unknown } | undefined>()
      const lockedValue = (setting: StoredSetting<unknown>) => {
        if (!locked.has(setting)) {
          const given = isLocked(setting, env)
          locked.set(setting, given ? { value: Result.getOrThrow(Settings.decode(setting, env)) } : undefined)
        }
        return locked.get(setting)
      }

      const valueOf = (setting: StoredSetting<unknown>): unknown => {
        const fixed = lockedValue(setting)
        if (fixed !== undefined) return fixed.value
        const text = textOf(setting.name)
        const held = decoded.get(setting)
        if (held !== undefined && held.text === text) return held.value
        const parsed =
          text === undefined || problemOf(setting, text) !== undefined ? undefined : Settings.parseText(setting, text)
        const value = parsed !== undefined && Result.isSuccess(parsed) ? parsed.success : setting.fallback?.value
        decoded.set(setting, { text, value })
        return value
      }

      const stateNow = (setting: StoredSetting<unknown>): SettingState => {
        const row = rows.get(setting.name)
        const state = stateOf(setting, env, row)
        const isOpen = (row?.envelope ?? null) === null || opened.get(setting.name)?.text !== undefined
        return isOpen ? state : { ...state, problem: "is stored, but no key of this host opens it" }
      }

      const fresh = Effect.andThen(Effect.ignore(projection.ensureWhenBusy), openAll)

      const value = <A>(setting: StoredSetting<A>): A => valueOf(setting) as A

      const named = (name: string) => declared.find((one) => one.name === name)

      const change = Effect.fnUntraced(function* (name: string, text: string | undefined, by: ChangedBy) {
        const setting = named(name)
        if (setting === undefined)
          return yield* new SettingRefused({ reason: "Unknown", name, detail: "is no setting of the database" })
        if (isLocked(setting, env))
          return yield* new SettingRefused({ reason: "Locked", name, detail: "is set by the environment" })
        const problem = text === undefined ? undefined : problemOf(setting, text)
        if (problem !== undefined) return yield* new SettingRefused({ reason: "Invalid", name, detail: problem })
        const prepared = yield* prepare(setting, text)
        // The value is stored: a database that is busy now must not make the caller store it again.
        if (yield* transaction(write(prepared, by)))
          yield* Effect.ignore(Effect.retry(projection.refresh, { times: 3 }))
        yield* openAll
        return stateNow(setting)
      }, Effect.provideContext(ground))

      const live: StoredSettings["Service"]["live"] = (config, fields) => {
        const seen = { ...config }
        for (const [key, setting] of Object.entries(fields))
          Object.defineProperty(seen, key, { enumerable: true, get: () => value(setting) })
        // The properties defined above are those of `fields`.
        return seen as unknown as Omit<typeof config, keyof typeof fields> & Settings.Values<typeof fields>
      }

      yield* projection.refresh.pipe(
        Effect.retry({ schedule: Schedule.spaced(startInterval), times: startAttempts }),
        Effect.orDie
      )
      yield* openAll
      // Not an actor: this loop cannot fail.
      const wakeup = yield* wake.subscribe(topic)
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.andThen(wakeup.wait(pollInterval), Effect.andThen(Projection.untilCompared(projection), openAll))
        )
      )

      return StoredSettings.of({
        fresh,
        value,
        live,
        declared,
        named,
        get: (setting) => Effect.map(fresh, () => value(setting)),
        list: Effect.map(Effect.andThen(projection.ensureWhenBusy, openAll), () => declared.map(stateNow)),
        change
      })
    })
  )
