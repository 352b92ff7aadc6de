/** Acts of the panel's forms, by the value of the field `act`. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Database } from "#core/sql/Database.ts"
import type { Wake } from "#core/events/Wake.ts"
import { AccountActs } from "../accounts/Exports.ts"
import type { Actor } from "../edge/AuditNote.ts"
import { type ChangeRefused, gone } from "../edge/ChangeRefused.ts"
import { RouteActs } from "../routes/Exports.ts"

export type Typed = Readonly<Record<"id" | "host" | "path" | "role" | "description", string | undefined>>

export type Acting = Effect.Effect<
  unknown,
  ChangeRefused | SqlError.SqlError,
  SqlClient.SqlClient | PgClient.PgClient | Database | Wake
>

/** Id in a form: a positive integer of at most nine digits. */
const idForm = /^[1-9]\d{0,8}$/

const idOf = (text: string | undefined) => (idForm.test(text ?? "") ? Effect.succeed(Number(text)) : Effect.fail(gone))

const withId =
  (act: (actor: Actor, id: number) => Acting) =>
  (actor: Actor, { id }: Typed): Acting =>
    Effect.flatMap(idOf(id), (id) => act(actor, id))

export const adminActs: Readonly<Record<string, (actor: Actor, typed: Typed) => Acting>> = {
  approve: withId((actor, id) => AccountActs.setStatus(actor, id, "active")),
  block: withId((actor, id) => AccountActs.setStatus(actor, id, "blocked")),
  make_admin: withId((actor, id) => AccountActs.setRole(actor, id, "admin")),
  make_user: withId((actor, id) => AccountActs.setRole(actor, id, "user")),
  reset_factor: withId(AccountActs.resetFactor),
  end_all: withId(AccountActs.endAll),
  end_session: withId((actor, id) => AccountActs.endSession(actor, id, undefined)),
  add_route: (actor, { description = "", host = "", path = "", role = "" }) =>
    RouteActs.addRoute(actor, { description, host, path, role }),
  turn_on: withId((actor, id) => RouteActs.turnRoute(actor, id, true)),
  turn_off: withId((actor, id) => RouteActs.turnRoute(actor, id, false)),
  remove_route: withId(RouteActs.removeRoute)
}

/** Act of a user on their own sessions; undefined for an unknown act or a malformed id. */
export const ownActs = (
  act: string | undefined,
  actor: Actor,
  userId: number,
  id: string | undefined
): Acting | undefined => {
  if (act === "end_all") return AccountActs.endAll(actor, userId)
  return act === "end_session" && idForm.test(id ?? "") ? AccountActs.endSession(actor, Number(id), userId) : undefined
}
