/**
 * Changes of users and sessions, made in the panel or at the command line. Each is one transaction that includes its
 * audit entry. Every process applies it within a second. The last active administrator cannot be removed.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "#core/sql/Sql.ts"
import { type Actor, note } from "../edge/AuditNote.ts"
import { ChangeRefused, gone } from "../edge/ChangeRefused.ts"
import type { Role } from "../edge/RouteIndex.ts"
import * as FactorRows from "./FactorRows.ts"
import * as HalfSignIn from "./HalfSignIn.ts"
import * as Sessions from "./Sessions.ts"
import * as Users from "./Users.ts"

/** Serialises changes of administrators: two at once could each remove the other. */
const inTurn = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`select pg_advisory_xact_lock(hashtextextended('edge_auth.admins', 0))`
)

/** Refuses a change that would leave no active administrator. */
const keepAnAdmin = Effect.fnUntraced(function* (id: number) {
  const user = yield* Users.byId(id)
  if (user?.role === "admin" && user.status === "active" && (yield* Users.otherAdmins(id)) === 0)
    return yield* new ChangeRefused({ reason: "lastAdmin" })
})

export const setStatus = (actor: Actor, id: number, status: Users.Status) =>
  transaction(
    Effect.gen(function* () {
      yield* inTurn
      if (status !== "active") yield* keepAnAdmin(id)
      if ((yield* Users.change(id, { status })) === undefined) return yield* gone
      const sessions = status === "blocked" ? yield* Sessions.endAll(id) : 0
      if (status === "blocked") yield* HalfSignIn.endAll(id)
      yield* note(actor, `user.${status}`, "user", id, status === "blocked" ? { sessions } : {})
    })
  )

export const setRole = (actor: Actor, id: number, role: Role) =>
  transaction(
    Effect.gen(function* () {
      yield* inTurn
      if (role !== "admin") yield* keepAnAdmin(id)
      if ((yield* Users.change(id, { role })) === undefined) return yield* gone
      yield* note(actor, "user.role", "user", id, { role })
    })
  )

/** Creates an active user; undefined when the address is taken. `password`: bcrypt hash. */
export const create = (actor: Actor, given: Parameters<typeof Users.create>[0]) =>
  transaction(
    Effect.gen(function* () {
      const user = yield* Users.create(given)
      if (user !== undefined)
        yield* note(actor, "user.created", "user", user.id, { email: user.email, role: user.role })
      return user
    })
  )

/** Replaces the password and signs the user out everywhere. `password`: bcrypt hash. */
export const setPassword = (actor: Actor, id: number, password: string) =>
  transaction(
    Effect.gen(function* () {
      if (!(yield* Users.setPassword(id, password))) return yield* gone
      const sessions = yield* Sessions.endAll(id)
      yield* HalfSignIn.endAll(id)
      yield* note(actor, "user.password", "user", id, { sessions })
    })
  )

/** Deletes a user with factors and sessions; the audit log keeps the entries about the user. */
export const remove = (actor: Actor, id: number) =>
  transaction(
    Effect.gen(function* () {
      yield* inTurn
      const user = yield* Users.byId(id)
      if (user === undefined) return yield* gone
      yield* keepAnAdmin(id)
      const sessions = yield* Sessions.endAll(id)
      yield* HalfSignIn.endAll(id)
      yield* Users.remove(id)
      yield* note(actor, "user.removed", "user", id, { email: user.email, sessions })
    })
  )

/** Removes the second factor of a user who lost app and recovery codes; the password is enough until the next setup. */
export const resetFactor = (actor: Actor, id: number) =>
  transaction(
    Effect.gen(function* () {
      if (!(yield* FactorRows.remove(id))) return yield* gone
      yield* HalfSignIn.endAll(id)
      yield* note(actor, "factor.reset", "user", id)
    })
  )

/** Ends a session and those handed over from it. `of`: the owner it must have; undefined: any owner. */
export const endSession = (actor: Actor, id: number, of: number | undefined) =>
  transaction(
    Effect.gen(function* () {
      if (!(yield* Sessions.end(id, of))) return yield* gone
      yield* note(actor, "session.ended", "session", id)
    })
  )

/** Ends all sessions of a user; returns how many. */
export const endAll = (actor: Actor, userId: number) =>
  transaction(
    Effect.gen(function* () {
      if ((yield* Users.byId(userId)) === undefined) return yield* gone
      const sessions = yield* Sessions.endAll(userId)
      yield* note(actor, "sessions.ended", "user", userId, { sessions })
      return sessions
    })
  )
