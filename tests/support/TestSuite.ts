/**
 * Starts daemons for a test like `signalbox run` or `signalbox up`: the real frame over a fresh database, with free
 * ports. The end of the scope stops it.
 *
 *     const suite = yield* startSuite({ daemons: [daemon] })                  // each on its own port
 *     const suite = yield* startSuite({ daemons: [daemon], gateway: true })   // behind the gateway, as `up`
 *     yield* suite.call("GET", "/api/v1/things", { token: yield* suite.token })
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as ServiceTokenStore from "#core/auth/ServiceTokenStore.ts"
import type { UserVerifier } from "#core/auth/UserVerifier.ts"
import type { Daemon } from "#core/daemon/Daemon.ts"
import { portVariable } from "#core/daemon/KnownDaemons.ts"
import { Environment } from "#core/config/Environment.ts"
import type { Gateway } from "#core/gateway/Gateway.ts"
import { gateway as realGateway } from "#core/gateway/make.ts"
import { type ConnectionTarget, toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import * as Suite from "#core/daemon/Suite.ts"
import type { Argon2Parameters } from "#core/password/PasswordHash.ts"
import { Argon2Cost } from "#core/password/Passwords.ts"
import { SystemdNotify } from "#protocols/systemd/SystemdNotify.ts"
import { cheapArgon2 } from "./CheapArgon2.ts"
import { type FreshDatabase, migratedDatabase, temporaryDirectory } from "./Postgres.ts"
import { countSuite } from "./profile/Events.ts"

export interface StartOptions {
  readonly daemons: ReadonlyArray<Daemon>
  /** All daemons of the installation, when several suites share one database. Default: `daemons`. */
  readonly fleet?: ReadonlyArray<Daemon>
  /** Variables added to the defaults. The daemons do not see the environment of the test process. */
  readonly env?: Readonly<Record<string, string>>
  /** Whether the daemons run behind the gateway, as with `up`. */
  readonly gateway?: boolean | Gateway
  /** Database of another suite, to share it. Default: a fresh one. */
  readonly database?: FreshDatabase
  /** Verifier of users' bearer tokens. Default: none, all are refused. */
  readonly verifier?: Layer.Layer<UserVerifier>
  /** Cost of password hashes, of bcrypt apart. Default: a low one. */
  readonly argon2Cost?: Argon2Parameters
}

export interface CallOptions {
  readonly token?: string
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Target: a daemon's name, or `gateway`. Default: the gateway when there is one, else the only daemon. */
  readonly of?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body parsed as JSON; undefined when it is not JSON. */
  readonly json: any
}

export interface TestSuite {
  readonly suite: Suite.RunningSuite
  readonly database: FreshDatabase
  readonly env: Readonly<Record<string, string>>
  /** Base address of a daemon (or `gateway`), without a trailing slash. */
  readonly base: (name?: string) => string
  /** A service token of the platform scope, created at first use. */
  readonly token: Effect.Effect<string, SqlError.SqlError>
  readonly call: (method: string, path: string, options?: CallOptions) => Effect.Effect<Answer>
  /** Client for the test's own statements: separate connection, platform role. */
  readonly sql: PgClient.PgClient
}

export const startSuite = Effect.fnUntraced(function* (options: StartOptions) {
  countSuite()
  const database =
    options.database ??
    (yield* migratedDatabase(
      options.daemons.map(({ migrations }) => migrations),
      [...new Set(options.daemons.flatMap(({ queues }) => queues))]
    ))
  const env: Record<string, string> = {
    DATABASE_URL: database.url,
    SIGNALBOX_DATA_DIR: yield* temporaryDirectory(),
    SIGNALBOX_GATEWAY_PORT: "0",
    ...Object.fromEntries(options.daemons.map((daemon) => [portVariable(daemon.name), "0"])),
    ...options.env
  }
  const gateway = options.gateway === true ? realGateway : options.gateway || undefined
  const suite = yield* Suite.start({
    daemons: options.daemons,
    fleet: options.fleet ?? options.daemons,
    ...(gateway === undefined ? {} : { gateway }),
    ...(options.verifier === undefined ? {} : { verifier: options.verifier })
  }).pipe(
    Effect.provideService(Environment, env),
    Effect.provideService(Argon2Cost, options.argon2Cost ?? cheapArgon2),
    Effect.provide(SystemdNotify.layerSilent)
  )
  const sql = yield* connect(database.target)
  const base = (name?: string) => {
    const wanted = name ?? (gateway === undefined ? options.daemons[0]!.name : "gateway")
    const address = suite.addresses.get(wanted)
    if (address === undefined)
      throw new Error(`${wanted} does not listen; there are ${[...suite.addresses.keys()].join(", ")}`)
    return `http://${address.host}:${address.port}`
  }
  return {
    suite,
    database,
    env,
    sql,
    base,
    token: yield* Effect.cached(createToken(sql)),
    call: (method, path, call) => Effect.promise(() => request(base(call?.of) + path, method, call ?? {}))
  } satisfies TestSuite as TestSuite
})

const connect = (target: ConnectionTarget): Effect.Effect<PgClient.PgClient, SqlError.SqlError, Scope.Scope> =>
  Effect.map(
    Layer.build(PgClient.layer({ ...toSqlPg(target), applicationName: "test", maxConnections: 2 })),
    (context) => Context.get(context, PgClient.PgClient)
  )

const createToken = (sql: PgClient.PgClient): Effect.Effect<string, SqlError.SqlError> =>
  ServiceTokenStore.create({ name: "test", scopes: ["platform"] }).pipe(
    Effect.map(({ token }) => Redacted.value(token)),
    Effect.provideService(SqlClient.SqlClient, sql)
  )

const request = async (url: string, method: string, options: CallOptions): Promise<Answer> => {
  const response = await fetch(url, {
    method,
    redirect: "manual",
    headers: {
      ...(options.body === undefined ? {} : { "content-type": "application/json" }),
      ...(options.token === undefined ? {} : { "x-service-token": options.token }),
      ...options.headers
    },
    ...(options.body === undefined
      ? {}
      : { body: typeof options.body === "string" ? options.body : JSON.stringify(options.body) })
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parsed(text) }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
