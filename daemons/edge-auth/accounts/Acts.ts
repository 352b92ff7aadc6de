/**
 * What people do in the panel, each in one transaction with its line in the audit log; pictures are told, so that it holds everywhere within a
 * second. The last active admin stays one.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Audit from "#core/Audit.ts"
import { transaction } from "#core/Sql.ts"
import { Wake } from "#core/Wake.ts"
import * as RouteRows from "../routes/RouteRows.ts"
import type { Role } from "../verify/RouteIndex.ts"
import { topic } from "../verify/Picture.ts"
import * as Sessions from "./Sessions.ts"
import * as Users from "./Users.ts"

/** Nothing was done; `reason` names a sentence of the pages. */
export class Impossible extends Schema.TaggedError<Impossible>()("Impossible", { reason: Schema.Literals(["lastAdmin", "routeTaken", "invalidRoute", "stale"]) }) {}

/** Whose tenant the edge is: the provider's. */
const tenantId = 1

export interface Actor {
  readonly userId: number
  readonly ip: string
}

const noted = (actor: Actor, action: string, id: number | string, detail: Audit.Entry["detail"] = {}) =>
  Effect.andThen(
    Audit.write({ tenantId, actor: `edge:${actor.userId}`, action: `edge_${action}`, entity: "edge", id: String(id), address: actor.ip, detail }),
    Effect.flatMap(Wake, (wake) => wake.announce(topic))
  )

const gone = new Impossible({ reason: "stale" })

/** Admins are changed one after the other, so that two do not take each other's place away. */
const inTurn = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select pg_advisory_xact_lock(hashtextextended('edge_auth.admins', 0))`)

export const setStatus = (actor: Actor, id: number, status: Users.Status) =>
  transaction(Effect.gen(function*() {
    yield* inTurn
    if (status !== "active" && (yield* Users.otherAdmins(id)) === 0) return yield* new Impossible({ reason: "lastAdmin" })
    if ((yield* Users.change(id, { status })) === undefined) return yield* gone
    if (status === "blocked") yield* Sessions.endAll(id)
    yield* noted(actor, `user.${status}`, id)
  }))

export const setRole = (actor: Actor, id: number, role: Role) =>
  transaction(Effect.gen(function*() {
    yield* inTurn
    if (role !== "admin" && (yield* Users.otherAdmins(id)) === 0) return yield* new Impossible({ reason: "lastAdmin" })
    if ((yield* Users.change(id, { role })) === undefined) return yield* gone
    yield* noted(actor, "user.role", id, { role })
  }))

/** `of` undefined: anybody's. */
export const endSession = (actor: Actor, id: number, of: number | undefined) =>
  transaction(Effect.gen(function*() {
    if (!(yield* Sessions.end(id, of))) return yield* gone
    yield* noted(actor, "session.ended", id)
  }))

export const endAll = (actor: Actor, userId: number) =>
  transaction(Effect.gen(function*() {
    const sessions = yield* Sessions.endAll(userId)
    yield* noted(actor, "sessions.ended", userId, { sessions })
  }))

export const addRoute = (actor: Actor, typed: { readonly host: string; readonly path: string; readonly role: string; readonly description: string }) =>
  transaction(Effect.gen(function*() {
    const place = RouteRows.placeOf(typed.host, typed.path)
    if (place === undefined || (typed.role !== "user" && typed.role !== "admin")) return yield* new Impossible({ reason: "invalidRoute" })
    const made = yield* RouteRows.add(place, typed.role, typed.description.slice(0, 200).toWellFormed().replaceAll("\0", ""))
    if (made === undefined) return yield* new Impossible({ reason: "routeTaken" })
    yield* noted(actor, "route.added", made.id, { ...place, role: typed.role })
  }))

export const turnRoute = (actor: Actor, id: number, on: boolean) =>
  transaction(Effect.gen(function*() {
    if (!(yield* RouteRows.turn(id, on))) return yield* gone
    yield* noted(actor, on ? "route.enabled" : "route.disabled", id)
  }))

export const removeRoute = (actor: Actor, id: number) =>
  transaction(Effect.gen(function*() {
    if (!(yield* RouteRows.remove(id))) return yield* gone
    yield* noted(actor, "route.removed", id)
  }))
