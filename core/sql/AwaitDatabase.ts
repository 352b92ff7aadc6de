/**
 * Waits at the start of a process until its database accepts connections. A process that starts before Postgres, such
 * as after a boot with a remote server, neither ends nor counts against the restart limit of its service.
 */
import { Duration, Effect } from "effect"
import { SqlError } from "effect/sql"
import { SystemdNotify } from "#protocols/systemd/SystemdNotify.ts"
import { withClient } from "../postgres/Bootstrap.ts"
import type { ConnectionTarget } from "../postgres/ConnectionTarget.ts"
import { DatabaseUnusable } from "./Database.ts"
import { innermost, isAway } from "./Sql.ts"

/** Pause between two attempts. Reason: the daemon is there about a second after its database. */
const pause = Duration.seconds(1)

/** Longest attempt. Reason: a server that takes connections and is silent must not hold the loop. */
const attemptTimeout = Duration.seconds(5)

/** Time that the service manager grants from each attempt on. Reason: several attempts, so one may be lost. */
const extension = Duration.seconds(30)

/** Attempts between two log lines of the same reason. Reason: about one a minute. */
const toldEvery = 60

/** A server that becomes the primary during a failover. */
const standby = new Error("this server is a standby; DATABASE_URL must name the primary")

/** What an attempt means. Pure. `wait`: the server can come. `unusable`: only an operator can help. */
export const judge = (
  error: unknown
): { readonly _tag: "wait"; readonly reason: string } | { readonly _tag: "unusable"; readonly reason: string } => {
  const reason = innermost(error)
  if (!SqlError.isSqlError(error) || isAway(error) || error.reason._tag === "ConnectionError")
    return { _tag: "wait", reason }
  return { _tag: "unusable", reason }
}

/** Completes when `target` answers. Fails when the server refuses for a reason that waiting does not change. */
export const awaitDatabase = Effect.fn("awaitDatabase")(function* (target: ConnectionTarget) {
  const notify = yield* SystemdNotify
  const attempt = withClient(target, (sql) =>
    Effect.flatMap(sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`, ([row]) =>
      row?.standby === true ? Effect.fail(standby) : Effect.void
    )
  ).pipe(Effect.timeout(attemptTimeout), Effect.result)
  let told: string | undefined
  for (let attempts = 0; ; attempts++) {
    const result = yield* attempt
    if (result._tag === "Success") break
    const verdict = judge(result.failure)
    if (verdict._tag === "unusable")
      return yield* new DatabaseUnusable({
        message: `the database of DATABASE_URL refuses: ${verdict.reason}. See config/postgres/README.md.`
      })
    if (verdict.reason !== told || attempts % toldEvery === 0) {
      told = verdict.reason
      yield* Effect.logWarning(`waiting for Postgres: ${verdict.reason}`)
    }
    yield* Effect.ignore(notify.extendTimeout(extension))
    yield* Effect.ignore(notify.status(`waiting for Postgres: ${verdict.reason}`))
    yield* Effect.sleep(pause)
  }
  if (told === undefined) return
  yield* Effect.logInfo("Postgres answers")
  yield* Effect.ignore(notify.status("starting"))
})
