/** Walk cases of the endpoints for support sessions. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { newCode, spoken } from "#daemons/comm-dispatcher/support/SessionCode.ts"
import { type Cases, creates, list, own, thing, type Who } from "#support/walk/Case.ts"
import { numberOf } from "../notifications/NotificationCases.ts"

const path = "/api/v1/support/sessions"
const never = { id: 0x7fff_fff0, code: "00000000" }

export const supportCases = (sql: PgClient.PgClient): Cases => {
  /** Creates the open session of this user; a user has one. */
  const seed = (as: Who) => {
    const user = as.headers["authorization"] === undefined ? 1 : numberOf(as)
    return Effect.map(
      sql`update comm_dispatcher.support_session set closed_at = now() where user_id = ${user}`.pipe(
        Effect.andThen(
          sql<{ id: number; code: string }>`insert into comm_dispatcher.support_session
        (tenant_id, user_id, code, channel, message, expires_at, created_at)
        values (${as.tenant}, ${user}, ${newCode()}, 'web', ${as.mark}, now() + interval '1 hour',
          now() - interval '2 hours') returning id, code`
        )
      ),
      ([row]) => row!
    )
  }
  const named = (as: Who) => Effect.map(seed(as), ({ code }) => ({ code }))
  const nothing = { code: never.code }
  const usersOnly = (as: Who) => as.headers["x-service-token"] === undefined
  return {
    [`POST ${path}`]: creates({
      namesNothing: "a session is made for the caller",
      request: (_, as) => ({ body: { channel: "web", message: as.mark } }),
      success: 201,
      made: ({ json }) => json.id
    }),
    [`GET ${path}`]: list({
      seed,
      never,
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows: ({ json }) => json.items.map((item: { id: number }) => item.id),
      by: "id",
      naming: ({ id }) => [{ before: id }, { before: id, limit: 1, state: "all" }]
    }),
    [`GET ${path}/mine`]: own("the caller's session", {
      seed,
      request: () => ({}),
      success: 200,
      wrong: ({ json }, { code }, as) =>
        !usersOnly(as) || json.session.session_code === spoken(code) ? undefined : `not ${code}`
    }),
    [`DELETE ${path}/mine`]: own("the caller's session", { seed, request: () => ({}), success: 204 }),
    [`GET ${path}/{code}`]: thing({
      seed: named,
      never: nothing,
      request: ({ code }) => ({ path: { code } }),
      success: 200,
      wrong: ({ json }, { code }) => (json.session_code === spoken(code) ? undefined : `not ${code}`)
    }),
    [`POST ${path}/{code}/close`]: thing({
      seed: named,
      never: nothing,
      request: ({ code }) => ({ path: { code } }),
      success: 200
    })
  }
}
