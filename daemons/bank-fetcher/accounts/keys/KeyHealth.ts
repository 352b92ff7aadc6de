/** Health of the keys: which accounts wait for their passphrase in this process, and which for a person. */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Health, healthSentence } from "#core/daemon/Health.ts"
import { Actor, Supervisor } from "#core/supervision/Supervisor.ts"
import { Passphrases } from "./Passphrases.ts"

/** Interval of the look at the accounts. Unit: seconds. Reason: an operator who looks at health waits this long. */
const interval = Duration.seconds(10)

/** Maximum number of accounts that health names. Reason: a few are enough to act on. */
const mostNamed = 20

interface Waiting {
  readonly id: string
  readonly key_salt: string | null
  readonly stopped: string | null
}

/** Registers the actor and the component `bank_keys`. */
export const keyHealth = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { find } = yield* Passphrases
  let seen: ReadonlyArray<Waiting> = []
  yield* Supervisor.actor({
    name: "bank-keys",
    run: Effect.gen(function* () {
      const actor = yield* Actor
      while (true) {
        seen = yield* sql<Waiting>`select id, key_salt, stopped from bank_fetcher.account
          where active and (key_salt is not null or stopped is not null) order by seq`
        yield* actor.progress
        yield* Effect.sleep(interval)
      }
    })
  })
  yield* Health.component(
    "bank_keys",
    Effect.sync(() => {
      const locked = seen.filter(({ id, key_salt: salt }) => salt !== null && find(id, salt) === undefined)
      const stopped = seen.filter((one) => one.stopped !== null)
      const parts = [
        ...(locked.length === 0
          ? []
          : [healthSentence(`${locked.length} accounts wait for their passphrase (keys/unlock)`)]),
        ...(stopped.length === 0
          ? []
          : [healthSentence(`${stopped.length} accounts are stopped until a person looks at them`)])
      ]
      const named = (rows: ReadonlyArray<Waiting>) => rows.slice(0, mostNamed).map(({ id }) => id)
      return parts.length === 0
        ? { status: "ok" as const }
        : { status: "degraded" as const, detail: parts.join("; "), locked: named(locked), stopped: named(stopped) }
    })
  )
})
