/** Secrets of second factors appear in no table in plain text and in no log line, and survive a key rotation. */
import { assert, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Log from "#core/log/Log.ts"
import { reseal } from "#core/config/SecretRotation.ts"
import { addKey, layer as secretsLayer } from "#core/config/Secrets.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { hash } from "#core/auth/RecoveryCodes.ts"
import { captured } from "#support/CapturedOutput.ts"
import { until } from "#support/Frame.ts"
import { password } from "../SignInSuite.ts"
import { appCode, factorSuite } from "./FactorSuite.ts"

/** Every row of every table except Postgres's own, as text. */
const everything = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  const rows = yield* Effect.forEach(tables, ({ name }) =>
    sql.unsafe<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`)
  )
  return rows.flat().map(({ row }) => row)
})

/** Whether the text contains the secret. A six-digit code must be a separate word. */
const holds = (text: string, secret: string): boolean =>
  /^\d{6}$/.test(secret) ? new RegExp(`(?<![\\w.:-])${secret}(?![\\w.:-])`).test(text) : text.includes(secret)

it.live(
  "no table and no log line contains a secret in plain text, even at debug level and on error paths",
  () =>
    Effect.gen(function* () {
      const { text, value } = yield* captured(
        Effect.gen(function* () {
          const { bot, codeAt, person, post, signIn, sql, withApp } = yield* factorSuite({
            env: { SIGNALBOX_LOG_LEVEL: "debug" },
            bot: { blocked: ["13"] }
          })
          const { bearer, codes, email, secret } = yield* Effect.flatMap(person(), withApp)
          yield* signIn(email, codes[0])
          yield* signIn(email, "zzzzz-zzzzz")
          yield* signIn(email, appCode(secret))
          bot.failNext("500", "html502")
          yield* post("messenger", { chat_id: "4711", password }, { bearer })
          // After each failure it pauses for two seconds.
          yield* until(
            "the message has come in spite of the failures",
            Effect.sync(() => bot.messages.length > 0),
            30
          )
          const binding = yield* codeAt("4711", 1)
          yield* post("messenger/confirm", { code: "000000" }, { bearer })
          yield* post("messenger/confirm", { code: binding }, { bearer })
          yield* signIn(email)
          const login = yield* codeAt("4711", 2)
          const present = appCode(secret)
          yield* signIn(email, present)
          yield* Effect.orDie(
            sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`
          )
          yield* signIn(email, login)
          const plain = [
            secret,
            binding,
            login,
            present,
            password,
            ...codes,
            ...codes.map((code) => hash(Redacted.make(code)))
          ]
          return {
            plain,
            words: bot.messages.map((message) => message.text.slice(7)),
            rows: yield* Effect.provideService(everything, SqlClient.SqlClient, sql)
          }
        }).pipe(Effect.scoped, Effect.provide(Log.layer({ service: "test", level: "debug", format: "logfmt" })))
      )
      expect(value.words.length).toBe(2)
      expect(value.rows.some((row) => row.includes("messenger.code"))).toBe(true)
      for (const secret of [...value.plain, ...value.words]) {
        assert.isFalse(
          holds(text, secret),
          text.split("\n").find((line) => holds(line, secret))
        )
        assert.isUndefined(value.rows.find((row) => holds(row, secret)))
      }
    }),
  120_000
)

it.live(
  "a key rotation seals app secrets and recovery codes again, so that the old key can be removed",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { env, person, signIn, sql, withApp } = yield* factorSuite()
        const { codes, email, secret } = yield* Effect.flatMap(person(), withApp)
        const path = join(env["SIGNALBOX_DATA_DIR"]!, "keys")
        yield* addKey(path)
        const rotated = yield* Effect.forEach(identity.sealed, reseal).pipe(
          Effect.provideService(SqlClient.SqlClient, sql),
          Effect.provide(secretsLayer(path))
        )
        expect(rotated.map(({ resealed, table }) => [table, resealed])).toEqual(
          expect.arrayContaining([
            ["identity.totp", 1],
            ["identity.recovery_code", 10]
          ])
        )
        writeFileSync(path, readFileSync(path, "utf8").split("\n")[0]! + "\n")
        expect((yield* signIn(email, appCode(secret, 1))).status).toBe(200)
        expect((yield* signIn(email, codes[5])).status).toBe(200)
      })
    ),
  120_000
)
