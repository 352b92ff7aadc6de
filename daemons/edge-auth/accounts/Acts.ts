/**
 * What people do in the panel and operators at the command line, each in one transaction with its line in the audit
 * log; pictures are told, so that it holds everywhere within a second. The last active admin stays one.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "#core/sql/Sql.ts"
import * as RouteRows from "../routes/RouteRows.ts"
import type { Role } from "../verify/RouteIndex.ts"
import * as FactorRows from "./FactorRows.ts"
import * as HalfSignIn from "./HalfSignIn.ts"
import { type Actor, noted } from "./Noted.ts"
import * as Sessions from "./Sessions.ts"
import * as Users from "./Users.ts"

/** Nothing was done; `reason` names a sentence of the pages. */
export class Impossible extends Schema.TaggedError<Impossible>()("Impossible", {
  reason: Schema.Literals(["lastAdmin", "routeTaken", "invalidRoute", "stale"])
}) {}

/** Longest description of a route. Unit: UTF-16 units. */
const maxDescription = 200

const gone = new Impossible({ reason: "stale" })

/** Admins are changed one after the other, so that two do not take each other's place away. */
const inTurn = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`select pg_advisory_xact_lock(hashtextextended('edge_auth.admins', 0))`
)

export const setStatus = (actor: Actor, id: number, status: Users.Status) =>
  transaction(
    Effect.gen(function* () {
      yield* inTurn
      if (status !== "active" && (yield* Users.otherAdmins(id)) === 0)
        return yield* new Impossible({ reason: "lastAdmin" })
      if ((yield* Users.change(id, { status })) === undefined) return yield* gone
      const sessions = status === "blocked" ? yield* Sessions.endAll(id) : 0
      if (status === "blocked") yield* HalfSignIn.endAll(id)
      yield* noted(actor, `user.${status}`, "user", id, status === "blocked" ? { sessions } : {})
    })
  )

export const setRole = (actor: Actor, id: number, role: Role) =>
  transaction(
    Effect.gen(function* () {
      yield* inTurn
      if (role !== "admin" && (yield* Users.otherAdmins(id)) === 0)
        return yield* new Impossible({ reason: "lastAdmin" })
      if ((yield* Users.change(id, { role })) === undefined) return yield* gone
      yield* noted(actor, "user.role", "user", id, { role })
    })
  )

/** Somebody lost their app and their recovery codes: until they set one up again, their password is enough. */
export const resetFactor = (actor: Actor, id: number) =>
  transaction(
    Effect.gen(function* () {
      if (!(yield* FactorRows.remove(id))) return yield* gone
      yield* HalfSignIn.endAll(id)
      yield* noted(actor, "factor.reset", "user", id)
    })
  )

/** With those handed over from it. `of` undefined: anybody's. */
export const endSession = (actor: Actor, id: number, of: number | undefined) =>
  transaction(
    Effect.gen(function* () {
      if (!(yield* Sessions.end(id, of))) return yield* gone
      yield* noted(actor, "session.ended", "session", id)
    })
  )

/** Answers how many there were. */
export const endAll = (actor: Actor, userId: number) =>
  transaction(
    Effect.gen(function* () {
      if ((yield* Users.byId(userId)) === undefined) return yield* gone
      const sessions = yield* Sessions.endAll(userId)
      yield* noted(actor, "sessions.ended", "user", userId, { sessions })
      return sessions
    })
  )

export interface TypedRoute {
  readonly host: string
  readonly path: string
  readonly role: string
  readonly description: string
}

/** Answers the route as it is kept. */
export const addRoute = (actor: Actor, typed: TypedRoute) =>
  transaction(
    Effect.gen(function* () {
      const place = RouteRows.placeOf(typed.host, typed.path)
      if (place === undefined || (typed.role !== "user" && typed.role !== "admin"))
        return yield* new Impossible({ reason: "invalidRoute" })
      const made = yield* RouteRows.add(
        place,
        typed.role,
        typed.description.slice(0, maxDescription).toWellFormed().replaceAll("\0", "")
      )
      if (made === undefined) return yield* new Impossible({ reason: "routeTaken" })
      yield* noted(actor, "route.added", "route", made.id, { ...place, role: typed.role })
      return made
    })
  )

export const turnRoute = (actor: Actor, id: number, on: boolean) =>
  transaction(
    Effect.gen(function* () {
      if (!(yield* RouteRows.turn(id, on))) return yield* gone
      yield* noted(actor, on ? "route.enabled" : "route.disabled", "route", id)
    })
  )

export const removeRoute = (actor: Actor, id: number) =>
  transaction(
    Effect.gen(function* () {
      if (!(yield* RouteRows.remove(id))) return yield* gone
      yield* noted(actor, "route.removed", "route", id)
    })
  )
