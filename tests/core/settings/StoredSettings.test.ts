import { assert, describe, expect, it } from "@effect/vitest"
import { Effect, Latch, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { join } from "node:path"
import { Environment } from "#core/config/Environment.ts"
import { reseal } from "#core/config/SecretRotation.ts"
import * as Secrets from "#core/config/Secrets.ts"
import * as Settings from "#core/config/Settings.ts"
import { channel } from "#core/events/Wake.ts"
import { envelopeColumn, topic } from "#core/settings/SettingStore.ts"
import { maxText, problemOf, stored, storedAmong } from "#core/settings/StoredSetting.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
import { holdsAfter, inFrame, until } from "#support/Frame.ts"
import { migratedDatabase, temporaryDirectory } from "#support/Postgres.ts"

const domains = stored(
  Settings.list("SIGNALBOX_TEST_DOMAINS", {
    doc: "",
    default: [],
    check: (item) => (item.includes(".") ? undefined : `${item} is no domain`)
  }),
  { group: "alarms", title: { en: "Domains", de: "Domains" }, help: { en: "", de: "" } }
)
const token = stored(Settings.secret("SIGNALBOX_TEST_SECRET", { doc: "" }), {
  group: "mail",
  title: { en: "Secret", de: "Geheimnis" },
  help: { en: "", de: "" }
})
const plain = Settings.text("SIGNALBOX_TEST_PLAIN", { doc: "", default: "x" })
const fields = { domains, token, plain }
const anna = { actor: "user:7", address: "192.0.2.7" }

/** Two processes over one database. `env`: environment of the second. */
const twoProcesses = <A, E>(
  use: (
    first: StoredSettings["Service"],
    second: StoredSettings["Service"],
    sql: SqlClient.SqlClient,
    keyFile: string
  ) => Effect.Effect<A, E>,
  env: Settings.Env = {},
  others: { readonly keyFile?: string } = {}
) =>
  Effect.gen(function* () {
    const { target } = yield* migratedDatabase([])
    const keyFile = join(yield* temporaryDirectory(), "keys")
    const process = (env: Settings.Env, keys: string) => (inside: (services: Inside) => Effect.Effect<A, E>) =>
      inFrame(
        Effect.gen(function* () {
          return yield* inside({ settings: yield* StoredSettings, sql: yield* SqlClient.SqlClient })
        }),
        { target, keyFile: keys, settings: [fields] }
      ).pipe(Effect.provideService(Environment, env))
    return yield* process(
      {},
      keyFile
    )(
      ({ settings: first, sql }) =>
        process(
          env,
          others.keyFile ?? keyFile
        )(({ settings: second }) => use(first, second, sql, keyFile)) as Effect.Effect<A, E>
    )
  }).pipe(Effect.scoped)

interface Inside {
  readonly settings: StoredSettings["Service"]
  readonly sql: SqlClient.SqlClient
}

describe("a stored setting", () => {
  it.live("is seen by every process within a second, and is gone for all when it is removed", () =>
    twoProcesses((first, second, sql) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* second.get(domains), [])
        const waits: Array<number> = []
        for (const [text, wanted] of [
          ["a.test, b.test", ["a.test", "b.test"]],
          ["c.test", ["c.test"]],
          [undefined, []]
        ] as const) {
          const began = performance.now()
          yield* first.change(domains.name, text, anna)
          assert.deepStrictEqual(yield* first.get(domains), wanted)
          yield* until(
            "the other process has it",
            // Without a look at the database: it follows the announcement.
            Effect.sync(() => second.value(domains).join() === wanted.join())
          )
          waits.push(performance.now() - began)
        }
        // One of several, because a busy machine may delay any of them.
        assert.isBelow(Math.min(...waits), 1000)
        const audited =
          yield* sql`select actor, address, action, entity_type, entity_id, detail from core.audit order by id`
        assert.deepStrictEqual(
          audited.map(({ action, detail }) => [action, detail]),
          [
            ["setting.changed", { from: null, to: "a.test, b.test" }],
            ["setting.changed", { from: "a.test, b.test", to: "c.test" }],
            ["setting.removed", { from: "c.test", to: null }]
          ]
        )
        assert.deepInclude(audited[0], { ...anna, entity_type: "setting", entity_id: domains.name })
        // A change to the same value is none.
        yield* first.change(domains.name, undefined, anna)
        assert.lengthOf(yield* sql`select 1 from core.audit`, 3)
      })
    )
  )

  it.live(
    "holds in every process within a second under load, secrets too",
    () =>
      twoProcesses((first, second, sql) => {
        const load = Effect.forever(sql`select count(*) from generate_series(1, 20000)`)
        const rounds = Effect.gen(function* () {
          for (let round = 0; round < 10; round++) {
            yield* first.change(domains.name, `d${round}.test`, anna)
            yield* first.change(token.name, `secret ${round}`, anna)
            yield* holdsAfter(
              1_000,
              "the other process has both",
              Effect.map(second.fresh, () => {
                const secret = second.value(token)
                return (
                  second.value(domains).join() === `d${round}.test` &&
                  secret !== undefined &&
                  Redacted.value(secret) === `secret ${round}`
                )
              })
            )
          }
        })
        return Effect.raceFirst(
          rounds,
          Effect.all(
            Array.from({ length: 16 }, () => load),
            { concurrency: "unbounded", discard: true }
          )
        )
      }),
    120_000
  )

  it.live("is seen soon after Postgres was too busy for a comparison", () =>
    twoProcesses((first, second, sql) =>
      Effect.gen(function* () {
        yield* first.change(domains.name, "before.test", anna)
        const isLocked = yield* Latch.make()
        // The announcement arrives while the table is locked, longer than two comparisons may take.
        const change = sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`lock table core.stored_setting in access exclusive mode`
            yield* sql`update core.stored_setting set value = 'after.test' where name = ${domains.name}`
            yield* isLocked.open
            yield* Effect.sleep("2500 millis")
          })
        )
        const announcement = Effect.andThen(isLocked.await, sql`select pg_notify(${channel}, ${topic})`)
        yield* Effect.all([change, announcement], { concurrency: 2 })
        yield* until(
          "the other process has it",
          Effect.sync(() => second.value(domains).join() === "after.test")
        )
      })
    )
  )

  it.live("is locked where the environment sets it, and nowhere else", () =>
    twoProcesses(
      (first, second) =>
        Effect.gen(function* () {
          yield* first.change(domains.name, "stored.test", anna)
          assert.deepStrictEqual(yield* second.get(domains), ["env.test"])
          const [state] = yield* second.list
          assert.deepInclude(state, { source: "environment", locked: true, text: "env.test" })
          const refused = yield* Effect.flip(second.change(domains.name, "other.test", anna))
          assert.deepInclude(refused, { _tag: "SettingRefused", reason: "Locked" })
          assert.deepInclude((yield* first.list)[0], { source: "database", locked: false, text: "stored.test" })
        }),
      { SIGNALBOX_TEST_DOMAINS: "env.test" }
    )
  )

  it.live("is refused when it is invalid or unknown, and nothing is stored", () =>
    twoProcesses((first, _, sql) =>
      Effect.gen(function* () {
        for (const text of ["nodots", " ", "@/etc/passwd", "a.test\u0000", "a.".repeat(maxText)]) {
          const refused = yield* Effect.flip(first.change(domains.name, text, anna))
          assert.deepInclude(refused, { reason: "Invalid" }, text.slice(0, 20))
        }
        for (const name of [plain.name, "PATH", "SIGNALBOX_TEST_DOMAINS'"])
          assert.deepInclude(yield* Effect.flip(first.change(name, "a.test", anna)), { reason: "Unknown" })
        assert.lengthOf(yield* sql`select 1 from core.stored_setting`, 0)
      })
    )
  )

  it.live("that the present rules refuse counts as not stored, and says so", () =>
    twoProcesses((first, second, sql) =>
      Effect.gen(function* () {
        yield* sql`insert into core.stored_setting (name, value, changed_by) values (${domains.name}, 'nodots', 'operator')`
        yield* until(
          "it is read",
          Effect.map(second.list, ([state]) => state?.problem === "nodots is no domain")
        )
        assert.deepStrictEqual(yield* second.get(domains), [])
        assert.deepStrictEqual(yield* first.get(domains), [])
      })
    )
  )

  it.live("that is a secret is an envelope, readable by every process with the keys, also after a rotation", () =>
    twoProcesses((first, second, sql, keyFile) =>
      Effect.gen(function* () {
        yield* first.change(token.name, "hunter2", anna)
        const opened = Effect.map(second.get(token), (value) => value && Redacted.value(value))
        yield* until(
          "it is read",
          Effect.map(opened, (value) => value === "hunter2")
        )
        const everything = JSON.stringify([
          yield* sql`select to_jsonb(s)::text as row from core.stored_setting s`,
          yield* sql`select to_jsonb(a)::text as row from core.audit a`,
          yield* first.list
        ])
        assert.notInclude(everything, "hunter2")
        const [before] = yield* sql<{ envelope: string }>`select envelope from core.stored_setting`
        yield* Secrets.addKey(keyFile)
        const rotated = yield* reseal(envelopeColumn).pipe(
          Effect.provideService(SqlClient.SqlClient, sql),
          Effect.provide(Secrets.layer(keyFile))
        )
        assert.deepInclude(rotated, { resealed: 1, unreadable: [] })
        const [after] = yield* sql<{ envelope: string }>`select envelope from core.stored_setting`
        assert.notStrictEqual(before!.envelope, after!.envelope)
        yield* until(
          "it is read again",
          Effect.map(opened, (value) => value === "hunter2")
        )
        yield* first.change(token.name, undefined, anna)
        yield* until(
          "it is gone",
          Effect.map(opened, (value) => value === undefined)
        )
      })
    )
  )

  it.live("that no key opens counts as not stored, and says so", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const keyFile = join(yield* temporaryDirectory(), "other-keys")
        yield* twoProcesses(
          (first, second) =>
            Effect.gen(function* () {
              yield* first.change(token.name, "hunter2", anna)
              yield* until(
                "the other says so",
                Effect.map(second.list, (all) =>
                  all.some(({ problem, setting }) => setting === token && /no key/.test(problem ?? ""))
                )
              )
              assert.isUndefined(yield* second.get(token))
            }),
          {},
          { keyFile }
        )
      })
    )
  )
})

describe("the list of stored settings", () => {
  it("has each once, by group, and no others", () => {
    expect(storedAmong([fields, { again: domains }]).map(({ name }) => name)).toEqual([domains.name, token.name])
  })

  it("accepts what the variable accepts", () => {
    expect(problemOf(domains, "a.test")).toBeUndefined()
    expect(Result.isFailure(Settings.parseText(domains, "nodots"))).toBe(true)
    expect(problemOf(domains, "nodots")).toBe("nodots is no domain")
    // A value that begins with @ would make the daemon read a file of its host.
    expect(problemOf(token, "@/etc/passwd")).toBe("must not name a file")
  })
})
