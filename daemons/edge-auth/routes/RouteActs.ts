/**
 * Changes of protected routes, made in the panel or at the command line. Each is one transaction that includes its
 * audit entry. Every process applies it within a second.
 */
import { Effect } from "effect"
import { transaction } from "#core/sql/Sql.ts"
import { type Actor, note } from "../edge/AuditNote.ts"
import { ChangeRefused, gone } from "../edge/ChangeRefused.ts"
import * as RouteRows from "./RouteRows.ts"

/** Longest description of a route. Unit: UTF-16 units. */
const maxDescription = 200

export interface TypedRoute {
  readonly host: string
  readonly path: string
  readonly role: string
  readonly description: string
}

/** Adds a protected route; returns the stored row. */
export const addRoute = (actor: Actor, typed: TypedRoute) =>
  transaction(
    Effect.gen(function* () {
      const key = RouteRows.routeKeyOf(typed.host, typed.path)
      if (key === undefined || (typed.role !== "user" && typed.role !== "admin"))
        return yield* new ChangeRefused({ reason: "invalidRoute" })
      const made = yield* RouteRows.add(
        key,
        typed.role,
        typed.description.slice(0, maxDescription).toWellFormed().replaceAll("\0", "")
      )
      if (made === undefined) return yield* new ChangeRefused({ reason: "routeTaken" })
      yield* note(actor, "route.added", "route", made.id, { ...key, role: typed.role })
      return made
    })
  )

export const turnRoute = (actor: Actor, id: number, on: boolean) =>
  transaction(
    Effect.gen(function* () {
      if (!(yield* RouteRows.turn(id, on))) return yield* gone
      yield* note(actor, on ? "route.enabled" : "route.disabled", "route", id)
    })
  )

export const removeRoute = (actor: Actor, id: number) =>
  transaction(
    Effect.gen(function* () {
      if (!(yield* RouteRows.remove(id))) return yield* gone
      yield* note(actor, "route.removed", "route", id)
    })
  )
