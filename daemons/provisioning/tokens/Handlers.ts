import { Effect, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { Caller, inScope, nameOf } from "#core/auth/Caller.ts"
import { requireTenantAccess } from "#core/auth/NamedTenant.ts"
import { settings } from "#core/config/Environment.ts"
import { noStore } from "#core/http/AnswerHeaders.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { publicUrl } from "#core/http/PublicBase.ts"
import { InvalidRequest, NotFound, orUnavailable } from "#core/http/Problem.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { Bookings } from "../bookings/Exports.ts"
import { People } from "../people/Exports.ts"
import { note, tenantBase } from "../vocabulary/Exports.ts"
import { TokensApi } from "./Api.ts"
import { RoleExceeds, TooManyTokens, UserNotActive } from "./Errors.ts"
import { isOwn, lackedForToken, managedUser, seenUser } from "./Rights.ts"
import { tokenSettings } from "./Settings.ts"
import * as Store from "./Store.ts"
import { newToken } from "./Token.ts"
import { emitChange } from "./TokenChange.ts"
import { tokenView } from "./TokenView.ts"

/** Maximum number of unused tokens of a user. Reason: more than a person has devices. */
const maxUnused = 50

const noUser = new NotFound({ detail: "There is no such user." })

export const clientTokens = Handlers.group(
  TokensApi,
  "clientTokens",
  Effect.fn(function* (handlers) {
    const config = (yield* StoredSettings).live(yield* settings(tokenSettings), { publicUrl })
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        yield* noStore
        const { label = null, user_id } = payload ?? {}
        const caller = yield* Caller
        const userId = user_id ?? (caller.kind === "user" ? caller.userId : undefined)
        if (userId === undefined)
          return yield* new InvalidRequest({
            errors: [{ field: "payload.user_id", message: "is required for service tokens" }]
          })
        const user = yield* orUnavailable(inScope(People.user(userId)))
        if (user === undefined) return yield* noUser
        const lacked = lackedForToken(caller, user)
        if (lacked !== undefined)
          return yield* new RoleExceeds({ permission: lacked, detail: `Creating this link requires ${lacked}.` })
        if (user.state !== "active") return yield* new UserNotActive({ detail: "Unsuspend the user first." })
        const { hash, prefix, token } = newToken()
        const made = yield* orUnavailable(
          tenantTransaction(
            user.tenant_id,
            Effect.gen(function* () {
              if ((yield* Store.countUnused(userId)) >= maxUnused)
                return yield* new TooManyTokens({ limit: maxUnused, detail: "Revoke unused links first." })
              const made = yield* Store.add({
                tenantId: user.tenant_id,
                userId,
                prefix,
                hash,
                label,
                createdBy: nameOf(caller),
                days: config.tokenDays
              })
              yield* note(user.tenant_id, "client_token", String(made.id), "created", {
                user_id: userId,
                prefix,
                own: isOwn(caller, userId)
              })
              yield* emitChange(made, { state: "unused" })
              return { ...tokenView(made), plan: yield* Bookings.planOf(user.tenant_id) }
            })
          )
        )
        const { plan, ...shown } = made
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const base = tenantBase(plan.base_domain, config.publicUrl, headers)
        return { ...shown, link: `${base}/provision/${Redacted.value(token)}` }
      }),
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...filter } }) {
        yield* requireTenantAccess(filter.tenant_id)
        const caller = yield* Caller
        const read = Store.list(filter, seenUser(caller), before, limit + 1)
        const found = yield* orUnavailable(
          filter.tenant_id === undefined ? inScope(read) : tenantTransaction(filter.tenant_id, read)
        )
        return paged(found.map(tokenView), limit)
      }),
      revoke: Effect.fnUntraced(function* ({ params: { id } }) {
        const caller = yield* Caller
        yield* orUnavailable(
          inScope(
            Effect.gen(function* () {
              const token = yield* Store.revoke(id, managedUser(caller))
              if (token === undefined) return yield* new NotFound({ detail: "There is no such unused token." })
              yield* note(token.tenant_id, "client_token", String(id), "revoked", { prefix: token.prefix })
              yield* emitChange(token, { state: "revoked" })
            })
          )
        )
      })
    })
  })
)
