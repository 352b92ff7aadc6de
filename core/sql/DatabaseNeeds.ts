/**
 * Compares a Postgres server with what we need, and says in SQL how to mend it. Pure. `signalbox check` prints every
 * shortfall; a start refuses with those that are `bad` and logs the others. config/postgres/README.md lists the needs.
 * No extension is needed.
 */
import { mailServerConnections, tenantRole } from "../postgres/ServerAccess.ts"
import { oldestMajor } from "../postgres/ServerBinaries.ts"
import { judge, type Judgement } from "./ConnectionBudget.ts"
import type { DatabaseFacts } from "./DatabaseFacts.ts"

/** `bad`: a start fails. `warn`: it works, with a risk. */
export interface Shortfall {
  readonly check: "database" | "role" | "settings" | "connections"
  readonly status: "bad" | "warn"
  readonly detail: string
  /** Statements for an administrator, to be run in our database. */
  readonly sql: ReadonlyArray<string>
}

/** Step to which a recommended number of connections is rounded up. */
const step = 10

/** Everything that the server lacks. `daemons`: number of daemons that may run as processes of their own. */
export const shortfalls = (facts: DatabaseFacts, daemons: number): ReadonlyArray<Shortfall> => [
  ...serverShortfalls(facts),
  ...roleShortfalls(facts),
  ...settingShortfalls(facts),
  ...connectionShortfalls(facts, judgeConnections(facts, daemons))
]

/** Those without which no start is possible, in one sentence with their SQL; undefined when there are none. */
export const refusal = (found: ReadonlyArray<Shortfall>): string | undefined => {
  const bad = found.filter(({ status }) => status === "bad")
  if (bad.length === 0) return undefined
  const sql = bad.flatMap((shortfall) => shortfall.sql)
  return (
    bad.map(({ detail }) => detail).join("; ") +
    (sql.length === 0 ? "" : `. As an administrator run in this database: ${sql.join(" ")}`)
  )
}

const serverShortfalls = (facts: DatabaseFacts): ReadonlyArray<Shortfall> => {
  const shortfall = (detail: string, ...sql: ReadonlyArray<string>): Shortfall => ({
    check: "database",
    status: "bad",
    detail,
    sql
  })
  return [
    ...(facts.major < oldestMajor
      ? [shortfall(`Postgres ${facts.version} is too old; ${oldestMajor} or newer is needed`)]
      : []),
    ...(facts.standby ? [shortfall("this server is a standby; DATABASE_URL must name the primary")] : []),
    ...(facts.encoding === "UTF8"
      ? []
      : [
          shortfall(
            `the encoding of database ${facts.database} is ${facts.encoding}, not UTF8; use a new database`,
            `create database ${quote(`${facts.database}_utf8`)} owner ${quote(facts.role)} encoding 'UTF8' ` +
              "locale 'C.UTF-8' template template0;"
          )
        ])
  ]
}

const roleShortfalls = (facts: DatabaseFacts): ReadonlyArray<Shortfall> => {
  const { role } = facts
  const shortfall = (detail: string, ...sql: ReadonlyArray<string>): Shortfall => ({
    check: "role",
    status: "bad",
    detail,
    sql
  })
  // A superuser prepares the rights of our sessions itself.
  const prepared = facts.superuser
  const membership = facts.tenantExists ? facts.tenantMember || facts.tenantGrants : facts.creates
  return [
    ...(prepared || (facts.roleExists ? facts.switches : facts.creates)
      ? []
      : [
          shortfall(
            facts.roleExists
              ? `${facts.login} cannot switch to the role ${role}`
              : `${role} is missing and ${facts.login} cannot create it`,
            ...(facts.roleExists ? [] : [`create role ${quote(role)} nologin;`]),
            `grant ${quote(role)} to ${quote(facts.login)};`
          )
        ]),
    ...(prepared || membership
      ? []
      : [
          shortfall(
            facts.tenantExists
              ? `${role} cannot switch to the role ${tenantRole}`
              : `${tenantRole} is missing and ${facts.login} cannot create it`,
            ...(facts.tenantExists ? [] : [`create role ${tenantRole} nologin;`]),
            `grant ${tenantRole} to ${quote(role)};`
          )
        ]),
    ...(prepared || facts.createsSchemas
      ? []
      : [
          shortfall(
            `${role} cannot create schemas in database ${facts.database}`,
            `grant create on database ${quote(facts.database)} to ${quote(role)};`
          )
        ]),
    ...(prepared || facts.createsTables
      ? []
      : [
          facts.schema === null
            ? shortfall(
                `no schema of the search path of ${role} exists`,
                `create schema ${quote(role)} authorization ${quote(role)};`
              )
            : shortfall(
                `${role} cannot create tables in schema ${facts.schema}`,
                `grant create on schema ${quote(facts.schema)} to ${quote(role)};`
              )
        ]),
    ...(facts.foreign.length === 0
      ? []
      : [
          shortfall(
            `${facts.foreign.map(({ owner, schema }) => `schema ${schema} belongs to ${owner}`).join(", ")}, ` +
              `not to ${role}; DATABASE_URL must name the role that created them`
          )
        ]),
    ...(facts.bypasses
      ? [
          {
            ...shortfall(
              `${facts.login} can bypass row-level security; sessions run as role ${role}, ` +
                "a separate login role is safer"
            ),
            status: "warn" as const
          }
        ]
      : [])
  ]
}

const settingShortfalls = (facts: DatabaseFacts): ReadonlyArray<Shortfall> => {
  const ofRole = (name: string, value: string) => `alter role ${quote(facts.login)} set ${name} = ${value};`
  const ofServer = (name: string) => [`alter system set ${name} = on;`, "select pg_reload_conf();"]
  const wrong = (
    name: string,
    isWrong: (value: string) => boolean,
    status: Shortfall["status"],
    why: string,
    sql: ReadonlyArray<string>
  ): ReadonlyArray<Shortfall> => {
    const value = facts.settings[name]
    return value === undefined || !isWrong(value)
      ? []
      : [{ check: "settings", status, detail: `${name} is ${value}: ${why}`, sql }]
  }
  const off = (value: string) => value === "off"
  const some = (value: string) => value !== "0"
  const accepted = "an accepted alarm or mail can be lost"
  return [
    ...wrong("default_transaction_read_only", (value) => value === "on", "bad", "nothing can be written", [
      "set default_transaction_read_only = off;",
      ofRole("default_transaction_read_only", "off")
    ]),
    ...wrong("row_security", off, "bad", "requests of tenants fail", [ofRole("row_security", "on")]),
    ...wrong(
      "default_transaction_isolation",
      (value) => value !== "read committed",
      "warn",
      "concurrent changes fail that would otherwise wait",
      [ofRole("default_transaction_isolation", "'read committed'")]
    ),
    ...wrong("fsync", off, "warn", `${accepted} in a power failure`, ofServer("fsync")),
    ...wrong("full_page_writes", off, "warn", `${accepted} in a power failure`, ofServer("full_page_writes")),
    ...wrong("synchronous_commit", off, "warn", `${accepted} when the server crashes`, [
      ofRole("synchronous_commit", "on")
    ]),
    ...wrong("idle_session_timeout", some, "warn", "ends the connections that wait for notifications", [
      ofRole("idle_session_timeout", "0")
    ]),
    ...wrong("transaction_timeout", some, "warn", "ends long migrations", [ofRole("transaction_timeout", "0")])
  ]
}

/** Compares the connections that the server offers with the needs of this many daemons and of the mail server. */
export const judgeConnections = (facts: DatabaseFacts, daemons: number): Judgement => {
  const limit = (value: number) => (value < 0 ? Infinity : value)
  const mail = mailConnections(facts)
  const available = Math.min(
    facts.maxConnections - facts.reserved,
    limit(facts.databaseLimit),
    limit(facts.roleLimit) + mail
  )
  return judge(available, daemons, mail)
}

/** Connections that the mail server may take. A role that does not exist or has no limit counts with ours. */
const mailConnections = ({ mailLimit }: DatabaseFacts): number =>
  mailLimit === null || mailLimit < 0 ? mailServerConnections : mailLimit

const connectionShortfalls = (facts: DatabaseFacts, judged: Judgement): ReadonlyArray<Shortfall> => {
  if (judged.verdict === "enough") return []
  const server = Math.ceil((judged.split + facts.reserved) / step) * step
  const below = (limit: number, need: number) => limit >= 0 && limit < need
  return [
    {
      check: "connections",
      status: judged.verdict === "tight" ? "warn" : "bad",
      detail: connectionFigures(judged),
      sql: [
        ...(below(facts.roleLimit, judged.split - judged.mail)
          ? [`alter role ${quote(facts.login)} connection limit -1;`]
          : []),
        ...(below(facts.databaseLimit, judged.split)
          ? [`alter database ${quote(facts.database)} connection limit -1;`]
          : []),
        ...(facts.maxConnections - facts.reserved < judged.split
          ? [`alter system set max_connections = ${server}; -- then restart this Postgres`]
          : [])
      ]
    }
  ]
}

/** Available and needed connections, in one line. */
export const connectionFigures = ({ available, mail, split, together }: Judgement): string =>
  `${available} available; needed: ${together} as one process, ${split} as one process per daemon, ` +
  `${mail} of them for the mail server`

const quote = (identifier: string) => `"${identifier.replaceAll('"', '""')}"`
