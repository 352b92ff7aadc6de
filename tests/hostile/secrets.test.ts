/** No secret of a run may appear in its log lines, neither at debug level nor when requests fail. */
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Log from "#core/log/Log.ts"
import { toUrl } from "#core/postgres/ConnectionTarget.ts"
import { captured } from "#support/CapturedOutput.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { startDispatcher, until } from "../daemons/comm-dispatcher/Dispatcher.ts"

it.live(
  "no secret stands in the logs, at debug level and on error paths",
  () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const secrets = {
        database: "hunter2-database",
        messenger: "123456:TEST-hunter2-token",
        webhook: "hunter2-hmac",
        redis: "hunter2-redis",
        url: "hunter2-url-token"
      }
      const target = { ...database.target, password: Redacted.make(secrets.database) }
      const { text, value: token } = yield* captured(
        Effect.gen(function* () {
          const { alarm, bot, get, sink, sql, suite, token, trigger, url } = yield* startDispatcher({
            database: { ...database, target, url: toUrl(target) },
            bot: { token: secrets.messenger },
            env: {
              SIGNALBOX_WEBHOOK_SECRET: secrets.webhook,
              REDIS_URL: `redis://:${secrets.redis}@127.0.0.1:1`,
              SIGNALBOX_LOG_LEVEL: "debug"
            }
          })
          sink.next({ status: 500 }, { cut: true })
          bot.failNext("500", "cut-after", "html502")
          const place = `${url}/hook?key=${secrets.url}`
          yield* alarm(
            `ALERT:WEBHOOK+${place};MESSENGER+1;WEBHOOK+http://nowhere.invalid/?key=${secrets.url};RETRY:3x1m`
          )
          // Its refusal is in the log before the sessions end below.
          yield* alarm("nonsense")
          yield* trigger("INFO:SMS+1", { from: "x@bad.test" })
          yield* suite.call("GET", "/api/v1/workflows/runs", { headers: { authorization: `Bearer ${token}` } })
          yield* suite.call("POST", "/api/v1/workflows/trigger", { token, body: "{broken" })
          // A database session dies during a request, and the request fails.
          sink.behaviour = { delay: 200 }
          const { json } = yield* trigger(`INFO:WEBHOOK+${place}&again`)
          yield* Effect.ignore(
            sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`
          )
          yield* until(
            "it went on",
            async () => {
              const answer = await Effect.runPromise(get(`/api/v1/workflows/runs/${json.run_id}`))
              return answer.json?.state === "delivered"
            },
            30_000
          )
          return token
        }).pipe(Effect.scoped, Effect.provide(Log.layer({ service: "test", level: "debug", format: "logfmt" })))
      )
      assert.include(text, "alarm refused")
      assert.include(text, "malformed")
      for (const [name, secret] of Object.entries({ ...secrets, token })) {
        assert.isFalse(
          text.includes(secret),
          `${name}: ${text
            .split("\n")
            .find((line) => line.includes(secret))
            ?.slice(0, 500)}`
        )
      }
    }).pipe(Effect.scoped),
  120_000
)
