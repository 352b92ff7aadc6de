/**
 * Finds the service token of a request (`x-service-token`) in the projection of Standing, so a revocation takes effect
 * within a second everywhere.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { NotFresh } from "../lane/Projection.ts"
import { hashOf } from "./ServiceTokenStore.ts"
import { Standing } from "./Standing.ts"

/**
 * Interval at which the use of a busy token is recorded. Unit: milliseconds. Reason: lists show minutes; a write per
 * request is expensive.
 */
const usedEvery = 60_000

/** A valid token. */
export interface FoundToken {
  readonly id: number
  readonly name: string
  readonly scopes: ReadonlySet<string>
}

export class ServiceTokens extends Context.Service<
  ServiceTokens,
  {
    /** The valid token of this text, or undefined. */
    readonly find: (token: Redacted.Redacted) => Effect.Effect<FoundToken | undefined, NotFresh>
    /**
     * The valid token by its hash (`hashOf`), for the fast lane. The caller has checked that the projection is fresh.
     * Records the use.
     */
    readonly findNow: (hash: string) => FoundToken | undefined
  }
>()("signalbox/core/auth/ServiceTokens") {}

export const layer: Layer.Layer<ServiceTokens, never, SqlClient.SqlClient | Standing> = Layer.effect(
  ServiceTokens,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const standing = yield* Standing
    const runFork = Effect.runForkWith(yield* Effect.context())
    const noted = new Map<number, number>()

    /** A failure does not matter to the caller; the next use is recorded. */
    const note = (id: number, now: number) => {
      if (now - (noted.get(id) ?? Number.NEGATIVE_INFINITY) < usedEvery) return
      noted.set(id, now)
      runFork(Effect.ignore(sql`update core.service_token set last_used_at = now() where id = ${id}`))
    }

    const findNow = (hash: string): FoundToken | undefined => {
      const now = Date.now()
      const found = standing.serviceToken(hash, now)
      if (found !== undefined) note(found.id, now)
      return found
    }

    return ServiceTokens.of({
      // An unknown token may be newer than the projection, so the projection is refreshed before the refusal.
      find: Effect.fnUntraced(function* (presented) {
        const hash = hashOf(Redacted.value(presented))
        yield* standing.ensureWhenBusy
        const held = findNow(hash)
        if (held !== undefined) return held
        yield* standing.refreshWhenBusy
        return findNow(hash)
      }),
      findNow
    })
  })
)
