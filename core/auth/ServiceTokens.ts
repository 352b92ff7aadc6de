/**
 * Who presents a service token (`x-service-token`). Found in the picture of Standing, so that a revoked token ends
 * within a second everywhere.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { NotFresh } from "../lane/Projection.ts"
import { hashOf } from "./ServiceTokenStore.ts"
import { Standing } from "./Standing.ts"

/**
 * How often the last use of a busy token is noted. Unit: milliseconds. Reason: lists show the minute; a write a request
 * is dear.
 */
const usedEvery = 60_000

/** The token behind a presented text. */
export interface FoundToken {
  readonly id: number
  readonly name: string
  readonly scopes: ReadonlySet<string>
}

export class ServiceTokens extends Context.Service<
  ServiceTokens,
  {
    /** The valid token behind the presented text, or nothing. */
    readonly find: (token: Redacted.Redacted) => Effect.Effect<FoundToken | undefined, NotFresh>
    /** By its hash (`hashOf`), from a picture that the caller knows to be fresh: for the fast lane. Notes the use. */
    readonly findNow: (hash: string) => FoundToken | undefined
  }
>()("signalbox/core/auth/ServiceTokens") {}

export const layer: Layer.Layer<ServiceTokens, never, SqlClient.SqlClient | Standing> = Layer.effect(
  ServiceTokens,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const standing = yield* Standing
    const noted = new Map<number, number>()

    /** Its failure changes nothing for the caller: the next use is noted. */
    const note = (id: number, now: number) => {
      if (now - (noted.get(id) ?? Number.NEGATIVE_INFINITY) < usedEvery) return
      noted.set(id, now)
      Effect.runFork(Effect.ignore(sql`update core.service_token set last_used_at = now() where id = ${id}`))
    }

    const findNow = (hash: string): FoundToken | undefined => {
      const now = Date.now()
      const found = standing.serviceToken(hash, now)
      if (found !== undefined) note(found.id, now)
      return found
    }

    return ServiceTokens.of({
      // One that is not known may be a moment old: it is looked for among what is committed by now before it is
      // refused.
      find: Effect.fnUntraced(function* (presented) {
        const hash = hashOf(Redacted.value(presented))
        yield* standing.ensure
        const held = findNow(hash)
        if (held !== undefined) return held
        yield* standing.refresh
        return findNow(hash)
      }),
      findNow
    })
  })
)
