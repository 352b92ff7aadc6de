/**
 * Address, user and database of a Postgres connection: parsed from DATABASE_URL, or given by the embedded server. Pure:
 * opens no connection.
 *
 * Accepted forms of DATABASE_URL (libpq URIs; Postgres manual, "Connection URIs"):
 * - postgres://user:password@host:5432/database?sslmode=verify-full
 * - postgres://user@localhost/database?host=/directory/of/the/socket&port=5432: the form `toUrl` writes; the `host`
 *   parameter overrides the host of the URL
 * - postgres://user@%2Fdirectory%2Fof%2Fthe%2Fsocket/database
 * - postgres://user@/database?host=/directory
 *
 * sslmode is disable (default), require (encrypted, certificate not checked), verify-ca or verify-full. `allow` and
 * `prefer` are refused: neither client can fall back, and they permit an unencrypted connection. Set
 * NODE_EXTRA_CA_CERTS for a private certificate authority; `sslrootcert` and other file parameters are refused.
 */
import type { ConnectionOptions } from "node:tls"
import { Redacted, Result, Schema } from "effect"

export type SslMode = "disable" | "require" | "verify-ca" | "verify-full"

export interface ConnectionTarget {
  /** Host name or address; for a unix socket the absolute path of its directory. */
  readonly host: string
  /** TCP port; for a unix socket the number in its file name. */
  readonly port: number
  readonly user: string
  readonly password: Redacted.Redacted<string> | undefined
  readonly database: string
  readonly ssl: SslMode
}

/**
 * An unusable DATABASE_URL. The message names the wrong parameter but contains no part of the URL, which may include a
 * password.
 */
export class ConnectionTargetError extends Schema.TaggedError<ConnectionTargetError>()("ConnectionTargetError", {
  reason: Schema.Literals([
    "NotAUrl",
    "WrongScheme",
    "UserMissing",
    "DatabaseMissing",
    "BadPort",
    "BadSslMode",
    "SslOnSocket",
    "UnsupportedParameter"
  ]),
  detail: Schema.String
}) {
  override get message(): string {
    return `DATABASE_URL: ${this.detail}`
  }
}

/** Default port. Source: IANA, postgresql. */
const defaultPort = 5432
/** Parameters that are ignored, because every connection sets them itself. */
const ours = new Set(["application_name", "connect_timeout"])
const used = new Set(["host", "port", "user", "password", "dbname", "sslmode"])
const sslModes: ReadonlyArray<string> = [
  "disable",
  "require",
  "verify-ca",
  "verify-full"
] satisfies ReadonlyArray<SslMode>

/** Parses a DATABASE_URL. */
export const parse = (text: string): Result.Result<ConnectionTarget, ConnectionTargetError> => {
  const fail = (reason: ConnectionTargetError["reason"], detail: string) =>
    Result.fail(new ConnectionTargetError({ reason, detail }))
  // WHATWG URLs do not allow a user without a host; libpq URIs do.
  const url = URL.parse(text.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?])/, "$1localhost"))
  if (url === null) return fail("NotAUrl", "not a URL; expected postgres://user:password@host:5432/database")
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:")
    return fail("WrongScheme", "the scheme must be postgres or postgresql")
  const unsupported = [...url.searchParams.keys()].find((key) => !used.has(key) && !ours.has(key))
  if (unsupported !== undefined) {
    return fail(
      "UnsupportedParameter",
      `parameter '${unsupported}' is not supported (for a private certificate authority use NODE_EXTRA_CA_CERTS)`
    )
  }
  const parts = decodeAll([url.hostname, url.username, url.password, url.pathname.slice(1)])
  if (parts === undefined) return fail("NotAUrl", "wrong percent-encoding")
  const given = (name: string, part: string | undefined): string => url.searchParams.get(name) || part || ""
  const host = given("host", parts[0]?.replace(/^\[(.*)\]$/, "$1")) || "localhost"
  const user = given("user", parts[1])
  const password = given("password", parts[2])
  const database = given("dbname", parts[3])
  const port = Number(given("port", url.port) || defaultPort)
  const sslmode = url.searchParams.get("sslmode") ?? "disable"
  if (user === "") return fail("UserMissing", "no user; expected postgres://user:password@host:5432/database")
  if (database === "")
    return fail("DatabaseMissing", "no database; expected postgres://user:password@host:5432/database")
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    return fail("BadPort", "the port must be a number from 1 to 65535")
  if (!isSslMode(sslmode)) return fail("BadSslMode", `sslmode must be one of ${sslModes.join(", ")}`)
  if (host.startsWith("/") && sslmode !== "disable") return fail("SslOnSocket", "sslmode is of no use on a unix socket")
  return Result.succeed({
    host,
    port,
    user,
    password: password === "" ? undefined : Redacted.make(password),
    database,
    ssl: sslmode
  })
}

/** Whether the host is the directory of a unix socket. */
export const isSocket = (target: ConnectionTarget): boolean => target.host.startsWith("/")

/**
 * A URL that `parse`, `pg`, sql-pg and psql understand alike. It contains the plain-text password: pass it to child
 * processes only, never log it.
 */
export const toUrl = (target: ConnectionTarget): string => {
  const word = encodeURIComponent
  const login = word(target.user) + (target.password === undefined ? "" : `:${word(Redacted.value(target.password))}`)
  const database = word(target.database)
  if (isSocket(target)) return `postgres://${login}@localhost/${database}?host=${word(target.host)}&port=${target.port}`
  const host = target.host.includes(":") ? `[${target.host}]` : target.host
  return `postgres://${login}@${host}:${target.port}/${database}?sslmode=${target.ssl}`
}

/**
 * Longest message of Postgres, which is one row. Unit: bytes. Reason: the largest value is a composed mail of 35 MiB,
 * and text may take twice as much; the client's own limit of 16 MiB is less than one mail.
 */
const maxMessageSize = 96 * 1024 * 1024

/**
 * Options for `PgClient.make`, `makeClient` and `layer` of sql-pg, which treats a host with a leading slash as a socket
 * directory.
 */
export const toSqlPg = (
  target: ConnectionTarget
): {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password?: Redacted.Redacted<string>
  readonly database: string
  readonly ssl: boolean | ConnectionOptions
  readonly maxMessageSize: number
} => ({
  host: target.host,
  port: target.port,
  maxMessageSize,
  username: target.user,
  ...(target.password === undefined ? {} : { password: target.password }),
  database: target.database,
  ssl: tlsOptions(target.ssl)
})

/** Options for `pg.Pool`, `pg.Client` and pg-boss. The password is in plain text. */
export const toPgPool = (
  target: ConnectionTarget
): {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password?: string
  readonly database: string
  readonly ssl: boolean | ConnectionOptions
} => ({
  host: target.host,
  port: target.port,
  user: target.user,
  ...(target.password === undefined ? {} : { password: Redacted.value(target.password) }),
  database: target.database,
  ssl: tlsOptions(target.ssl)
})

const isSslMode = (text: string): text is SslMode => sslModes.includes(text)

const tlsOptions = (mode: SslMode): boolean | ConnectionOptions => {
  switch (mode) {
    case "disable":
      return false
    case "require":
      return { rejectUnauthorized: false }
    case "verify-ca":
      return { rejectUnauthorized: true, checkServerIdentity: () => undefined }
    case "verify-full":
      return { rejectUnauthorized: true }
  }
}

const decodeAll = (parts: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  try {
    return parts.map(decodeURIComponent)
  } catch {
    return undefined
  }
}
