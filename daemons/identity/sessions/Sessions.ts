/**
 * Sessions: what a sign-in opens. A session gives access tokens, short-lived and checked without asking anybody, and one
 * refresh token at a time, which is changed for the next one at each use. A refresh token that comes a second time was copied,
 * and nobody can say which of the two is the thief: the session ends (RFC 9700 §4.14.2).
 */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { createHash, randomBytes, randomUUID } from "node:crypto"
import { write } from "#core/Audit.ts"
import { Standing } from "#core/auth/Standing.ts"
import type { Role } from "#core/auth/Roles.ts"
import type { Database } from "#core/Database.ts"
import type { SecretError } from "#core/Secrets.ts"
import { transaction } from "#core/Sql.ts"
import { Refusals } from "../Refusals.ts"
import { endSessions } from "./SessionEnd.ts"
import type { NoSigningKey } from "#core/auth/Signer.ts"
import { SigningKeys } from "#core/auth/SigningKeys.ts"

/** Longest user agent kept. Unit: characters. */
const maxUserAgent = 200

/** Where a request comes from, for lists and the audit log. */
export interface Client {
  readonly address: string
  readonly userAgent: string | undefined
}

/** Whose session it is. */
export interface Owner {
  readonly id: number
  readonly tenant_id: number
  readonly role: Role
}

/** What a sign-in and a refresh answer. Source: RFC 6749 §5.1. */
export interface Tokens {
  readonly access_token: string
  readonly token_type: "Bearer"
  /** Unit: seconds. */
  readonly expires_in: number
  readonly refresh_token: string
}

/** Why a refresh token opens nothing; for the log and the counter. */
export type RefreshRefusal = "unknown" | "reused" | "ended" | "expired" | "suspended"

type SigningError = NoSigningKey | SecretError | SqlError.SqlError

export class Sessions extends Context.Service<Sessions, {
  /**
   * Opens a session for somebody who has proved who they are by `methods`, and writes that into the audit log. `first` runs in
   * the same transaction; when it fails, nothing was opened.
   */
  readonly open: <E = never>(
    owner: Owner,
    methods: ReadonlyArray<string>,
    client: Client,
    first?: Effect.Effect<void, E, SqlClient.SqlClient | Database>
  ) => Effect.Effect<Tokens, SigningError | E>
  /** Changes a refresh token for the next one. */
  readonly refresh: (token: string, client: Client) => Effect.Effect<Tokens | RefreshRefusal, SigningError>
}>()("signalbox/identity/Sessions") {}

const hashOf = (token: string) => createHash("sha256").update(token).digest()
const newRefreshToken = () => `sbr_${randomBytes(32).toString("base64url")}`

/** Lifetimes. Unit: seconds. */
export const layer = (lifetimes: { readonly access: number; readonly session: number }) =>
  Layer.effect(
    Sessions,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* SigningKeys
      const standing = yield* Standing
      const refusals = yield* Refusals
      const ground = yield* Effect.context<SqlClient.SqlClient | PgClient.PgClient | Database>()

      const tokens = Effect.fnUntraced(function*(owner: Owner, session: string, refreshToken: string) {
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        const accessToken = yield* keys.sign({
          type: "access",
          userId: owner.id,
          tenantId: owner.tenant_id,
          role: owner.role,
          session,
          id: randomUUID(),
          expires: now + lifetimes.access
        })
        return { access_token: accessToken, token_type: "Bearer", expires_in: lifetimes.access, refresh_token: refreshToken } as const
      })

      const giveRefreshToken = (owner: Owner, session: string, token: string) =>
        sql`insert into identity.refresh_token (hash, tenant_id, session_id) values (${hashOf(token)}, ${owner.tenant_id}, ${session})`

      return Sessions.of({
        open: Effect.fnUntraced(function*<E>(
          owner: Owner,
          methods: ReadonlyArray<string>,
          client: Client,
          first: Effect.Effect<void, E, SqlClient.SqlClient | Database> = Effect.void
        ) {
          const session = randomUUID()
          const refreshToken = newRefreshToken()
          yield* transaction(Effect.gen(function*() {
            yield* first
            yield* sql`insert into identity.session (id, tenant_id, account_id, methods, address, user_agent, expires_at)
              values (${session}, ${owner.tenant_id}, ${owner.id}, string_to_array(${methods.join(" ")}, ' '), ${client.address},
                ${client.userAgent?.slice(0, maxUserAgent) ?? null}, now() + make_interval(secs => ${lifetimes.session}))`
            yield* giveRefreshToken(owner, session, refreshToken)
            yield* sql`update identity.account set last_login_at = now() where id = ${owner.id}`
            yield* write({
              tenantId: owner.tenant_id,
              actor: `user:${owner.id}`,
              action: "session.opened",
              entity: "session",
              id: session,
              address: client.address,
              detail: { methods }
            })
          })).pipe(Effect.provideContext(ground))
          return yield* tokens(owner, session, refreshToken)
        }),
        refresh: Effect.fnUntraced(function*(token, client) {
          const next = newRefreshToken()
          const outcome = yield* transaction(exchange(token, next)).pipe(Effect.provideContext(ground))
          if (outcome._tag === "Refused") {
            if (outcome.reason === "reused") {
              yield* Effect.ignore(standing.refresh)
              yield* refusals.tell({
                kind: "refresh_reuse",
                address: client.address,
                tenantId: outcome.tenantId,
                entity: "session",
                id: outcome.session
              })
            } else if (outcome.reason === "unknown") yield* refusals.tell({ kind: "refresh_unknown", address: client.address })
            else refusals.count(`refresh_${outcome.reason}`)
            return outcome.reason
          }
          return yield* tokens(outcome.owner, outcome.session, next)
        })
      })

      /** Takes the old token and gives the new one, in one transaction; a refusal is an outcome, so that what it changed stays. */
      function exchange(token: string, next: string) {
        return Effect.gen(function*() {
          const [given] = yield* sql<{ session: string; fresh: boolean }>`
            select session_id as session, used_at is null as fresh from identity.refresh_token where hash = ${hashOf(token)} for update`
          if (given === undefined) return { _tag: "Refused", reason: "unknown", session: "", tenantId: undefined } as const
          const [found] = yield* sql<Owner & { ended: boolean; expired: boolean; suspended: boolean }>`
            select a.id, a.tenant_id, a.role, s.ended_at is not null as ended, s.expires_at <= now() as expired,
                   a.state <> 'active' or t.state <> 'active' as suspended
              from identity.session s join identity.account a on a.id = s.account_id join identity.tenant t on t.id = a.tenant_id
             where s.id = ${given.session}`
          const refused = (reason: RefreshRefusal) =>
            ({ _tag: "Refused", reason, session: given.session, tenantId: found?.tenant_id }) as const
          if (found === undefined) return refused("unknown")
          if (!given.fresh) {
            yield* endSessions({ session: given.session }, "refresh_reuse")
            return refused("reused")
          }
          if (found.ended) return refused("ended")
          if (found.expired) return refused("expired")
          if (found.suspended) return refused("suspended")
          yield* sql`update identity.refresh_token set used_at = now() where hash = ${hashOf(token)}`
          yield* giveRefreshToken(found, given.session, next)
          yield* sql`update identity.session set last_used_at = now(), expires_at = now() + make_interval(secs => ${lifetimes.session})
            where id = ${given.session}`
          return { _tag: "Given", owner: { id: found.id, tenant_id: found.tenant_id, role: found.role }, session: given.session } as const
        })
      }
    })
  )
