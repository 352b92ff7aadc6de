/**
 * Limits of registration. A registration costs a hash of a quarter of a second and a row, and anybody may send one. It
 * is therefore counted by client before it is hashed, and unapproved users are bounded and expire.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { clientKey } from "#core/http/ClientKey.ts"
import * as StoredLog from "#core/limits/StoredLog.ts"
import { transaction } from "#core/sql/Sql.ts"
import { note } from "../edge/AuditNote.ts"
import { ofRegistration, TooMany } from "./Attempts.ts"

/** Maximum number of users who wait for approval. Reason: more than an administrator approves by hand. */
export const maxPending = 200

/** Time after which a user who was not approved is deleted. Unit: days. */
export const pendingLifetime = 14

/** Too many users wait for approval. */
export class Full extends Schema.TaggedError<Full>()("Full", {}) {}

/** Counts a registration of `address`. Fails with `TooMany` or `Full`. Call outside transactions. */
export const reserve = (address: string) =>
  transaction(
    Effect.gen(function* () {
      const key = `register ${clientKey(address)}`
      yield* StoredLog.lock(ofRegistration, [key])
      const retryAfter = yield* StoredLog.wait(ofRegistration, [key])
      if (retryAfter > 0) return yield* new TooMany({ retryAfter })
      yield* failIfFull
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into edge_auth.login_attempts (ip) values (${key})`
    })
  )

/** Fails with `Full` when no further user may wait for approval. Runs in the surrounding transaction. */
export const failIfFull = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ waiting } = { waiting: 0 }] = yield* sql<{ waiting: number }>`select count(*)::int as waiting
    from edge_auth.users where status = 'pending' and registered_at is not null`
  if (waiting >= maxPending) return yield* new Full()
})

/** Deletes users who were not approved in time; returns how many. */
export const prune = transaction(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const gone = yield* sql<{ id: number }>`delete from edge_auth.users u
      where status = 'pending' and approved_at is null
        and registered_at < now() - make_interval(days => ${pendingLifetime})
        and not exists (select 1 from edge_auth.sessions s where s.user_id = u.id)
      returning id`
    for (const { id } of gone) yield* note({ name: "edge-auth" }, "user.expired", "user", id)
    return gone.length
  })
)
