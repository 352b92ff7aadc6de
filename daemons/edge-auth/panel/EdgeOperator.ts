/** Commands of `signalbox edge`; they work on the database and need no running daemon. */
import { Effect, Option, Redacted } from "effect"
import * as Audit from "#core/log/Audit.ts"
import { Ended, fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { decodeInput } from "#core/cli/Input.ts"
import { print, table } from "#core/cli/Output.ts"
import { withStorage } from "#core/cli/Storage.ts"
import { settings } from "#core/config/Environment.ts"
import { newPassword } from "#core/password/NewPassword.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as Wake from "#core/events/Wake.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { AccountActs, Bcrypt, bcrypt, FirstLink, Sessions, Users } from "../accounts/Exports.ts"
import type { Actor } from "../edge/AuditNote.ts"
import type { ChangeRefused } from "../edge/ChangeRefused.ts"
import { baseOf, edgeSettings } from "../edge/EdgeSettings.ts"
import { edgeAuth } from "../Daemon.ts"
import { report, RouteActs, RouteRows } from "../routes/Exports.ts"
import { NewEdgeUser } from "../management/Exports.ts"
import type { Role } from "../edge/RouteIndex.ts"

const operator: Actor = { name: Audit.operator }

const withEdge = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(Effect.andThen(Migrations.run(edgeAuth.migrations), Effect.provide(use, Wake.layer)))

interface Named {
  readonly who: string
  readonly json: boolean
}

const sentences = {
  lastAdmin: "This is the last administrator: make another one first.",
  routeTaken: "This route exists already; `signalbox edge routes list` shows it.",
  invalidRoute: "Name a host such as app.example.org and a path that begins with /.",
  stale: "The user, session or route does not exist."
} as const

/** Runs an act; a refusal ends the command with a sentence. */
const done = <A, E, R>(act: Effect.Effect<A, E | ChangeRefused, R>) =>
  Effect.catchTag(act as Effect.Effect<A, ChangeRefused, R>, "ChangeRefused", ({ reason }) => fail(sentences[reason]))

/** Finds a user by id or address; an unknown user ends the command. */
const meant = Effect.fnUntraced(function* (who: string) {
  const user = /^[1-9]\d{0,8}$/.test(who)
    ? yield* Users.byId(Number(who))
    : yield* Users.byEmail(normaliseEmail(who) ?? "")
  return user === undefined
    ? yield* fail(`There is no user ${who}; \`signalbox edge users list\` shows all users.`)
    : yield* Effect.map(Users.byId(user.id), (shown) => shown!)
})

const userRows = (found: ReadonlyArray<Users.User>) =>
  table("No users of edge-auth.", [
    ["id", "email", "name", "status", "role", "second factor", "last sign-in"],
    ...found.map((user) => [
      String(user.id),
      user.email,
      user.name,
      user.status,
      user.role,
      user.has_totp ? "on" : "off",
      user.last_login === null ? "never" : minute(user.last_login)
    ])
  ])

export const firstLink = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  const config = yield* settings(edgeSettings)
  const token = yield* withEdge(transaction(FirstLink.make))
  if (token === undefined) return yield* fail("Somebody is registered already; an admin admits further users.")
  const link = FirstLink.addressOf(baseOf(config), token)
  yield* print(json, { link }, () => [link])
})

export const users = Effect.fnUntraced(function* ({
  json,
  limit,
  status
}: {
  readonly status: Option.Option<Users.Status>
  readonly limit: number
  readonly json: boolean
}) {
  const found = yield* withEdge(Users.list(limit, Option.getOrUndefined(status)))
  yield* print(json, found, userRows)
})

/** Runs an act on a user and prints the changed user. */
const toUser = <A, E, R>({ json, who }: Named, act: (id: number) => Effect.Effect<A, E | ChangeRefused, R>) =>
  Effect.flatMap(
    withEdge(
      Effect.gen(function* () {
        const { id } = yield* meant(who)
        yield* done(act(id))
        return yield* meant(String(id))
      })
    ),
    (user) => print(json, user, (user) => userRows([user]))
  )

export const approve = (flags: Named) => toUser(flags, (id) => AccountActs.setStatus(operator, id, "active"))
export const block = (flags: Named) => toUser(flags, (id) => AccountActs.setStatus(operator, id, "blocked"))
export const role = (flags: Named & { readonly role: Role }) =>
  toUser(flags, (id) => AccountActs.setRole(operator, id, flags.role))
export const resetFactor = (flags: Named) => toUser(flags, (id) => AccountActs.resetFactor(operator, id))

/** A new password with its hash. */
const generated = Effect.gen(function* () {
  const { hash } = yield* Bcrypt
  const password = newPassword()
  return { password, hashed: yield* Effect.orDie(hash(password)) }
}).pipe(Effect.provide(bcrypt))

export const create = Effect.fnUntraced(function* ({
  email,
  json,
  name,
  role
}: {
  readonly email: string
  readonly name: Option.Option<string>
  readonly role: Role
  readonly json: boolean
}) {
  const wanted = yield* decodeInput(
    NewEdgeUser,
    { email, name: Option.getOrElse(name, () => email.slice(0, email.lastIndexOf("@"))), role },
    { email: "--email", name: "--name", role: "--role" }
  )
  const address = normaliseEmail(wanted.email)!
  const { hashed, password } = yield* generated
  const user = yield* withEdge(
    AccountActs.create(operator, { email: address, name: wanted.name, role, password: hashed })
  )
  if (user === undefined) return yield* fail(`A user has the address ${address} already.`)
  yield* print(json, { ...user, password: Redacted.value(password) }, () => [
    ...userRows([user]),
    `Password: ${Redacted.value(password)}`
  ])
})

export const resetPassword = Effect.fnUntraced(function* ({ json, who }: Named) {
  const { hashed, password } = yield* generated
  const user = yield* withEdge(Effect.tap(meant(who), ({ id }) => done(AccountActs.setPassword(operator, id, hashed))))
  yield* print(json, { id: user.id, password: Redacted.value(password) }, () => [
    `Password of ${user.email}: ${Redacted.value(password)}`
  ])
})

export const remove = Effect.fnUntraced(function* ({ json, who }: Named) {
  const user = yield* withEdge(Effect.tap(meant(who), ({ id }) => done(AccountActs.remove(operator, id))))
  yield* print(json, { id: user.id, deleted: true }, () => [`${user.email} is deleted.`])
})

export const endSessions = Effect.fnUntraced(function* ({ json, who }: Named) {
  const ended = yield* withEdge(Effect.flatMap(meant(who), ({ id }) => done(AccountActs.endAll(operator, id))))
  yield* print(json, { ended }, () => [`${ended} ${ended === 1 ? "session" : "sessions"} ended.`])
})

const routeRows = (found: ReadonlyArray<RouteRows.ProtectedRoute>) =>
  table("No protected routes. Add one: bin/signalbox edge routes add app.example.org", [
    ["id", "host", "path", "role", "state", "description"],
    ...found.map((route) => [
      String(route.id),
      route.host,
      route.path,
      route.required_role,
      route.enabled ? "on" : "off",
      route.description
    ])
  ])

export const routes = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  yield* print(json, yield* withEdge(RouteRows.list), routeRows)
})

export const addRoute = Effect.fnUntraced(function* ({
  json,
  ...typed
}: RouteActs.TypedRoute & { readonly json: boolean }) {
  const made = yield* withEdge(done(RouteActs.addRoute(operator, typed)))
  yield* print(json, made, (made) => routeRows([made]))
})

export const turnRoute = Effect.fnUntraced(function* ({
  json,
  on,
  route
}: {
  readonly route: number
  readonly on: boolean
  readonly json: boolean
}) {
  yield* withEdge(done(RouteActs.turnRoute(operator, route, on)))
  yield* print(json, { id: route, enabled: on }, () => [`Route ${route} is ${on ? "on" : "off"}.`])
})

export const removeRoute = Effect.fnUntraced(function* ({
  json,
  route
}: {
  readonly route: number
  readonly json: boolean
}) {
  yield* withEdge(done(RouteActs.removeRoute(operator, route)))
  yield* print(json, { id: route, removed: true }, () => [`Route ${route} is removed.`])
})

export const sessions = Effect.fnUntraced(function* ({
  json,
  limit,
  user
}: {
  readonly user: Option.Option<string>
  readonly limit: number
  readonly json: boolean
}) {
  const found = yield* withEdge(
    Effect.gen(function* () {
      const of = Option.isSome(user) ? (yield* meant(user.value)).id : undefined
      return yield* Sessions.open(of, limit)
    })
  )
  yield* print(json, found, (found) =>
    table("No open sessions.", [
      ["id", "email", "host", "address", "since", "until"],
      ...found.map((row) => [
        String(row.id),
        row.email,
        row.host ?? "",
        row.ip,
        minute(row.created_at),
        minute(row.expires_at)
      ])
    ])
  )
})

export const endSession = Effect.fnUntraced(function* ({
  json,
  session
}: {
  readonly session: number
  readonly json: boolean
}) {
  yield* withEdge(done(AccountActs.endSession(operator, session, undefined)))
  yield* print(json, { id: session, ended: true }, () => [`Session ${session} is ended.`])
})

const said = {
  protected: "protected",
  partly: "protected in part",
  denied: "for signed-in users only",
  no_route: "OPEN: no route is enabled",
  no_check: "OPEN: the proxy's file has no check",
  not_asked: "perhaps OPEN: no proxy has asked"
} as const

export const coverage = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  const config = yield* settings(edgeSettings)
  const found = yield* withEdge(report({ ...config, home: { base: baseOf(config) } }))
  yield* print(json, found, ({ hosts, unread }) => [
    ...table("No hosts: no protected routes, and no requests of a proxy.", [
      ["host", "state", "last asked", "not asked at"],
      ...hosts.map((host) => [host.host, said[host.state], host.last_asked ?? "never", host.unchecked.join(", ")])
    ]),
    ...(unread.length === 0 ? [] : ["", "Not understood, and not in this report:", ...unread.map((one) => `  ${one}`)])
  ])
  if (found.hosts.some(({ state }) => state !== "protected" && state !== "denied")) return yield* new Ended({ code: 1 })
})
