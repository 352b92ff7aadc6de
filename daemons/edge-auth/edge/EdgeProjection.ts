/** Routes, users and sessions in memory, from which `/verify` answers. Data older than one second is not used. */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Component } from "#core/daemon/Health.ts"
import * as Projection from "#core/lane/Projection.ts"
import type { Wake } from "#core/events/Wake.ts"
import * as RouteIndex from "./RouteIndex.ts"

/** Topic that every change of users, sessions or routes announces. */
export const topic = "edge-auth"

/**
 * Time limit of the first comparison, which reads every row. Unit: milliseconds. Reason: enough for 100,000 sessions
 * on a busy machine.
 */
const firstPatience = 10_000

/** User of a session. */
export interface Identity {
  readonly email: string
  readonly name: string
  readonly role: RouteIndex.Role
}

interface SessionRow {
  readonly token: string
  readonly user_id: number
  readonly host: string | null
  /** Epoch milliseconds. */
  readonly expires: number
  readonly ended: boolean
}

interface UserRow extends Identity {
  readonly id: number
  readonly status: string
}

export class EdgeProjection extends Context.Service<
  EdgeProjection,
  Projection.Projection & {
    readonly routes: RouteIndex.RouteIndex
    /**
     * User of the session whose token has the stored form `stored`. Undefined when the session is over, its user is not
     * active, or the session belongs to another host.
     */
    readonly identityOf: (stored: string, host: string, now: number) => Identity | undefined
    readonly component: () => Component
  }
>()("signalbox/edge-auth/EdgeProjection") {}

export const layer: Layer.Layer<EdgeProjection, never, SqlClient.SqlClient | Wake> = Layer.effect(
  EdgeProjection,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const routes = RouteIndex.make()
    const users = new Map<number, UserRow>()
    const sessions = new Map<string, SessionRow>()
    const projection = yield* Projection.make({
      name: "users, sessions and routes of the edge",
      topic,
      longest: firstPatience,
      sources: {
        routes: {
          changed: (since) =>
            sql`select id, host, path, required_role, enabled = 1 as enabled, removed_at is not null as removed
              from edge_auth.protected_routes where ${Projection.after(sql, since)}`,
          apply: (rows: ReadonlyArray<RouteIndex.RouteRow & { readonly removed: boolean }>) => {
            for (const row of rows) {
              if (row.removed) routes.remove(row.id)
              else routes.put(row)
            }
          }
        },
        users: {
          changed: (since) =>
            sql`select id, email, name, role, status from edge_auth.users where ${Projection.after(sql, since)}`,
          apply: (rows: ReadonlyArray<UserRow>) => {
            for (const row of rows) users.set(row.id, row)
          }
        },
        sessions: {
          changed: (since) =>
            sql`select token, user_id, host, extract(epoch from expires_at) * 1000 as expires,
                ended_at is not null as ended
              from edge_auth.sessions where expires_at > now()
                and ${since === undefined ? sql`ended_at is null` : Projection.after(sql, since)}`,
          apply: (rows: ReadonlyArray<SessionRow>) => {
            for (const row of rows) {
              if (row.ended) sessions.delete(row.token)
              else sessions.set(row.token, row)
            }
          }
        }
      }
    })
    const sweep = () => {
      const now = Date.now()
      for (const [token, { expires }] of sessions) if (expires <= now) sessions.delete(token)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => setInterval(sweep, 60_000).unref()),
      (timer) => Effect.sync(() => clearInterval(timer))
    )
    return EdgeProjection.of({
      ...projection,
      routes,
      identityOf: (stored, host, now) => {
        const session = sessions.get(stored)
        if (session === undefined || session.expires <= now || (session.host !== null && session.host !== host))
          return undefined
        const user = users.get(session.user_id)
        return user?.status === "active" ? user : undefined
      },
      component: () => {
        const age = projection.age()
        const known = {
          routes: routes.size(),
          users: users.size,
          sessions: sessions.size,
          compared_ms_ago: Number.isFinite(age) ? Math.round(age) : null
        }
        return { status: "ok", ...known }
      }
    })
  })
)
