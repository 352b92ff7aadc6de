/**
 * Sessions with short-lived access tokens and one rotating refresh token. Reuse of a refresh token means that it was
 * copied. The thief cannot be told from the user, so the session ends (RFC 9700 §4.14.2). Browser tabs that share a
 * cookie have a grace period (`tabsGrace`).
 */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { createHash, randomBytes, randomUUID } from "node:crypto"
import { write } from "#core/log/Audit.ts"
import { Standing } from "#core/auth/Standing.ts"
import type { Role } from "#core/auth/Roles.ts"
import type { Database } from "#core/sql/Database.ts"
import type { SecretError } from "#core/config/Secrets.ts"
import { transaction } from "#core/sql/Sql.ts"
import { AccessRefusals } from "./AccessRefusals.ts"
import { endSessions } from "./SessionEnd.ts"
import type { NoSigningKey } from "#core/auth/Signer.ts"
import { SigningKeys } from "#core/auth/SigningKeys.ts"

/**
 * How long the previous refresh token still obtains an access token when sent as a cookie. Unit: seconds. Reason: tabs
 * of one browser share the cookie and may refresh at the same moment. The value exceeds the time a request waits in a
 * queue. A thief of the cookie gains one access token and no refresh token; the next use of the stolen cookie ends the
 * session (RFC 9700 §4.14.2).
 */
export const tabsGrace = 10

/** Longest stored user agent. Unit: characters. */
const maxUserAgent = 200

/** Origin of a request, for lists and the audit log. */
export interface Client {
  readonly address: string
  readonly userAgent: string | undefined
}

/** Owner of a session. */
export interface Owner {
  readonly id: number
  readonly tenant_id: number
  readonly role: Role
  /** Language of the account (BCP 47). */
  readonly locale: string
  /** Time zone of the account (IANA); null: none. */
  readonly time_zone: string | null
}

/** Response of a sign-in or refresh. Source: RFC 6749 §5.1. */
export interface Tokens {
  readonly access_token: string
  readonly token_type: "Bearer"
  /** Lifetime of the access token. Unit: seconds. */
  readonly expires_in: number
  readonly refresh_token: string
}

/** Response of a refresh by cookie. Without a refresh token when another tab has just received the next one. */
export type Renewed = Omit<Tokens, "refresh_token"> & { readonly refresh_token?: string }

/** Why a refresh token is refused; for the log and metrics. */
export type RefreshRefusal = "unknown" | "reused" | "ended" | "expired" | "suspended"

type SigningError = NoSigningKey | SecretError | SqlError.SqlError

export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * Opens a session for a user authenticated by `methods`, and writes it to the audit log. `first` runs in the same
     * transaction; when it fails, no session is opened.
     */
    readonly open: <E = never>(
      owner: Owner,
      methods: ReadonlyArray<string>,
      client: Client,
      first?: Effect.Effect<void, E, SqlClient.SqlClient | Database>
    ) => Effect.Effect<Tokens, SigningError | E>
    /** Exchanges a refresh token for new tokens. */
    readonly refresh: (token: string, client: Client) => Effect.Effect<Tokens | RefreshRefusal, SigningError>
    /** Like `refresh`, for a token sent as a cookie, which has the grace period `tabsGrace`. */
    readonly renew: (token: string, client: Client) => Effect.Effect<Renewed | RefreshRefusal, SigningError>
    /** Ends the active session of a refresh token, whether or not the token was used. */
    readonly signOut: (token: string, client: Client) => Effect.Effect<void, SqlError.SqlError>
    /** An access token with the account's present claims, for a session with one. `expires`: its end (Unix seconds). */
    readonly reissue: (
      owner: Owner,
      session: string,
      expires: number
    ) => Effect.Effect<Omit<Tokens, "refresh_token">, SigningError>
    /** How long a session lasts without a refresh. Unit: seconds. */
    readonly lifetime: number
  }
>()("signalbox/identity/Sessions") {}

const hashOf = (token: string) => createHash("sha256").update(token).digest()
const newRefreshToken = () => `sbr_${randomBytes(32).toString("base64url")}`

/** Lifetimes of access tokens and sessions. Unit: seconds. */
export const layer = (lifetimes: { readonly access: number; readonly session: number }) =>
  Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* SigningKeys
      const standing = yield* Standing
      const refusals = yield* AccessRefusals
      const ground = yield* Effect.context<SqlClient.SqlClient | PgClient.PgClient | Database>()

      const accessToken = Effect.fnUntraced(function* (owner: Owner, session: string, expires?: number) {
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        const end = expires ?? now + lifetimes.access
        const token = yield* keys.sign({
          type: "access",
          userId: owner.id,
          tenantId: owner.tenant_id,
          role: owner.role,
          locale: owner.locale,
          ...(owner.time_zone === null ? {} : { zoneinfo: owner.time_zone }),
          session,
          id: randomUUID(),
          expires: end
        })
        return { access_token: token, token_type: "Bearer", expires_in: Math.max(0, end - now) } as const
      })

      const insertRefreshToken = (owner: Owner, session: string, token: string) =>
        sql`insert into identity.refresh_token (hash, tenant_id, session_id)
          values (${hashOf(token)}, ${owner.tenant_id}, ${session})`

      return Sessions.of({
        open: Effect.fnUntraced(function* <E>(
          owner: Owner,
          methods: ReadonlyArray<string>,
          client: Client,
          first: Effect.Effect<void, E, SqlClient.SqlClient | Database> = Effect.void
        ) {
          const session = randomUUID()
          const refreshToken = newRefreshToken()
          yield* transaction(
            Effect.gen(function* () {
              yield* first
              yield* sql`insert into identity.session
                  (id, tenant_id, account_id, methods, address, user_agent, expires_at)
                values (${session}, ${owner.tenant_id}, ${owner.id}, string_to_array(${methods.join(" ")}, ' '),
                  ${client.address}, ${client.userAgent?.slice(0, maxUserAgent) ?? null},
                  now() + make_interval(secs => ${lifetimes.session}))`
              yield* insertRefreshToken(owner, session, refreshToken)
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
            })
          ).pipe(Effect.provideContext(ground))
          return { ...(yield* accessToken(owner, session)), refresh_token: refreshToken }
        }),
        refresh: Effect.fnUntraced(function* (token, client) {
          const next = newRefreshToken()
          const outcome = yield* exchanged(token, next, 0, client)
          return typeof outcome === "string"
            ? outcome
            : { ...(yield* accessToken(outcome.owner, outcome.session)), refresh_token: next }
        }),
        renew: Effect.fnUntraced(function* (token, client) {
          const next = newRefreshToken()
          const outcome = yield* exchanged(token, next, tabsGrace, client)
          if (typeof outcome === "string") return outcome
          return {
            ...(yield* accessToken(outcome.owner, outcome.session)),
            ...(outcome.issued ? { refresh_token: next } : {})
          }
        }),
        signOut: Effect.fnUntraced(function* (token, client) {
          const ended = yield* transaction(
            Effect.gen(function* () {
              const [session] = yield* sql<{
                id: string
                account_id: number
                tenant_id: number
              }>`select s.id, s.account_id, s.tenant_id
                from identity.refresh_token r join identity.session s on s.id = r.session_id
                where r.hash = ${hashOf(token)}`
              if (session === undefined) return false
              const ended = yield* endSessions({ session: session.id }, "signed_out")
              for (const id of ended) {
                yield* write({
                  tenantId: session.tenant_id,
                  actor: `user:${session.account_id}`,
                  action: "session.ended",
                  entity: "session",
                  id,
                  address: client.address,
                  detail: { because: "signed_out" }
                })
              }
              return ended.length > 0
            })
          ).pipe(Effect.provideContext(ground))
          if (ended) yield* Effect.ignore(standing.refresh)
        }),
        reissue: (owner, session, expires) => accessToken(owner, session, expires),
        lifetime: lifetimes.session
      })

      /** Exchanges a token in its own transaction and records a refusal. */
      function exchanged(token: string, next: string, grace: number, client: Client) {
        return Effect.gen(function* () {
          const outcome = yield* transaction(exchange(token, next, grace)).pipe(Effect.provideContext(ground))
          if (outcome._tag === "Exchanged") return outcome
          if (outcome.reason === "reused") {
            yield* Effect.ignore(standing.refresh)
            yield* refusals.tell({
              kind: "refresh_reuse",
              address: client.address,
              tenantId: outcome.tenantId,
              entity: "session",
              id: outcome.session
            })
          } else if (outcome.reason === "unknown")
            yield* refusals.tell({ kind: "refresh_unknown", address: client.address })
          else refusals.count(`refresh_${outcome.reason}`)
          return outcome.reason
        })
      }

      /**
       * Consumes the old token and stores the new one, in one transaction. A refusal is a result, not a failure, so
       * that its changes are committed. The previous token is accepted for `grace` more seconds, but yields no new
       * refresh token.
       */
      function exchange(token: string, next: string, grace: number) {
        return Effect.gen(function* () {
          const [presented] = yield* sql<{ session: string; fresh: boolean }>`
            select session_id as session, used_at is null as fresh
              from identity.refresh_token where hash = ${hashOf(token)} for update`
          if (presented === undefined)
            return { _tag: "Refused", reason: "unknown", session: "", tenantId: undefined } as const
          // A separate statement, because the previous one may have waited for another tab's transaction and does not
          // see its rows.
          const [found] = yield* sql<
            Owner & { ended: boolean; expired: boolean; suspended: boolean; previous: boolean }
          >`
            select a.id, a.tenant_id, a.role, a.locale, a.time_zone, s.ended_at is not null as ended,
                   s.expires_at <= now() as expired,
                   a.state <> 'active' or t.state <> 'active' as suspended,
                   r.used_at > now() - make_interval(secs => ${grace})
                     and exists (select 1 from identity.refresh_token successor
                       where successor.session_id = s.id and successor.used_at is null
                         and successor.issued_at = r.used_at) as previous
              from identity.refresh_token r join identity.session s on s.id = r.session_id
              join identity.account a on a.id = s.account_id join identity.tenant t on t.id = a.tenant_id
             where r.hash = ${hashOf(token)}`
          const refused = (reason: RefreshRefusal) =>
            ({ _tag: "Refused", reason, session: presented.session, tenantId: found?.tenant_id }) as const
          if (found === undefined) return refused("unknown")
          const fromOtherTab = !presented.fresh && grace > 0 && found.previous
          if (!presented.fresh && !fromOtherTab) {
            yield* endSessions({ session: presented.session }, "refresh_reuse")
            return refused("reused")
          }
          if (found.ended) return refused("ended")
          if (found.expired) return refused("expired")
          if (found.suspended) return refused("suspended")
          const { id, locale, role, tenant_id, time_zone } = found
          const owner = { id, tenant_id, role, locale, time_zone }
          if (fromOtherTab) return { _tag: "Exchanged", owner, session: presented.session, issued: false } as const
          yield* sql`update identity.refresh_token set used_at = now() where hash = ${hashOf(token)}`
          yield* insertRefreshToken(found, presented.session, next)
          yield* sql`update identity.session
            set last_used_at = now(), expires_at = now() + make_interval(secs => ${lifetimes.session})
            where id = ${presented.session}`
          return { _tag: "Exchanged", owner, session: presented.session, issued: true } as const
        })
      }
    })
  )
