import { Effect, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import * as Handlers from "#core/http/Handlers.ts"
import { Caller, tenantOf } from "#core/auth/Caller.ts"
import { permissionsOf, roles } from "#core/auth/Roles.ts"
import { Standing } from "#core/auth/Standing.ts"
import { noStore } from "#core/http/AnswerHeaders.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { InvalidRequest, orUnavailable, Unavailable } from "#core/http/Problem.ts"
import { maxSessions, UsersApi, UserView } from "./Api.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { type OwnSession, PublicBase } from "../sessions/Exports.ts"
import { problemOf } from "#core/password/PasswordRules.ts"
import { Passwords } from "#core/password/Passwords.ts"
import * as Tenants from "./tenants/Store.ts"
import * as Accounts from "./Accounts.ts"
import { actor } from "./AuditActor.ts"
import { requireTenantAccess } from "#core/auth/NamedTenant.ts"
import { inOtherTenant, inTenant } from "./TenantScope.ts"
import * as UserChanges from "./UserChanges.ts"
import { linkAddress, makeLink } from "./UserLink.ts"
import { canonicalOrNull } from "./UserFields.ts"
import { listUsers } from "./UserList.ts"

/** API representation of a user. */
const view = ({
  created_at,
  email,
  id,
  last_login_at,
  locale,
  name,
  role,
  state,
  tenant_id,
  time_zone,
  updated_at
}: Accounts.Account): typeof UserView.Type => ({
  id,
  tenant_id,
  email,
  name,
  role,
  locale,
  time_zone,
  state,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
  last_login_at: last_login_at?.toISOString() ?? null
})

/** API representation of a session. */
const sessionView = ({ created_at, expires_at, last_used_at, ...session }: OwnSession) => ({
  ...session,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at.toISOString(),
  expires_at: expires_at.toISOString()
})

/** Problem of a single field, for checks that the schema cannot express. */
const invalid = (field: string, message: string) => new InvalidRequest({ errors: [{ field, message }] })

export const users = Handlers.group(
  UsersApi,
  "users",
  Effect.fn(function* (handlers) {
    const passwords = yield* Passwords
    const standing = yield* Standing
    const publicBase = yield* PublicBase

    /** Checks a new password against the rules and hashes it. Call it outside transactions. */
    const hashed = Effect.fnUntraced(function* (typed: string, email: string) {
      const password = Redacted.make(typed)
      const problem = problemOf(password, email)
      if (problem !== undefined) return yield* invalid("payload.password", problem)
      return yield* Effect.catchTag(passwords.hash(password), "Busy", () =>
        Effect.fail(new Unavailable({ detail: "Too many passwords are being processed; try again later." }))
      )
    })

    /** Runs a change in one transaction; ended sessions are then refused at once in this process. */
    const change = <A, E, R>(tenant: number | undefined, effect: Effect.Effect<A, E, R>) =>
      orUnavailable(Effect.tap(inTenant(tenant, effect), Effect.ignore(standing.refresh)))

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { limit = defaultPage, tenant_id, ...filter } }) {
        return paged((yield* orUnavailable(inTenant(tenant_id, listUsers(filter, limit + 1)))).map(view), limit)
      }),
      show: Effect.fnUntraced(function* ({ params, query }) {
        const found = yield* orUnavailable(inTenant(query.tenant_id, Accounts.get(params.id)))
        return found === undefined ? yield* UserChanges.noSuchUser : view(found)
      }),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const { locale = "en", name, password, role, tenant_id, time_zone = null } = payload
        const timeZone = canonicalOrNull(time_zone)
        yield* requireTenantAccess(tenant_id)
        const by = yield* actor
        const tenantId = tenant_id ?? tenantOf(yield* Caller)
        const email = normaliseEmail(payload.email)!
        const passwordHash = password === undefined ? {} : { passwordHash: yield* hashed(password, email) }
        const create = inOtherTenant(
          tenantId,
          Effect.gen(function* () {
            if ((yield* Tenants.get(tenantId)) === undefined)
              return yield* invalid("payload.tenant_id", "must be the id of an existing tenant")
            return view(
              yield* UserChanges.create(by, {
                tenantId,
                email,
                name: name.trim(),
                role,
                locale,
                timeZone,
                ...passwordHash
              })
            )
          })
        )
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "users.create",
            body: payload,
            secrets: ["password"],
            response: UserView,
            create
          })
        )
      }),
      update: Effect.fnUntraced(function* ({ params, payload: { email, name, time_zone, ...rest }, query }) {
        const by = yield* actor
        const to = {
          ...rest,
          ...(email === undefined ? {} : { email: normaliseEmail(email)! }),
          ...(name === undefined ? {} : { name: name.trim() }),
          ...(time_zone === undefined ? {} : { time_zone: canonicalOrNull(time_zone) })
        }
        return view(yield* change(query.tenant_id, UserChanges.update(by, params.id, to)))
      }),
      suspend: Effect.fnUntraced(function* ({ params, query }) {
        return view(yield* change(query.tenant_id, UserChanges.suspend(yield* actor, params.id)))
      }),
      unsuspend: Effect.fnUntraced(function* ({ params, query }) {
        return view(yield* change(query.tenant_id, UserChanges.unsuspend(yield* actor, params.id)))
      }),
      password: Effect.fnUntraced(function* ({ params, payload, query }) {
        const by = yield* actor
        // Read first, because the password rules need the address, and a refused request should not cost a hash.
        const account = yield* orUnavailable(inTenant(query.tenant_id, UserChanges.lockUser(by, params.id)))
        yield* UserChanges.refuseOwnAccount(by, params.id, UserChanges.ownPassword)
        const hash = yield* hashed(payload.password, account.email)
        yield* change(query.tenant_id, UserChanges.setPassword(by, params.id, hash))
      }),
      link: Effect.fnUntraced(function* ({ params, query }) {
        const { expiresAt, purpose, token } = yield* orUnavailable(
          inTenant(query.tenant_id, makeLink(yield* actor, params.id))
        )
        yield* noStore
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        return { url: linkAddress(publicBase.of(headers), token), purpose, expires_at: expiresAt.toISOString() }
      }),
      signOut: Effect.fnUntraced(function* ({ params, query }) {
        return { ended_sessions: yield* change(query.tenant_id, UserChanges.signOut(yield* actor, params.id)) }
      }),
      sessions: Effect.fnUntraced(function* ({ params, query }) {
        const found = yield* orUnavailable(inTenant(query.tenant_id, UserChanges.sessionsOf(params.id, maxSessions)))
        return { items: found.map(sessionView) }
      }),
      endSession: Effect.fnUntraced(function* ({ params, query }) {
        yield* change(query.tenant_id, UserChanges.endSession(yield* actor, params.id, params.session))
      }),
      remove: Effect.fnUntraced(function* ({ params, query }) {
        yield* change(query.tenant_id, UserChanges.remove(yield* actor, params.id))
      })
    })
  })
)

const answer = { items: roles.map((role) => ({ role, permissions: [...permissionsOf[role]].toSorted() })) }

export const rolesHandler = Handlers.group(UsersApi, "roles", (handlers) =>
  handlers.handleAll({ roles: () => Effect.succeed(answer) })
)
