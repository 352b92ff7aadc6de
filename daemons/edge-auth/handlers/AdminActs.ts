/** What the forms of the panel ask for, by their `act`. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Database } from "#core/sql/Database.ts"
import type { Wake } from "#core/events/Wake.ts"
import * as Acts from "../accounts/Acts.ts"
import type { Actor } from "../accounts/Noted.ts"

export type Typed = Readonly<Record<"id" | "host" | "path" | "role" | "description", string | undefined>>

export type Acting = Effect.Effect<
  unknown,
  Acts.Impossible | SqlError.SqlError,
  SqlClient.SqlClient | PgClient.PgClient | Database | Wake
>

export const noId = new Acts.Impossible({ reason: "stale" })

/** A number as a form sends it. */
const idForm = /^[1-9]\d{0,8}$/

const idOf = (text: string | undefined) => (idForm.test(text ?? "") ? Effect.succeed(Number(text)) : Effect.fail(noId))

const withId =
  (act: (actor: Actor, id: number) => Acting) =>
  (actor: Actor, { id }: Typed): Acting =>
    Effect.flatMap(idOf(id), (id) => act(actor, id))

export const adminActs: Readonly<Record<string, (actor: Actor, typed: Typed) => Acting>> = {
  approve: withId((actor, id) => Acts.setStatus(actor, id, "active")),
  block: withId((actor, id) => Acts.setStatus(actor, id, "blocked")),
  make_admin: withId((actor, id) => Acts.setRole(actor, id, "admin")),
  make_user: withId((actor, id) => Acts.setRole(actor, id, "user")),
  reset_factor: withId(Acts.resetFactor),
  end_all: withId(Acts.endAll),
  end_session: withId((actor, id) => Acts.endSession(actor, id, undefined)),
  add_route: (actor, { description = "", host = "", path = "", role = "" }) =>
    Acts.addRoute(actor, { description, host, path, role }),
  turn_on: withId((actor, id) => Acts.turnRoute(actor, id, true)),
  turn_off: withId((actor, id) => Acts.turnRoute(actor, id, false)),
  remove_route: withId(Acts.removeRoute)
}

/** What somebody does to sessions of their own; undefined for what no form of ours asks for. */
export const ownActs = (
  act: string | undefined,
  actor: Actor,
  userId: number,
  id: string | undefined
): Acting | undefined => {
  if (act === "end_all") return Acts.endAll(actor, userId)
  return act === "end_session" && idForm.test(id ?? "") ? Acts.endSession(actor, Number(id), userId) : undefined
}
