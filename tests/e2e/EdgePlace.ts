/** The edge behind the shipped nginx and Caddy files, in front of a backend that trusts all headers. */
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { hash } from "node:crypto"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import * as AwayPostgres from "#support/AwayPostgres.ts"
import * as Door from "#support/Door.ts"
import * as Backend from "#support/edge/Backend.ts"
import { caddy, type Dialect, nginx, start } from "#support/edge/EdgeProxy.ts"
import { type Ask, ask, type Reply } from "#support/edge/RawRequest.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"

/** Tokens of a user, an administrator, and an expired session. */
export const [user, admin, stale] = ["5e".repeat(32), "ad".repeat(32), "01".repeat(32)] as const
/** Header with the session of this token. */
export const cookie = (token: string) => `Cookie: other=1; __platform_auth=${token}`

/** The edge with users, sessions and routes; a door before it; and a backend that trusts all headers. */
export class Place extends Context.Service<
  Place,
  {
    readonly suite: TestSuite
    readonly edge: Door.Door
    readonly backend: Backend.Backend
    readonly postgres: { readonly away: Effect.Effect<void>; readonly back: Effect.Effect<void> }
  }
>()("test/Place") {
  static readonly layer = Layer.effect(
    Place,
    Effect.gen(function* () {
      const { away, back, database } = yield* AwayPostgres.make
      const suite = yield* startSuite({
        daemons: [edgeAuth],
        database,
        // 127.0.0.1 is the proxy; other loopback addresses are clients.
        env: {
          AUTH_COOKIE_DOMAIN: "example.org",
          // The proxies of the test speak plain http, so the address with https must be configured.
          SIGNALBOX_EDGE_AUTH_URL: "https://auth.example.org",
          SIGNALBOX_TRUSTED_PROXIES: "127.0.0.1/32"
        }
      })
      const { sql } = suite
      yield* sql`insert into edge_auth.users (email, password, name, status, role)
      values ('ann@example.org', '', 'Änn', 'active', 'user'), ('root@example.org', '', 'Root', 'active', 'admin')`
      const session = (token: string, email: string, ends: string) =>
        sql`insert into edge_auth.sessions (token, user_id, ip, user_agent, expires_at)
        select ${hash("sha256", token, "hex")}, id, '', '', now() + ${ends}::interval from edge_auth.users where email = ${email}`
      yield* session(user, "ann@example.org", "1 day")
      yield* session(admin, "root@example.org", "1 day")
      yield* session(stale, "root@example.org", "-1 minute")
      yield* sql`insert into edge_auth.protected_routes (host, path, required_role, enabled) values
      ('app.example.org', '/private', 'user', 1), ('app.example.org', '/admin', 'admin', 1), ('app.example.org', '/off', 'user', 0),
      ('app.example.org', '/socket', 'user', 1), ('[2001:db8::1]', '/private', 'user', 1), ('app.other.test', '/', 'user', 1), ('unasked.example.org', '/', 'user', 1)`
      const edge = yield* Door.make({ port: Number(new URL(suite.base("edge-auth")).port) })
      return { suite, edge, backend: yield* Backend.make(), postgres: { away, back } }
    })
  )
}

/** Host with protected routes. */
export const app = "app.example.org"
/** Forged identity headers of a client, in every spelling that some backend treats as ours. */
export const claims = [
  "X-Auth-User: root@example.org",
  "x-auth-user: root@example.org",
  "X-AUTH-USER: root@example.org",
  "X-Auth-Name: Root",
  "X-Auth-Role: admin",
  "X-Auth-Role: admin",
  "X_Auth_User: root@example.org",
  "x_auth_role: admin",
  "X_AUTH_NAME: Root",
  "X-Auth-Name-Encoded: Root",
  "X-Auth-Name_Encoded: Root",
  "X_Auth_Name_Encoded: Root",
  "X-Auth_User: root@example.org",
  "X_Auth-User: root@example.org",
  "x-auth_role: admin",
  "x_auth-role: admin",
  "X-Auth-Mode: status",
  "X-Forwarded-Host: open.example.org",
  "x-forwarded-host: open.example.org",
  "X-Forwarded-Uri: /",
  "X-Forwarded-For: 203.0.113.7",
  "X-Forwarded-Proto: http",
  "X-Forwarded-Method: OPTIONS",
  "X-Original-Url: http://open.example.org/",
  "X-Original-Uri: /",
  "Forwarded: host=open.example.org"
]

/** Identity headers as a CGI-like backend sees them, which folds header names. Empty values are skipped. */
export const believed = ({ seen }: Reply): ReadonlyArray<string> =>
  seen!.raw
    .flatMap((name, index) =>
      index % 2 === 0 && /^x.auth.(user|name|name.encoded|role)$/i.test(name) && seen!.raw[index + 1] !== ""
        ? [`${name.toLowerCase()}: ${seen!.raw[index + 1]}`]
        : []
    )
    .toSorted()

/** A started proxy, and requests to it. */
export class Proxy extends Context.Service<
  Proxy,
  {
    readonly dialect: Dialect
    readonly port: number
    readonly get: (host: string | undefined, target: string, options?: Ask) => Effect.Effect<Reply>
  }
>()("test/Proxy") {
  static readonly layerOf = (dialect: Dialect) =>
    Layer.effect(
      Proxy,
      Effect.gen(function* () {
        const { backend, edge } = yield* Place
        const port = yield* start(dialect, { edge: edge.port, backend: backend.port, banned: ["127.0.0.66/32"] })
        return {
          dialect,
          port,
          get: (host: string | undefined, target: string, options?: Ask) => ask(port, host, target, options)
        }
      })
    )
}

/** The proxies that ship a file. */
export const dialects = [nginx, caddy]

/** The edge behind a proxy, with a backend. */
export const behind = (dialect: Dialect) => Layer.provideMerge(Proxy.layerOf(dialect), Place.layer)

/** Sends a request that must not reach the backend. Returns the reply. */
export const refused = Effect.fnUntraced(function* (host: string | undefined, target: string, options?: Ask) {
  const { backend } = yield* Place
  const before = backend.reached()
  const reply = yield* (yield* Proxy).get(host, target, options)
  assert.deepStrictEqual([reply.seen, backend.reached() - before], [undefined, 0], `${host} ${target} ${reply.status}`)
  assert.isAtLeast(reply.status, 300, `${host} ${target}`)
  return reply
})
/** Sends a request that must reach the backend. Returns the reply. */
export const passed = Effect.fnUntraced(function* (host: string, target: string, options?: Ask) {
  const reply = yield* (yield* Proxy).get(host, target, options)
  assert.deepStrictEqual([reply.status, reply.seen === undefined], [200, false], `${host} ${target} ${reply.text}`)
  return reply
})
/** Return address in a redirect to the login page. */
export const loginFor = ({ headers }: Reply) => new URL(headers["location"]!).searchParams.get("rd")
