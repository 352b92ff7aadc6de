import { Effect, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import * as Handlers from "#core/http/Handlers.ts"
import { writeFor } from "#core/log/Audit.ts"
import { Caller, inScope } from "#core/auth/Caller.ts"
import { Standing } from "#core/auth/Standing.ts"
import { payloadOf } from "#core/auth/TokenClaims.ts"
import { noStore } from "#core/http/AnswerHeaders.ts"
import { client } from "#core/http/Client.ts"
import { Forbidden, NotFound, orUnavailable } from "#core/http/Problem.ts"
import { SignInApi } from "../Api.ts"
import { defaultPage } from "./Api.ts"
import { SecondFactors } from "../../factors/Exports.ts"
import { PasswordChange } from "../PasswordChange.ts"
import {
  type EndReason,
  endSessions,
  OwnSessions,
  orSigningUnavailable,
  Sessions,
  type SessionSelection
} from "../../sessions/Exports.ts"
import { Accounts, canonicalOrNull, type UserCaller } from "../../users/Exports.ts"
import { cookieSignIn } from "../CookieSignIn.ts"

/** The signed-in user. Service tokens are refused before (UsersOnly). */
const user: Effect.Effect<UserCaller, Forbidden, Caller> = Effect.flatMap(Caller, (caller) =>
  caller.kind === "user"
    ? Effect.succeed(caller)
    : Effect.fail(new Forbidden({ detail: "Only signed-in users may do this." }))
)

const sessionView = (session: OwnSessions.OwnSession, current: string) => ({
  ...session,
  created_at: session.created_at.toISOString(),
  last_used_at: session.last_used_at.toISOString(),
  expires_at: session.expires_at.toISOString(),
  current: session.id === current
})

/** The fields of a request that differ from the account's. */
const changesOf = (
  account: Accounts.Account,
  { locale, time_zone }: { readonly locale?: string; readonly time_zone?: string | null }
) => {
  const zone = time_zone === undefined ? undefined : canonicalOrNull(time_zone)
  return {
    ...(locale === undefined || locale === account.locale ? {} : { locale }),
    ...(zone === undefined || zone === account.time_zone ? {} : { time_zone: zone })
  }
}

export const auth = Handlers.group(
  SignInApi,
  "auth",
  Effect.fn(function* (handlers) {
    const standing = yield* Standing
    const factors = yield* SecondFactors
    const passwords = yield* PasswordChange
    const sessions = yield* Sessions
    const sql = yield* SqlClient.SqlClient
    const { answer, requireOwnPage } = yield* cookieSignIn

    /** Ends sessions, records them in the audit log, and makes their end effective at once in this process. */
    const end = Effect.fnUntraced(function* (selection: SessionSelection, because: EndReason) {
      const caller = yield* user
      const { address } = yield* client
      const ended = yield* orUnavailable(
        inScope(
          Effect.gen(function* () {
            const ended = yield* endSessions(selection, because)
            for (const id of ended) {
              yield* writeFor({
                tenantId: caller.tenantId,
                action: "session.ended",
                entity: "session",
                id,
                address,
                detail: { because }
              })
            }
            return ended
          })
        )
      )
      if (ended.length > 0) yield* Effect.ignore(standing.refresh)
      return ended
    })

    return handlers.handleAll({
      logout: Effect.fnUntraced(function* () {
        const caller = yield* user
        yield* end({ session: caller.session, account: caller.userId }, "signed_out")
      }),
      me: Effect.fnUntraced(function* () {
        const caller = yield* user
        const found = yield* orUnavailable(
          inScope(
            Effect.gen(function* () {
              const account = yield* Accounts.get(caller.userId)
              const credentials = yield* Accounts.credentialsOf(caller.userId)
              const session = yield* OwnSessions.get(caller.userId, caller.session)
              const [tenant] = yield* sql<{
                name: string
              }>`select name from identity.tenant where id = ${caller.tenantId}`
              return { account, hasPassword: (credentials?.password_hash ?? null) !== null, session, tenant }
            })
          )
        )
        const { account, session, tenant } = found
        if (account === undefined || session === undefined || tenant === undefined)
          return yield* new NotFound({ detail: "The account or the session no longer exists." })
        const { email, id, locale, name, role, tenant_id, time_zone } = account
        return {
          id,
          tenant_id,
          tenant_name: tenant.name,
          email,
          name,
          role,
          locale,
          time_zone,
          permissions: [...caller.permissions].sort(),
          session: sessionView(session, caller.session),
          has_password: found.hasPassword,
          factors: yield* orUnavailable(factors.active(caller.userId))
        }
      }),
      changeMe: Effect.fnUntraced(function* ({ payload }) {
        const caller = yield* user
        const { address } = yield* client
        const account = yield* orUnavailable(
          inScope(
            Effect.gen(function* () {
              const account = yield* Accounts.get(caller.userId)
              if (account === undefined)
                return yield* new NotFound({ detail: "The account or the session no longer exists." })
              const to = changesOf(account, payload)
              const changed = Object.keys(to)
              if (changed.length === 0) return account
              yield* Effect.catchTag(Accounts.change(caller.userId, to), "EmailTaken", Effect.die)
              yield* writeFor({
                tenantId: caller.tenantId,
                action: "user.changed",
                entity: "user",
                id: String(caller.userId),
                address,
                detail: { changed }
              })
              return { ...account, ...to }
            })
          )
        )
        // The middleware has verified the token, so it has an expiry.
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const { exp = 0 } = payloadOf((headers["authorization"] ?? "").slice("Bearer ".length)) ?? {}
        yield* noStore
        return yield* orUnavailable(orSigningUnavailable(sessions.reissue(account, caller.session, exp)))
      }),
      sessions: Effect.fnUntraced(function* ({ query }) {
        const caller = yield* user
        const limit = query.limit ?? defaultPage
        const found = yield* orUnavailable(inScope(OwnSessions.list(caller.userId, limit + 1, query.before)))
        const items = found.slice(0, limit).map((session) => sessionView(session, caller.session))
        return { items, next_before: found.length > limit ? items.at(-1)!.id : null }
      }),
      endSession: Effect.fnUntraced(function* ({ params }) {
        const caller = yield* user
        const ended = yield* end({ session: params.id, account: caller.userId }, "revoked")
        if (ended.length === 0) return yield* new NotFound({ detail: "There is no such session." })
      }),
      endOtherSessions: Effect.fnUntraced(function* () {
        const caller = yield* user
        yield* end({ account: caller.userId, except: caller.session }, "revoked")
      }),
      password: Effect.fnUntraced(function* ({ payload }) {
        yield* noStore
        if (payload.cookie) yield* requireOwnPage
        const { current_password: current, new_password: next } = payload
        const password = {
          current: current === undefined ? undefined : Redacted.make(current),
          next: Redacted.make(next)
        }
        return yield* answer(
          payload.cookie,
          yield* orUnavailable(orSigningUnavailable(passwords.change(yield* user, password, yield* client)))
        )
      })
    })
  })
)
