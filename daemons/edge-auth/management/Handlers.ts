import { Effect, Redacted } from "effect"
import { Caller, nameOf } from "#core/auth/Caller.ts"
import { client } from "#core/http/Client.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { InvalidRequest, NotFound, orUnavailable, Unavailable } from "#core/http/Problem.ts"
import { newPassword } from "#core/password/NewPassword.ts"
import { transaction } from "#core/sql/Sql.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { AccountActs, Bcrypt, Users } from "../accounts/Exports.ts"
import type { Actor } from "../edge/AuditNote.ts"
import type { ChangeRefused } from "../edge/ChangeRefused.ts"
import { Edge } from "../edge/Edge.ts"
import { EdgeProjection } from "../edge/EdgeProjection.ts"
import { report, RouteActs, RouteRows } from "../routes/Exports.ts"
import { ManagementApi, maxUsers } from "./Api.ts"
import { EdgeUserExists, LastEdgeAdmin, RouteTaken } from "./Errors.ts"

const author = Effect.gen(function* () {
  const { address } = yield* client
  return { name: nameOf(yield* Caller), ip: address } satisfies Actor
})

const userView = ({ created_at, email, has_totp, id, last_login, name, role, status }: Users.User) => ({
  id,
  email,
  name,
  status,
  role,
  second_factor: has_totp,
  created_at: created_at.toISOString(),
  last_sign_in_at: last_login?.toISOString() ?? null
})

const routeView = ({ created_at, description, enabled, host, id, path, required_role }: RouteRows.ProtectedRoute) => ({
  id,
  host,
  path,
  role: required_role,
  description,
  enabled,
  created_at: created_at.toISOString()
})

const missing = new NotFound({})

/** Problems of the API for refusals. Of the others, `lastAdmin` and those of routes cannot happen here. */
const refused = ({ reason }: ChangeRefused) => (reason === "lastAdmin" ? new LastEdgeAdmin({}) : missing)

const routeRefused = ({ reason }: ChangeRefused) =>
  reason === "routeTaken"
    ? new RouteTaken({})
    : new InvalidRequest({
        errors: [
          { field: "payload.host", message: "must be a host such as app.example.org, and the path begin with /" }
        ]
      })

/** All callers are the provider's (`ProviderOnly`), and the tables have no tenant. */
export const management = Handlers.group(
  ManagementApi,
  "edgeManagement",
  Effect.fn(function* (handlers) {
    const { defaultDeny, home, proxyConfig } = yield* Edge
    const projection = yield* EdgeProjection
    const bcrypt = yield* Bcrypt

    /** Applies a change in this process at once; other processes apply it within a second. */
    const apply = <A, E, R>(act: (by: Actor) => Effect.Effect<A, E, R>) =>
      Effect.tap(Effect.flatMap(author, act), Effect.ignore(projection.refresh))

    const generated = Effect.gen(function* () {
      const password = newPassword()
      const hashed = yield* Effect.mapError(
        bcrypt.hash(password),
        () => new Unavailable({ detail: "Too many passwords are being set; try again." })
      )
      return { password: Redacted.value(password), hashed }
    })

    const userOf = (id: number) =>
      Effect.flatMap(transaction(Users.byId(id)), (user) =>
        user === undefined ? Effect.fail(missing) : Effect.succeed(userView(user))
      )

    return handlers.handleAll({
      users: Effect.fnUntraced(function* ({ query: { q, status } }) {
        return { items: (yield* orUnavailable(transaction(Users.list(maxUsers, status, q)))).map(userView) }
      }),
      createUser: Effect.fnUntraced(function* ({ payload: { email, name, role } }) {
        const { hashed, password } = yield* generated
        const given = { email: normaliseEmail(email)!, name: name.trim(), role, password: hashed }
        const user = yield* orUnavailable(apply((by) => AccountActs.create(by, given)))
        return user === undefined ? yield* new EdgeUserExists({}) : { user: userView(user), password }
      }),
      changeUser: Effect.fnUntraced(function* ({ params: { id }, payload: { role, status } }) {
        return yield* orUnavailable(
          Effect.gen(function* () {
            yield* apply((by) =>
              transaction(
                Effect.gen(function* () {
                  if (role !== undefined) yield* AccountActs.setRole(by, id, role)
                  if (status !== undefined) yield* AccountActs.setStatus(by, id, status)
                })
              )
            )
            return yield* userOf(id)
          }).pipe(Effect.catchTag("ChangeRefused", (error) => Effect.fail(refused(error))))
        )
      }),
      removeUser: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* orUnavailable(
          Effect.catchTag(
            apply((by) => AccountActs.remove(by, id)),
            "ChangeRefused",
            (error) => Effect.fail(refused(error))
          )
        )
      }),
      resetPassword: Effect.fnUntraced(function* ({ params: { id } }) {
        const { hashed, password } = yield* generated
        yield* orUnavailable(gone(apply((by) => AccountActs.setPassword(by, id, hashed))))
        return { password }
      }),
      signOutUser: Effect.fnUntraced(function* ({ params: { id } }) {
        return { sessions: yield* orUnavailable(gone(apply((by) => AccountActs.endAll(by, id)))) }
      }),
      removeFactor: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* orUnavailable(gone(apply((by) => AccountActs.resetFactor(by, id))))
      }),
      coverage: Effect.fnUntraced(function* () {
        return yield* orUnavailable(report({ defaultDeny, home, proxyConfig }))
      }),
      routes: Effect.fnUntraced(function* () {
        return { items: (yield* orUnavailable(transaction(RouteRows.list))).map(routeView) }
      }),
      addRoute: Effect.fnUntraced(function* ({ payload: { description = "", host, path, role } }) {
        return routeView(
          yield* orUnavailable(
            Effect.catchTag(
              apply((by) => RouteActs.addRoute(by, { description, host, path, role })),
              "ChangeRefused",
              (error) => Effect.fail(routeRefused(error))
            )
          )
        )
      }),
      turnRoute: Effect.fnUntraced(function* ({ params: { id }, payload: { enabled } }) {
        yield* orUnavailable(gone(apply((by) => RouteActs.turnRoute(by, id, enabled))))
      }),
      removeRoute: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* orUnavailable(gone(apply((by) => RouteActs.removeRoute(by, id))))
      })
    })
  })
)

/** 404 for an object that does not exist any more. */
const gone = <A, E, R>(act: Effect.Effect<A, E | ChangeRefused, R>) =>
  Effect.catchTag(act as Effect.Effect<A, ChangeRefused, R>, "ChangeRefused", () =>
    Effect.fail(missing)
  ) as Effect.Effect<A, Exclude<E, ChangeRefused> | NotFound, R>
