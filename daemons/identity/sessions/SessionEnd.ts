/**
 * Ends sessions, in the transaction of the change that ends them. Writes them to core.ended_session, so that every
 * process refuses their access and mail tokens within a second. The caller refreshes Standing after its commit, so that
 * this process refuses them at once.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { announceStanding } from "#core/auth/Standing.ts"
import { endedRemembered } from "#core/auth/TokenClaims.ts"
import type { Database } from "#core/sql/Database.ts"
import { asPlatform } from "#core/sql/Sql.ts"

/** Why a session ended, as shown in lists. */
export type EndReason =
  | "signed_out"
  | "revoked"
  | "password_changed"
  | "refresh_reuse"
  | "account_suspended"
  | "account_deleted"
  | "account_changed"
  | "tenant_suspended"
  | "second_factor_changed"

/** Selects the sessions to end. */
export type SessionSelection =
  | { readonly session: string; readonly account?: number }
  | { readonly account: number; readonly except?: string }
  | { readonly tenant: number }

/** Ends the selected active sessions and returns their ids. Runs with the role of the surrounding transaction. */
export const endSessions = (
  selection: SessionSelection,
  because: EndReason
): Effect.Effect<ReadonlyArray<string>, SqlError.SqlError, SqlClient.SqlClient | Database> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const selected =
      "session" in selection
        ? selection.account === undefined
          ? sql`id = ${selection.session}`
          : sql`id = ${selection.session} and account_id = ${selection.account}`
        : "account" in selection
          ? selection.except === undefined
            ? sql`account_id = ${selection.account}`
            : sql`account_id = ${selection.account} and id <> ${selection.except}`
          : sql`tenant_id = ${selection.tenant}`
    const ended = yield* sql<{ id: string }>`update identity.session set ended_at = now(), ended_because = ${because}
      where ${selected} and ended_at is null returning id`
    const ids = ended.map(({ id }) => id)
    if (ids.length > 0) {
      yield* asPlatform(sql`with recorded as (
          insert into core.ended_session (session, forget_at)
          select id::uuid, now() + make_interval(secs => ${endedRemembered})
            from unnest(string_to_array(${ids.join(" ")}, ' ')) as id
          on conflict do nothing)
        select ${announceStanding(sql)}`)
    }
    return ids
  })
